package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tech.ydb.table.query.Params;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("What is dropped under a running replication is named, or made again")
class LostObjectsTest {
    private static final int FATAL = 5;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    private Scene scene;

    @BeforeEach
    void begin() {
        scene = Scene.replicating(folder, 2, 1);
    }

    @AfterEach
    void end() {
        scene.close();
    }

    private void stops(String... words) {
        assertThat(scene.fatalError(Scene.SOON)).contains(words);
    }

    private void goesOn() {
        scene.write("UPSERT INTO t (k, v) VALUES (3, 'three');");
        scene.settle();
        String select = "SELECT * FROM t;";
        assertThat(scene.destination.read(select)).containsExactlyInAnyOrderElementsOf(scene.source.read(select));
    }

    @Test
    @DisplayName("a changefeed: FATAL_ERROR")
    void changefeed() {
        scene.source.define("ALTER TABLE t DROP CHANGEFEED feed;");
        stops("t/feed");
    }

    @Test
    @DisplayName("a source table: FATAL_ERROR")
    void sourceTable() {
        scene.source.define("DROP TABLE t;");
        stops("t/feed");
    }

    @Test
    @DisplayName("a destination table: FATAL_ERROR at the next change of it")
    void destinationTable() {
        scene.destination.define("DROP TABLE t;");
        scene.write("UPSERT INTO t (k, v) VALUES (3, 'three');");
        stops("/destination/t");
    }

    @Test
    @DisplayName("the state row: made again")
    void stateRow() {
        scene.destination.write("DELETE FROM state WHERE id = 'scene';", Params.empty());
        goesOn();
    }

    @Test
    @DisplayName("the instance row: made again")
    void instanceRow() {
        scene.destination.write("DELETE FROM state_instances WHERE id = 'scene';", Params.empty());
        goesOn();
    }

    @Test
    @DisplayName("the state table: made again")
    void stateTable() {
        scene.destination.define("DROP TABLE state;");
        goesOn();
    }

    @Test
    @DisplayName("a table of ours beside it: made again")
    void instanceTable() {
        scene.destination.define("DROP TABLE state_instances;");
        goesOn();
    }

    @Test
    @DisplayName("everything, by an empty server at the same address: FATAL_ERROR")
    void everything() {
        int port = scene.emulator.port();
        scene.loseServer();
        try (Scene empty = new Scene(folder, port)) {
            assertThat(scene.exitCode(LIMIT)).isEqualTo(FATAL);
            assertThat(empty.state("last_msg")).contains("t/feed");
        }
    }
}
