package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.access.ydb.Calls;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.engine.TargetEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three of our processes and a Go program fight for one lock under faults. Whoever holds it moves the checkpoint by one
 * and writes a row of that number; a step that two believe to have made, or a row that is not its maker's, is a breach.
 */
@WithYdb(lifetime = WithYdb.Lifetime.TEST) // a fight leaves hundreds of sessions to the server's time-out
@DisplayName("In a fight for one lock")
class FightTest {
    private static final Duration LENGTH = Duration.ofSeconds(4);
    private static final Duration TTL = Duration.ofMillis(250);

    private final YdbEmulator ydb;
    private final Destination destination;
    private final Map<Long, String> claims = new ConcurrentHashMap<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger byUs = new AtomicInteger();
    private final AtomicInteger byGo = new AtomicInteger();

    FightTest(YdbEmulator ydb) {
        this.ydb = ydb;
        this.destination = new Destination(ydb);
        destination.createTable();
        destination.shape();
    }

    @AfterEach
    void close() throws Exception {
        ydb.faults().clear();
        destination.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("never two owners make the same step and the checkpoint never goes back")
    void fight(long seed) throws Exception {
        makeTables();
        faults(seed);
        long end = System.nanoTime() + LENGTH.toNanos();
        List<Callable<Void>> fighters = new ArrayList<>();
        for (int index = 0; index < 3; index++) {
            DrivenTarget ours = destination.target("host-" + index, settings());
            Random random = new Random(seed * 31 + index);
            fighters.add(() -> fightAsOurs(ours, random, end));
        }
        fighters.add(() -> fightAsGo(new Random(seed), end));
        fighters.add(() -> watch(end));
        ExecutorService threads = Executors.newFixedThreadPool(fighters.size());
        try {
            for (Future<Void> fighter : threads.invokeAll(fighters)) {
                fighter.get();
            }
        } finally {
            threads.shutdownNow();
        }
        ydb.faults().clear();
        System.out.printf(
                "seed %d: %d steps by us, %d by the Go program, %d attempts, faults %s%n",
                seed, byUs.get(), byGo.get(), attempts.get(), ydb.faults().fired());
        verify();
    }

    private void makeTables() {
        DrivenTarget first = destination.target("first");
        first.begin();
        first.release();
    }

    private void faults(long seed) {
        ydb.faults().reseed(seed);
        ydb.faults().add(FaultRule.of(Fault.ABORTED).withProbability(0.03));
        ydb.faults().add(FaultRule.of(Fault.UNAVAILABLE).withProbability(0.02));
        ydb.faults().add(FaultRule.of(Fault.BAD_SESSION).withProbability(0.01));
        ydb.faults().add(FaultRule.of(Fault.COMMIT_UNDETERMINED).withProbability(0.05));
        ydb.faults().add(FaultRule.of(Fault.COMMIT_LATE).withProbability(0.1).withDelay(Duration.ofMillis(60)));
    }

    private static TargetSettings settings() {
        return new TargetSettings(
                TTL,
                Duration.ofMillis(500),
                Duration.ofMillis(500),
                Duration.ofSeconds(1),
                Duration.ofMillis(1),
                Duration.ofMillis(10),
                2,
                10_000,
                1 << 20,
                1_000);
    }

    private Void fightAsOurs(DrivenTarget target, Random random, long end) {
        while (System.nanoTime() < end) {
            boolean held = target.acquire() instanceof TargetEvent.LockHeld;
            if (held && target.load() instanceof TargetEvent.Loaded loaded) {
                steps(target, loaded.state().checkpoint().step(), 1 + random.nextInt(20));
                if (random.nextBoolean()) {
                    target.release();
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(20)));
        }
        return null;
    }

    private void steps(DrivenTarget target, long from, int count) {
        long step = from + 1;
        for (int number = 1; number <= count; number++) {
            String value = "ours " + attempts.incrementAndGet();
            TargetEvent answer = target.commit(destination.batch(number, step, destination.upsert(step, value)));
            if (answer instanceof TargetEvent.Committed) {
                claim(step, value);
                byUs.incrementAndGet();
                step++;
            } else if (!(answer instanceof TargetEvent.Retryable)) {
                assertThat(answer).isInstanceOf(TargetEvent.Fenced.class);
                return;
            }
        }
    }

    private Void fightAsGo(Random random, long end) {
        try (GoProgram go = new GoProgram(destination.transport, destination.stateTable, "lock_go")) {
            while (System.nanoTime() < end) {
                int count = go.holds(TTL) ? 1 + random.nextInt(20) : 0;
                for (int number = 0; number < count; number++) {
                    String value = "go " + attempts.incrementAndGet();
                    Optional<Long> step = go.commits(destination.table, value);
                    step.ifPresent(made -> {
                        claim(made, value);
                        byGo.incrementAndGet();
                    });
                }
                if (count > 0 && random.nextBoolean()) {
                    go.takes(Duration.ZERO);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(20)));
            }
        }
        return null;
    }

    private void claim(long step, String value) {
        assertThat(claims.putIfAbsent(step, value))
                .as("step %d made by %s was already made by", step, value)
                .isNull();
    }

    private Void watch(long end) {
        try (TableSession session = new TableSession(new Calls(destination.transport))) {
            Position last = Position.ZERO;
            while (System.nanoTime() < end) {
                var read = session.execute(
                        "SELECT step_id, tx_id FROM " + destination.stateTable.quoted() + " WHERE id = 'inst'",
                        Map.of(),
                        TableSession.beginAndCommit(),
                        Duration.ofSeconds(1));
                if (read.isSuccess()) {
                    ResultRow row =
                            ResultRow.first(read.getValue().getResultSets(0)).orElseThrow();
                    Position now = Proof.position(row, "step_id", "tx_id");
                    assertThat(now).isNotNull().isGreaterThanOrEqualTo(last);
                    last = now == null ? last : now;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            }
        }
        return null;
    }

    /** Late commits may still be on their way for a moment; afterwards nothing may have changed hands. */
    private void verify() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(150));
        Position checkpoint = destination.checkpoint();
        assertThat(checkpoint).isNotNull();
        Map<Long, ?> rows = allRows();
        assertThat(rows.keySet()).hasSize((int) (checkpoint == null ? -1 : checkpoint.step()));
        claims.forEach(
                (step, value) -> assertThat(rows.get(step)).as("row %d", step).isEqualTo(value));
        assertThat(byUs.get()).as("steps by us").isPositive();
        assertThat(byGo.get()).as("steps by the Go program").isPositive();
    }

    private Map<Long, String> allRows() {
        Map<Long, String> rows = new ConcurrentHashMap<>();
        long after = 0;
        for (int page = 1_000; page == 1_000; ) {
            List<ResultRow> read = ResultRow.all(destination
                    .query("SELECT k, v FROM $TABLE WHERE k > " + after + "ul ORDER BY k LIMIT 1000")
                    .getResultSets(0));
            for (ResultRow row : read) {
                Long key = row.number("k");
                String value = row.text("v");
                assertThat(key).isNotNull();
                assertThat(value).isNotNull();
                rows.put(key == null ? 0 : key, value == null ? "" : value);
                after = key == null ? after : key;
            }
            page = read.size();
        }
        return rows;
    }
}
