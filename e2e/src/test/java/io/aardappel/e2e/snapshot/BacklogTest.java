package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.topic.Topic;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.PrimitiveValue;

@Tag("slow")
@DisplayName("A backlog far beyond the memory budget is caught up with")
class BacklogTest {
    private static final List<String> TABLES = List.of("a", "b");
    /** Written as fast as it goes, so that far more than the budget lies between two barriers. */
    private static final int TRANSACTIONS = 300;

    private static final int ROWS = 20;
    private static final String PAYLOAD = "x".repeat(1_500);

    @TempDir
    private Path folder;

    private final Random random = new Random(11);
    private Scene scene;

    @BeforeEach
    void begin() {
        scene = new Scene(folder);
        for (String table : TABLES) {
            scene.table(
                    table,
                    "k Uint32 NOT NULL, v Utf8, n Uint32, PRIMARY KEY (k)",
                    " WITH (UNIFORM_PARTITIONS = 3)",
                    "UPDATES");
        }
    }

    @AfterEach
    void end() {
        scene.close();
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
        for (String table : TABLES) {
            String select = "SELECT k, n, Len(v) AS l FROM " + table + ";";
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
