package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.topic.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.PrimitiveValue;

@WithScene
@Tag("slow")
@DisplayName("A backlog far beyond the memory budget is caught up with")
class BacklogTest {
    private static final List<String> TABLES = List.of("a", "b");
    /** Written as fast as it goes, so that far more than the budget lies between two barriers. */
    private static final int TRANSACTIONS = 300;

    private static final int SMALL = 50_000;

    private static final int MANY = 1_200_000;
    private static final int MANY_AT_ONCE = 100;
    /** Changes that a transaction aims at by default. */
    private static final int FULL = 10_000;

    private static final Duration LONG = Duration.ofMinutes(4);

    private static final int ROWS = 20;
    private static final String PAYLOAD = "x".repeat(1_500);

    private final Random random = new Random(11);
    private Scene scene;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        for (String table : TABLES) {
            scene.table(
                    table,
                    "k Uint32 NOT NULL, v Utf8, n Uint32, PRIMARY KEY (k)",
                    " WITH (UNIFORM_PARTITIONS = 3)",
                    "UPDATES");
        }
    }

    @Test
    @DisplayName("though the topics' partitions split and merge within it")
    void splitsAndMerges() {
        scene.start();
        write(10, 0);
        scene.settle();
        scene.stop();
        write(TRANSACTIONS, 15);
        scene.start(
                "memory: 1MiB", "transaction_bytes: 100KiB", "transaction_bytes_max: 400KiB", "read_credit: 256KiB");
        write(TRANSACTIONS / 4, 15);
        scene.settle();
        equal("k, n, Len(v) AS l");
    }

    @Test
    @DisplayName("in full transactions, though it came in 50,000 of one row each")
    void manySmallOnes() {
        scene.start();
        write(1, 0);
        scene.settle();
        scene.stop();
        long commits = commits();
        for (int i = 0; i < SMALL; i++) {
            writeSmall(TABLES.get(i % TABLES.size()), 1, i);
        }
        long began = System.nanoTime();
        scene.start("transaction_rows: 5000");
        scene.settle();
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        commits = commits() - commits;
        System.out.printf("%d transactions of one row were applied in %d, within %d s%n", SMALL, commits, seconds);
        assertThat(commits).isLessThanOrEqualTo(SMALL / 5_000 + 2 * seconds); // a barrier a second, and some to spare
        equal("k, n");
    }

    @Test
    @DisplayName("in full transactions, though it is more than a million records")
    void moreThanAMillion() {
        scene.start();
        write(1, 0);
        scene.settle();
        scene.stop();
        long commits = commits();
        for (int i = 0; i < MANY / MANY_AT_ONCE; i++) {
            writeSmall(TABLES.get(i % TABLES.size()), MANY_AT_ONCE, i);
        }
        long began = System.nanoTime();
        scene.start();
        scene.settleAbove(scene.now(), LONG);
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        commits = commits() - commits;
        System.out.printf("%d records were applied in %d transactions, within %d s%n", MANY, commits, seconds);
        assertThat(commits).isLessThanOrEqualTo(MANY / FULL + 2 * seconds); // a barrier a second, and some to spare
        equal("k, n");
    }

    private void writeSmall(String table, int rows, int value) {
        scene.write(table, Stream.generate(() -> small(value)).limit(rows).toList());
    }

    private RowWrite small(int value) {
        return new RowWrite(
                RowWrite.Kind.UPSERT, List.of(random.nextInt(20_000) * 200_000L), new int[] {2}, new Object[] {
                    (long) value
                });
    }

    private long commits() {
        return Long.parseLong(Scene.plain(scene.destination
                .read("SELECT commit_seq AS v FROM state_instances WHERE id = 'scene';")
                .get(0)
                .text("v")));
    }

    private void equal(String columns) {
        for (String table : TABLES) {
            String select = "SELECT " + columns + " FROM " + table + ";";
            assertThat(scene.destination.read(select))
                    .as(table)
                    .containsExactlyInAnyOrderElementsOf(scene.source.read(select));
        }
    }

    private void write(int transactions, int reshapeEvery) {
        for (int i = 0; i < transactions; i++) {
            String table = TABLES.get(i * 7 / 100 % TABLES.size());
            int number = i;
            String rows = IntStream.range(0, ROWS)
                    .mapToObj(r -> "(" + random.nextInt(5_000) * 800_000L + "u, $v, " + number + "u)")
                    .collect(Collectors.joining(", "));
            scene.source.write(
                    "DECLARE $v AS Utf8; UPSERT INTO " + table + " (k, v, n) VALUES " + rows + ";",
                    Params.of("$v", PrimitiveValue.newText(PAYLOAD)));
            if (reshapeEvery > 0 && i % reshapeEvery == reshapeEvery - 1) {
                reshape(scene.topic(table));
            }
        }
    }

    /** Splits any partition, or merges the children of the last split. */
    private void reshape(Topic topic) {
        scene.emulator.database(Scene.SOURCE).standingStill(() -> {
            List<Integer> active = topic.activePartitions();
            int newest = active.get(active.size() - 1);
            List<Integer> parents = topic.partition(newest).parents();
            if (random.nextBoolean()
                    && parents.size() == 1
                    && topic.partition(newest - 1).active()) {
                topic.merge(newest - 1, newest);
            } else {
                topic.split(active.get(random.nextInt(active.size())), null);
            }
        });
    }
}
