package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.table.RowWrite;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("While every transaction of the destination takes long")
class SlowDestinationTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final Duration COMMIT = Duration.ofMillis(700);
    private static final int SLOW_COMMITS = 8;
    /** Together several times what the budget holds. */
    private static final int ROWS = 1_500;

    private static final int ROWS_AT_ONCE = 50;
    /** As the feeds of a scene promise them. */
    private static final Duration BARRIERS = Duration.ofSeconds(1);

    private static final String PAYLOAD = "x".repeat(10_000);
    private static final int HEAP_MIB = 96;
    /** What a Java process has beside its heap: code, threads, buffers of the network. */
    private static final int BESIDE_HEAP_MIB = 192;

    private Scene scene;
    private Pages pages;
    private ReplicatorProcess replicator;

    /** One look at the process. */
    private record Look(long buffered, long budget, long read, long applied, double residentMib) {}

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        scene.oneTable(2);
        pages = Pages.of(scene);
        scene.heap(HEAP_MIB + "m");
        replicator = scene.start(
                "memory: 2MiB", "transaction_bytes: 256KiB", "transaction_bytes_max: 1MiB", "read_credit: 256KiB");
        scene.write("UPSERT INTO t (k, v) VALUES (0, 'first');");
        scene.settle();
    }

    @Test
    @DisplayName("the replicator reads no faster than it applies, in bounded memory, and catches up afterwards")
    void readsNoFasterThanItApplies() throws IOException {
        scene.emulator
                .faults()
                .add(FaultRule.of(Fault.COMMIT_SLOW)
                        .at(Scene.DESTINATION + "/t")
                        .during(Operation.COMMIT)
                        .withDelay(COMMIT));
        writeAll();
        List<Look> looks = new ArrayList<>();
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(200)).until(() -> {
            looks.add(look());
            return scene.emulator.faults().fired(Fault.COMMIT_SLOW) >= SLOW_COMMITS;
        });
        Look last = looks.get(looks.size() - 1);
        scene.emulator.faults().clear();
        scene.settle();
        System.out.printf(
                "of %d rows %d were read and %d applied by %d slow transactions; buffered up to %d bytes of %d; resident %.0f MiB%n",
                ROWS,
                last.read(),
                last.applied(),
                SLOW_COMMITS,
                looks.stream().mapToLong(Look::buffered).max().orElseThrow(),
                last.budget(),
                looks.stream().mapToDouble(Look::residentMib).max().orElseThrow());

        assertThat(looks)
                .allSatisfy(look -> assertThat(look.buffered()).isLessThanOrEqualTo(look.budget()))
                .allSatisfy(look -> assertThat(look.residentMib()).isLessThan(HEAP_MIB + BESIDE_HEAP_MIB));
        assertThat(last.applied()).as("it goes on meanwhile").isPositive();
        assertThat(last.read() - last.applied())
                .as("rows read ahead; as many as the budget and what is on its way can hold")
                .isLessThan(ROWS / 4);
        assertThat(last.read()).as("rows read at all").isLessThan(ROWS / 2);
        String select = "SELECT k, v FROM t;";
        assertThat(scene.destination.read(select))
                .hasSize(1 + ROWS)
                .containsExactlyInAnyOrderElementsOf(scene.source.read(select));
    }

    private Look look() throws IOException {
        JsonNode page = pages.status();
        return new Look(
                page.path("memory").path("bufferedBytes").asLong(),
                page.path("memory").path("budgetBytes").asLong(),
                page.path("totals").path("records").asLong(),
                page.path("totals").path("changes").asLong(),
                replicator.residentMib());
    }

    /** Spread over the shards, in transactions with a barrier between each two. */
    private void writeAll() {
        long spread = Long.divideUnsigned(-1L, ROWS + 1);
        for (long first = 1; first <= ROWS; first += ROWS_AT_ONCE) {
            scene.write(
                    "t",
                    LongStream.range(first, first + ROWS_AT_ONCE)
                            .mapToObj(i -> row(i * spread))
                            .toList());
            scene.emulator.database(Scene.SOURCE).jumpClock(BARRIERS.toMillis());
        }
    }

    private static RowWrite row(long key) {
        return new RowWrite(RowWrite.Kind.UPSERT, List.of(key), new int[] {1}, new Object[] {PAYLOAD + key});
    }
}
