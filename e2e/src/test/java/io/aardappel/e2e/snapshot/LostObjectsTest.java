package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
@DisplayName("What is dropped is named, or made again")
class LostObjectsTest {
    private static final int FATAL = 5;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static final String FEED_IS_GONE =
            "Check that /source/t/feed exists in the source and that the reader may read it;"
                    + " a feed that is made anew has no past, so that its stream must be brought in anew";

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

    /** @param words reason, place and remedy */
    private void stops(String... words) {
        assertThat(scene.fatalError(Scene.SOON)).contains(words);
    }

    private void goesOn() {
        scene.write("UPSERT INTO t (k, v) VALUES (3, 'three');");
        scene.settle();
        scene.assertCopied("SELECT * FROM t;");
    }

    @Test
    @DisplayName("a changefeed: FATAL_ERROR")
    void changefeed() {
        scene.source.define("ALTER TABLE t DROP CHANGEFEED feed;");
        stops("SOURCE_FAILED: ", "t/feed", "SCHEME_ERROR", FEED_IS_GONE);
    }

    @Test
    @DisplayName("a source table: FATAL_ERROR")
    void sourceTable() {
        scene.source.define("DROP TABLE t;");
        stops("SOURCE_FAILED: ", "t/feed", "SCHEME_ERROR", FEED_IS_GONE);
    }

    @Test
    @DisplayName("a destination table: FATAL_ERROR at the next change of it")
    void destinationTable() {
        scene.destination.define("DROP TABLE t;");
        scene.write("UPSERT INTO t (k, v) VALUES (3, 'three');");
        stops(
                "DESTINATION_FAILED: ",
                "/destination/t",
                "SCHEME_ERROR",
                "Compare the destination tables with the source's",
                "then set state to OK");
    }

    @Test
    @DisplayName("a destination table, made anew while nobody replicated: told by the check and by the next start")
    void destinationTableWhileNobodyReplicated() throws Exception {
        scene.stop();
        assertThat(scene.command("--check").text()).doesNotContain("made anew");
        scene.destination.define("DROP TABLE t;");
        scene.destination.define("CREATE TABLE t (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k));");
        scene.destination.write("UPSERT INTO t (k, v) VALUES (9, 'by somebody');", Params.empty());

        String told = "WARNING /destination/t: it was made anew since stream /source/t/feed was recorded with it";
        assertThat(scene.command("--check").text()).contains(told, "bring-a-stream-in-anew.md");
        scene.start();
        scene.write("UPSERT INTO t (k, v) VALUES (3, 'three');");
        scene.settle();
        assertThat(scene.log()).contains("preflight: " + told);
        assertThat(scene.rows()).containsExactly("3 three", "9 by somebody");
    }

    @Test
    @DisplayName("a destination table, made anew while a standby waited: told by that when it has taken over")
    void destinationTableWhileAStandbyWaited() {
        scene.stop();
        ReplicatorProcess holder = scene.start();
        scene.write("UPSERT INTO t (k, v) VALUES (3, 'three');");
        scene.settle();
        scene.start();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(scene.log()).contains("waiting for the lock"));
        scene.destination.define("DROP TABLE t;");
        scene.destination.define("CREATE TABLE t (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k));");
        scene.destination.write("UPSERT INTO t (k, v) VALUES (9, 'by somebody');", Params.empty());

        scene.dismiss(holder);
        holder.kill();

        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(scene.log()
                                .lines()
                                .filter(line -> line.contains("preflight: WARNING /destination/t: it was made anew")))
                        .singleElement()
                        .asString()
                        .contains("\"mode\":\"active\""));
        scene.write("UPSERT INTO t (k, v) VALUES (4, 'four');");
        scene.settle();
        assertThat(scene.rows()).containsExactly("4 four", "9 by somebody");
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
            assertThat(empty.state("last_msg")).contains("SOURCE_FAILED: ", "t/feed", "SCHEME_ERROR", FEED_IS_GONE);
        }
    }
}
