package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.aardappel.emulator.model.table.RowWrite;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@WithScene
@Tag("slow")
@DisplayName("A partition that is silent for an hour behind a full-speed feed")
class SilentPartitionTest {
    private static final List<String> TABLES = List.of("quiet", "busy");
    private static final int PARTITIONS = 4;
    private static final int MINUTES = 60;
    /** Of the hour; what is buffered by then is all that ever will be. */
    private static final int FILLED_AFTER = 20;

    private static final int ROWS_A_MINUTE = 10_000;
    private static final int ROWS_AT_ONCE = 50;
    private static final int KEYS = 20_000;
    private static final String PAYLOAD = "x".repeat(150);
    private static final int HEAP_MIB = 192;
    /** What a Java process has beside its heap: code, threads, buffers of the network. */
    private static final int BESIDE_HEAP_MIB = 192;

    private static final Duration LONG = Duration.ofMinutes(3);

    private final Random random = new Random(3);
    private Scene scene;
    private ReplicatorProcess replicator;
    private Pages pages;

    /** One look at the process. */
    private record Look(long buffered, long budget, double residentMib, long records, Map<String, Long> offsets) {}

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        for (String table : TABLES) {
            scene.table(
                    table,
                    "k Uint32 NOT NULL, v Utf8, n Uint32, PRIMARY KEY (k)",
                    " WITH (UNIFORM_PARTITIONS = " + PARTITIONS + ")",
                    "UPDATES");
        }
        pages = Pages.of(scene);
        scene.heap(HEAP_MIB + "m");
        replicator = scene.start();
        write("quiet", 100, 0);
        write("busy", 100, 0);
        scene.settle();
    }

    @Test
    @DisplayName("makes nothing grow and nobody lose his place, and when it speaks everything is applied")
    void anHour() throws IOException {
        String feed = Scene.SOURCE + "/quiet/feed";
        scene.emulator.feedKnobs(feed).silencePartition(0);
        List<Look> looks = new ArrayList<>();
        for (int minute = 1; minute <= MINUTES; minute++) {
            write("quiet", ROWS_AT_ONCE, minute);
            write("busy", ROWS_A_MINUTE, minute);
            scene.emulator
                    .database(Scene.SOURCE)
                    .jumpClock(Duration.ofMinutes(1).toMillis());
            looks.add(look());
        }
        scene.emulator.feedKnobs(feed).delayPartition(0, 0);
        scene.settleAbove(scene.now(), LONG);
        Look last = look();
        System.out.printf(
                "budget %d bytes, buffered up to %d; resident %.0f MiB when full, %.0f at the end; %d records read of %d%n",
                last.budget(),
                looks.stream().mapToLong(Look::buffered).max().orElseThrow(),
                resident(looks.subList(0, FILLED_AFTER)),
                resident(looks.subList(FILLED_AFTER, MINUTES)),
                last.records(),
                MINUTES * ROWS_A_MINUTE);

        assertThat(looks.get(MINUTES - 1).buffered())
                .as("behind the silence the budget fills")
                .isGreaterThan(last.budget() / 2);
        assertThat(looks).allSatisfy(look -> assertThat(look.buffered()).isLessThanOrEqualTo(look.budget()));
        assertThat(resident(looks)).isLessThan(HEAP_MIB + BESIDE_HEAP_MIB);
        assertThat(resident(looks.subList(FILLED_AFTER, MINUTES)))
                .as("nothing grows once the budget is full")
                .isLessThan(1.2 * resident(looks.subList(0, FILLED_AFTER)));
        for (int i = 1; i < MINUTES; i++) {
            Map<String, Long> before = looks.get(i - 1).offsets();
            assertThat(looks.get(i).offsets())
                    .as("minute " + i)
                    .hasSize(TABLES.size() * PARTITIONS)
                    .allSatisfy((partition, offset) -> assertThat(offset)
                            .as(partition)
                            .isGreaterThanOrEqualTo(before.getOrDefault(partition, 0L)));
        }
        for (String table : TABLES) {
            assertThat(scene.destination.read("SELECT k, n FROM " + table + ";"))
                    .as(table)
                    .containsExactlyInAnyOrderElementsOf(scene.source.read("SELECT k, n FROM " + table + ";"));
        }
    }

    private static double resident(List<Look> looks) {
        return looks.stream().mapToDouble(Look::residentMib).max().orElseThrow();
    }

    private Look look() throws IOException {
        JsonNode page = pages.status();
        Map<String, Long> offsets = new TreeMap<>();
        for (JsonNode stream : page.path("streams")) {
            for (JsonNode partition : stream.path("partitions")) {
                offsets.put(
                        stream.path("topic").asText() + " "
                                + partition.path("partition").asInt(),
                        partition.path("nextOffset").asLong());
            }
        }
        return new Look(
                page.path("memory").path("bufferedBytes").asLong(),
                page.path("memory").path("budgetBytes").asLong(),
                replicator.residentMib(),
                page.path("totals").path("records").asLong(),
                offsets);
    }

    /** Without queries, as fast as the source takes it. */
    private void write(String table, int rows, int value) {
        for (int written = 0; written < rows; written += ROWS_AT_ONCE) {
            scene.write(
                    table, Stream.generate(() -> row(value)).limit(ROWS_AT_ONCE).toList());
        }
    }

    private RowWrite row(int value) {
        return new RowWrite(
                RowWrite.Kind.UPSERT, List.of(random.nextInt(KEYS) * 200_000L), new int[] {1, 2}, new Object[] {
                    PAYLOAD, (long) value
                });
    }
}
