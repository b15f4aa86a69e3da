package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A source and a destination in one database")
class OneDatabaseTest {
    private static final String COLUMNS = "k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)";

    @TempDir
    private Path folder;

    private static void tables(Scene scene, String name) {
        scene.source.define("CREATE TABLE `from/" + name + "` (" + COLUMNS + ") WITH (UNIFORM_PARTITIONS = 2);");
        scene.destination.define("CREATE TABLE `to/" + name + "` (" + COLUMNS + ");");
        scene.stream("from/" + name, "to/" + name, "UPDATES", false);
    }

    private static void equal(Scene scene, String name, int rows) {
        assertThat(scene.destination.read("SELECT k, v FROM `to/" + name + "`;"))
                .hasSize(rows)
                .containsExactlyInAnyOrderElementsOf(scene.source.read("SELECT k, v FROM `from/" + name + "`;"));
    }

    @Test
    @DisplayName("are kept in step, over a restart too, and the copies' own changes go nowhere")
    void isCopied() {
        try (Scene scene = Scene.inOneDatabase(folder)) {
            tables(scene, "goods");
            tables(scene, "orders");
            scene.start();
            scene.write("UPSERT INTO `from/goods` (k, v) VALUES (1, 'one'), (2, 'two'), (9000000000000000000ul, 'far');"
                    + " UPSERT INTO `from/orders` (k, v) VALUES (1, 'first');");
            scene.settle();
            equal(scene, "goods", 3);
            equal(scene, "orders", 1);
            scene.stop();
            scene.write("DELETE FROM `from/goods` WHERE k = 1ul;");
            scene.write("REPLACE INTO `from/orders` (k) VALUES (1);");
            scene.start();
            scene.settle();
            equal(scene, "goods", 2);
            equal(scene, "orders", 1);
            assertThat(scene.state("state")).isEqualTo("OK");
        }
    }
}
