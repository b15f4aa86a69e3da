package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.junit.KnownSecrets;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every replicator has a user of its own, so that the destination can tell whose a commit is. Each transaction of the
 * source writes the same key into two tables.
 */
@DisplayName("While a workload runs, and measured in multiples of the lock's time to live")
class TakeoverBoundsTest {
    private static final Duration TTL = Scene.HEARTBEAT.multipliedBy(2);

    /** Longest pause between two renewals by the holder, and between two looks by a waiter. */
    private static final double PERIOD = 0.2;

    /** What the calls take, on a machine that several replicators share with this test. */
    private static final double CALLS = 0.1;

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final List<String> TABLES = List.of("goods", "stock");
    private static final String FIRST = "anna";
    private static final String SECOND = "bert";
    private static final String THIRD = "cleo";

    @TempDir
    private Path folder;

    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
    private Scene scene;
    private CommitLog commits;
    private ScheduledFuture<?> workload;
    private int key;
    private int standbys;

    @BeforeEach
    void begin() {
        YdbEmulator.Builder builder = YdbEmulator.builder().token("scene", "root@builtin");
        List.of(FIRST, SECOND, THIRD).forEach(user -> builder.token(token(user), user));
        scene = new Scene(folder, builder, "scene");
        for (String table : TABLES) {
            scene.table(
                    table, "k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)", " WITH (UNIFORM_PARTITIONS = 2)", "UPDATES");
        }
        commits = CommitLog.of(scene.emulator.database(Scene.DESTINATION));
        workload = writer.scheduleWithFixedDelay(this::write, 0, 10, TimeUnit.MILLISECONDS);
    }

    @AfterEach
    void end() {
        writer.shutdownNow();
        scene.close();
    }

    private void write() {
        key++;
        scene.write("UPSERT INTO goods (k, v) VALUES (" + key + ", 'x'); UPSERT INTO stock (k, v) VALUES (" + key
                + ", 'x');");
    }

    private static String token(String user) {
        return KnownSecrets.secret("token-of-" + user);
    }

    // ---- who runs

    private ReplicatorProcess active(String user, Duration clockAhead) {
        ReplicatorProcess started = start(user, clockAhead);
        scene.settle();
        return started;
    }

    private ReplicatorProcess standby(String user, Duration clockAhead) {
        ReplicatorProcess started = start(user, clockAhead);
        anotherStandsBy();
        return started;
    }

    private void anotherStandsBy() {
        standbys++;
        await().atMost(LIMIT)
                .until(() -> scene.log()
                                .lines()
                                .filter(line -> line.contains("standing by"))
                                .count()
                        >= standbys);
    }

    private ReplicatorProcess start(String user, Duration clockAhead) {
        scene.authenticate("src_static_token: \"" + token(user) + "\"\ndst_static_token: \"" + token(user) + "\"\n");
        return clockAhead.isZero() ? scene.start() : scene.start(SkewedReplicator.program(clockAhead));
    }

    // ---- what is measured

    /** The first version of the lock that has another owner than at that moment. */
    private CommitLog.Entry takeover(long since) {
        String before = lastLock(since).owner();
        return await().atMost(LIMIT)
                .until(() -> commits.firstLock(since, lock -> !lock.owner().equals(before)), Optional::isPresent)
                .orElseThrow();
    }

    private CommitLog.Lock lastLock(long until) {
        return commits.lastLock(until).flatMap(CommitLog.Entry::lock).orElseThrow();
    }

    private static double multiples(long fromNanos, long toNanos, String what) {
        double multiples = (double) (toNanos - fromNanos) / TTL.toNanos();
        System.out.printf("%s after %.2f times the lock's time to live%n", what, multiples);
        return multiples;
    }

    /**
     * Not before, and soon after. By the server's clock, which alone counts: its deadline less the time to live is when it was
     * taken.
     */
    private CommitLog.Entry takeoverWhenTheLockHasRunOut(long since, String signal) {
        CommitLog.Entry takeover = takeover(since);
        assertThat(multiples(since, takeover.nanos(), signal + ": taken over")).isLessThanOrEqualTo(1 + PERIOD + CALLS);
        long takenMicros =
                takeover.lock().orElseThrow().deadlineMicros() - TimeUnit.NANOSECONDS.toMicros(TTL.toNanos());
        assertThat(takenMicros)
                .isGreaterThanOrEqualTo(lastLock(takeover.nanos() - 1).deadlineMicros());
        return takeover;
    }

    /** As its last holder left it, the replica is the source at the checkpoint. */
    private void nothingIsHalfDone(CommitLog.Entry takeover) {
        Database destination = scene.emulator.database(Scene.DESTINATION);
        Map<List<@Nullable Object>, List<@Nullable Object>> state =
                destination.rowsBelow(Scene.DESTINATION + "/state", takeover.at());
        List<@Nullable Object> row = state.get(List.of("scene"));
        var schema = destination.describeTable(Scene.DESTINATION + "/state").schema();
        VirtualTimestamp checkpoint = new VirtualTimestamp(
                (Long) row.get(schema.indexOf("step_id")), (Long) row.get(schema.indexOf("tx_id")));
        assertThat(row.get(schema.indexOf("stage"))).isEqualTo("RUN");
        for (String table : TABLES) {
            assertThat(destination.rowsBelow(Scene.DESTINATION + "/" + table, takeover.at()))
                    .as("%s at checkpoint %s", table, checkpoint)
                    .isNotEmpty()
                    .isEqualTo(scene.emulator.database(Scene.SOURCE).rowsBelow(Scene.SOURCE + "/" + table, checkpoint));
        }
    }

