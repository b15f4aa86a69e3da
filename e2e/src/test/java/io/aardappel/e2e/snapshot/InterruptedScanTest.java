package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.model.topic.Topic;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tech.ydb.table.query.Params;

@WithScene
@Tag("slow")
@DisplayName("An initial scan ends in a true copy")
class InterruptedScanTest {
    private static final int ROWS = 6_000;
    private static final int KILLS = 3;

    private final Random random = new Random(7);
    private Scene scene;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
    }

    @Test
    @DisplayName("of a table that is written and whose topic splits, though replicators are killed while they scan")
    void killedAndSplit() {
        String columns = "k Uint64 NOT NULL, v Utf8, n Int64, PRIMARY KEY (k)";
        scene.source.define("CREATE TABLE t (" + columns + ") WITH (UNIFORM_PARTITIONS = 4);");
        scene.destination.define("CREATE TABLE t (" + columns + ");");
        for (int from = 0; from < ROWS; from += 500) {
            scene.write("UPSERT INTO t SELECT CAST(x AS Uint64) * 3000000000000000ul AS k, CAST(x AS Utf8) AS v,"
                    + " CAST(x AS Int64) AS n FROM AS_TABLE(ListMap(ListFromRange(" + from + ", " + (from + 500)
                    + "), ($x) -> (AsStruct($x AS x))));");
        }
        scene.stream("t", "t", "UPDATES", true);
        scene.emulator.feedKnobs(Scene.SOURCE + "/t/feed").setScanRowsPerTick(2);
        for (int kill = 0; kill < KILLS; kill++) {
            scene.start("transaction_rows: 100");
            int before = copied();
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                change();
                return copied() > before;
            });
            split();
            for (int i = 0; i < 40; i++) {
                change();
            }
            assertThat(scene.state("stage")).isEqualTo("INITIAL_SCAN");
            scene.kill();
        }
        scene.emulator.feedKnobs(Scene.SOURCE + "/t/feed").setScanRowsPerTick(500);
        scene.start("transaction_rows: 100");
        for (int i = 0; i < 100; i++) {
            change();
        }
        scene.settle();
        scene.assertCopied("SELECT * FROM t;");
    }

    private int copied() {
        return scene.destination.read("SELECT k FROM t;").size();
    }

    private void split() {
        Topic topic = scene.topic("t");
        scene.emulator
                .database(Scene.SOURCE)
                .standingStill(() -> topic.split(
                        topic.activePartitions()
                                .get(random.nextInt(topic.activePartitions().size())),
                        null));
    }

    private void change() {
        String key = random.nextInt(ROWS) + "ul * 3000000000000000ul";
        scene.source.write(
                switch (random.nextInt(4)) {
                    case 0 -> "DELETE FROM t WHERE k = " + key + ";";
                    case 1 -> "UPDATE t SET v = 'changed" + random.nextInt(1_000) + "' WHERE k = " + key + ";";
                    case 2 -> "UPSERT INTO t (k, n) VALUES (" + key + ", " + random.nextInt() + "l);";
                    default -> "REPLACE INTO t (k, v) VALUES (" + key + ", 'replaced');";
                },
                Params.empty());
    }
}
