package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    private static final int PREFLIGHT = 4;
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

    /** Process after process ends, whatever a supervisor does, and nothing is made in the place of what is gone. */
    private void isLost(String what) throws Exception {
        assertThat(scene.exitCode(LIMIT)).as("of the standby").isEqualTo(FATAL);
        assertThat(scene.exitCode(LIMIT)).as("of the holder").isEqualTo(FATAL);
        assertThat(scene.log())
                .contains("STATE_LOST: state table /destination/state, row 'scene': " + what)
                .contains("stage RUN, checkpoint [")
                .contains("what to do stands in docs/runbooks/fatal/STATE_LOST.md");
        scene.write("UPSERT INTO t (k, v) VALUES (3, 'three');");
        scene.start();
        assertThat(scene.exitCode(LIMIT)).as("of one that is started again").isEqualTo(PREFLIGHT);
        assertThat(scene.rows()).doesNotContain("3 three");
    }

    /** What the log says to do. */
    private String statement() throws Exception {
        return scene.log()
                .replaceAll("(?s).*(UPSERT INTO [^(]*state[^(]*\\(id, step_id[^)]*\\) VALUES \\([^)]*\\)).*", "$1");
    }

    private void goesOnWhenPutBack() throws Exception {
        scene.destination.write(statement() + ";", Params.empty());
        scene.start();
        scene.settle();
        scene.assertCopied("SELECT * FROM t;");
    }

    @Test
    @DisplayName("the state row: STATE_LOST of holder and standby, which say how to put it back")
    void stateRow() throws Exception {
        withAStandby();
        scene.destination.write("DELETE FROM state WHERE id = 'scene';", Params.empty());
        isLost("the row is gone");
        assertThat(scene.destination.read("SELECT id FROM state;")).isEmpty();
        goesOnWhenPutBack();
    }

    @Test
    @DisplayName("the state table: the same")
    void stateTable() throws Exception {
        withAStandby();
        scene.destination.define("DROP TABLE state;");
        isLost("the table is gone, and the row with it");
        scene.destination.define("CREATE TABLE state (id Utf8, step_id Uint64, tx_id Uint64, state Utf8, stage Utf8,"
                + " last_msg Utf8, lock_owner Utf8, lock_deadline Timestamp, PRIMARY KEY (id));");
        goesOnWhenPutBack();
    }

    @Test
    @DisplayName("all that the destination held, which is then made anew, empty: no process says that it has a copy")
    void wholeDestination() throws Exception {
        withAStandby();
        await().atMost(LIMIT).until(() -> scene.topic("t").committed(Scene.CONSUMER, 0) > 0);
        for (String table : List.of("state", "t", "state_instances", "state_streams", "state_decisions")) {
            scene.destination.define("DROP TABLE " + table + ";");
        }
        scene.destination.define("CREATE TABLE t (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k));");
        isLost("the table is gone, and the row with it");
        assertThat(scene.log())
                .contains("ERROR /source/t/feed: the instance begins anew, but consumer replicator has read partition")
                .contains("docs/runbooks/fatal/STATE_LOST.md");
        assertThat(scene.rows()).isEmpty();
    }

    @Test
    @DisplayName("all that the destination held, of which an older backup is put back: OFFSETS_MOVED")
    void backup() {
        scene.stop();
        String backup = "UPDATE state SET " + was("state", "step_id", "tx_id") + " WHERE id = 'scene';"
                + "UPDATE state_instances SET " + was("state_instances", "commit_seq", "vouched_step", "vouched_tx")
                + " WHERE id = 'scene'; UPDATE state_streams SET offsets = '"
                + value("state_streams", "offsets") + "' WHERE id = 'scene'; DELETE FROM t WHERE k > 2ul;";
        scene.start("offset_mirror_interval: 100ms");
        long committed = scene.topic("t").committed(Scene.CONSUMER, 0);
        scene.write("UPSERT INTO t (k, v) VALUES (3, 'three');");
        scene.settle();
        await().atMost(LIMIT).until(() -> scene.topic("t").committed(Scene.CONSUMER, 0) > committed + 1);

        scene.destination.write(backup, Params.empty());

        stops("OFFSETS_MOVED: ", "t/feed", "its place here is offset");
    }

    private String value(String table, String column) {
        return Scene.plain(scene.destination
                .read("SELECT " + column + " AS v FROM " + table + " WHERE id = 'scene';")
                .get(0)
                .text("v"));
    }

    private String was(String table, String... numbers) {
        return Stream.of(numbers)
                .map(column -> column + " = " + value(table, column) + "ul")
                .collect(Collectors.joining(", "));
    }

    private void withAStandby() {
        scene.start();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(scene.log()).contains("waiting for the lock"));
    }

    @Test
    @DisplayName("the instance row: made again")
    void instanceRow() {
        scene.destination.write("DELETE FROM state_instances WHERE id = 'scene';", Params.empty());
        goesOn();
    }

    @Test
    @DisplayName("a table of ours beside it: made again")
    void instanceTable() {
        scene.destination.define("DROP TABLE state_instances;");
        goesOn();
    }

    @Test
    @DisplayName("everything, by an empty server at the same address: STATE_LOST")
    void everything() throws Exception {
        int port = scene.emulator.port();
        scene.loseServer();
        try (Scene empty = new Scene(folder, port)) {
            assertThat(scene.exitCode(LIMIT)).isEqualTo(FATAL);
            assertThat(scene.log()).contains("STATE_LOST: ", "the table is gone, and the row with it");
            assertThat(empty.emulator.database(Scene.DESTINATION).list(Scene.DESTINATION))
                    .as("nothing was made")
                    .isEmpty();
        }
    }
}