    private void replicaComesToEqualTheSource() {
        assertThat(workload.isDone()).as("the workload was refused").isFalse();
        workload.cancel(false);
        CompletableFuture.runAsync(() -> {}, writer).join(); // a transaction that is under way
        scene.settle();
        for (String table : TABLES) {
            String select = "SELECT k, v FROM " + table + ";";
            assertThat(scene.destination.read(select)).containsExactlyInAnyOrderElementsOf(scene.source.read(select));
        }
    }

    // ---- the bounds

    @Test
    @DisplayName("SIGTERM hands over within one renewal period, with code 0 and nothing half done")
    void terminated() {
        ReplicatorProcess first = active(FIRST, Duration.ZERO);
        standby(SECOND, Duration.ZERO);
        scene.dismiss(first);
        long asked = System.nanoTime();
        int code = first.terminate();
        CommitLog.Entry takeover = takeover(asked);
        assertThat(code).isZero();
        assertThat(multiples(asked, takeover.nanos(), "SIGTERM: handed over")).isLessThanOrEqualTo(PERIOD + CALLS);
        nothingIsHalfDone(takeover);
        replicaComesToEqualTheSource();
    }

    @Test
    @DisplayName("SIGKILL passes the lock on within 1.2, and not before it has run out")
    void killed() {
        killed(Duration.ZERO, Duration.ZERO);
    }

    @Tag("slow")
    @ParameterizedTest(name = "{0} h, and the standby''s by as much the other way")
    @ValueSource(longs = {1, -1})
    @DisplayName("the same holds when the holder's clock is wrong by")
    void killedWithAWrongClock(long hours) {
        killed(HOUR.multipliedBy(hours), HOUR.multipliedBy(-hours));
    }

    private void killed(Duration holderAhead, Duration standbyAhead) {
        ReplicatorProcess first = active(FIRST, holderAhead);
        standby(SECOND, standbyAhead);
        scene.dismiss(first);
        long killed = System.nanoTime();
        first.kill();
        CommitLog.Entry takeover = takeoverWhenTheLockHasRunOut(killed, "SIGKILL");
        nothingIsHalfDone(takeover);
        replicaComesToEqualTheSource();
    }

    @Test
    @DisplayName("a process frozen for longer than 1 commits nothing afterwards, not even what was on its way")
    void frozen() {
        frozen(Duration.ZERO, Duration.ZERO);
    }

    @Tag("slow")
    @ParameterizedTest(name = "{0} h, and the standby''s by as much the other way")
    @ValueSource(longs = {1, -1})
    @DisplayName("the same holds when the frozen one's clock is wrong by")
    void frozenWithAWrongClock(long hours) {
        frozen(HOUR.multipliedBy(hours), HOUR.multipliedBy(-hours));
    }

    private void frozen(Duration frozenAhead, Duration standbyAhead) {
        ReplicatorProcess first = active(FIRST, frozenAhead);
        standby(SECOND, standbyAhead);
        Duration onItsWay = TTL.multipliedBy(3).dividedBy(2);
        scene.emulator
                .faults()
                .add(FaultRule.of(Fault.COMMIT_SLOW)
                        .inDatabase(Scene.DESTINATION)
                        .at(Scene.DESTINATION + "/goods")
                        .during(Operation.COMMIT)
                        .withDelay(onItsWay)
                        .times(1));
        await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> scene.emulator.faults().fired(Fault.COMMIT_SLOW) == 1);
        long stopped = System.nanoTime();
        first.freeze();
        CommitLog.Entry takeover = takeoverWhenTheLockHasRunOut(stopped, "SIGSTOP");
        long late = stopped + onItsWay.plus(Scene.HEARTBEAT).toNanos();
        await().atMost(LIMIT).until(() -> System.nanoTime() - late >= 0);
        first.thaw();
        anotherStandsBy();
        scene.settle();
        assertThat(commits.since(takeover.nanos()))
                .extracting(CommitLog.Entry::user)
                .contains(SECOND)
                .doesNotContain(FIRST);
        nothingIsHalfDone(takeover);
        replicaComesToEqualTheSource();
        assertThat(first.alive()).isTrue();
    }

    @Test
    @DisplayName("two that wait write nothing for 1.5, and of them one writes when the lock is free")
    void waiting() {
        ReplicatorProcess first = active(FIRST, Duration.ZERO);
        standby(SECOND, Duration.ZERO);
        standby(THIRD, Duration.ZERO);
        long end = System.nanoTime() + TTL.multipliedBy(3).dividedBy(2).toNanos();
        await().atMost(LIMIT).until(() -> System.nanoTime() - end >= 0);
        scene.dismiss(first);
        long asked = System.nanoTime();
        first.terminate();
        CommitLog.Entry takeover = takeover(asked);
        List<String> writersBefore = commits.entries().stream()
                .filter(entry -> entry.nanos() - takeover.nanos() < 0)
                .map(CommitLog.Entry::user)
                .distinct()
                .toList();
        assertThat(writersBefore).contains(FIRST).doesNotContain(SECOND, THIRD);
        replicaComesToEqualTheSource();
        assertThat(commits.since(takeover.nanos()).stream()
                        .map(CommitLog.Entry::user)
                        .distinct())
                .containsExactly(takeover.user());
    }
}
