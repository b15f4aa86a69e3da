package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.e2e.world.Row;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.table.query.Params;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A destination table unlike its source")
class UnlikeTablesTest {
    private static final String COMMON = "SELECT k, a, b, c FROM t;";

    private Scene scene;
    private ProblemTopics problems;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        problems = ProblemTopics.of(scene);
        scene.source.define("CREATE TABLE t (k Uint64 NOT NULL, a Int32, b Utf8, c Uint16, PRIMARY KEY (k));");
    }

    private void into(String columns, String mode) {
        scene.destination.define("CREATE TABLE t (" + columns + ", PRIMARY KEY (k));");
        scene.stream("t", "t", mode, false);
    }

    private void equal() {
        assertThat(scene.destination.read(COMMON)).containsExactlyInAnyOrderElementsOf(scene.source.read(COMMON));
    }

    private List<String> further() {
        return scene.destination.read("SELECT k, extra, given FROM t ORDER BY k;").stream()
                .map(row -> text(row, "k") + " " + text(row, "extra") + " " + text(row, "given"))
                .toList();
    }

    private static String text(Row row, String column) {
        return Scene.plain(row.text(column));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPDATES", "NEW_IMAGE"})
    @DisplayName("with more columns, in another order and of wider types holds the source's columns")
    void wider(String mode) {
        into("extra Utf8, c Uint64, b Utf8, given Int32 NOT NULL DEFAULT 7, k Uint64 NOT NULL, a Int64", mode);
        scene.start();
        scene.write("UPSERT INTO t (k, a, b, c) VALUES (1, -5, 'one', 65535us), (2, 2147483647, 'two', 0us),"
                + " (3, 3, 'three', 3us), (4, NULL, NULL, NULL);");
        scene.settle();
        equal();
        scene.destination.write("UPDATE t SET extra = 'mine', given = 8 WHERE k < 4ul;", Params.empty());

        scene.write("UPDATE t SET a = NULL WHERE k = 1ul;");
        scene.write("REPLACE INTO t (k, b) VALUES (2, 'zwei');");
        scene.write("DELETE FROM t WHERE k = 3ul;");
        scene.write("UPSERT INTO t (k, b) VALUES (3, 'drei');");
        scene.write("DELETE FROM t WHERE k = 4ul;");
        scene.settle();

        equal();
        boolean updatesOverlay = mode.equals("UPDATES");
        assertThat(further())
                .as("what the source does not know is left alone by updates and cleared by the rest")
                .containsExactly(updatesOverlay ? "1 mine 8" : "1 Empty[] 7", "2 Empty[] 7", "3 Empty[] 7");
    }

    @Nested
    @DisplayName("with a narrower type and a NOT NULL column")
    class Narrower {
        @BeforeEach
        void narrow() {
            into("k Uint64 NOT NULL, a Int16, b Utf8 NOT NULL, c Uint16", "UPDATES");
        }

        private void writeThree() {
            scene.write("UPSERT INTO t (k, a, b) VALUES (1, 32767, 'fits');");
            scene.write("UPSERT INTO t (k, a, b) VALUES (2, 32768, 'too large');");
            scene.write("UPSERT INTO t (k, a, b) VALUES (3, 3, 'fits');");
        }

        @Test
        @DisplayName(
                "takes by strategy continue what fits, and what does not is a dead letter with column and both types")
        void leavesOut() {
            scene.setStrategy(0, "continue");
            scene.start("dead_letter_format: json", "command_wait: 200ms");
            writeThree();
            scene.write("UPSERT INTO t (k, a, b) VALUES (4, 4, NULL);");
            scene.settle();

            assertThat(scene.destination.read("SELECT k, a, b FROM t ORDER BY k;"))
                    .extracting(row -> text(row, "k") + " " + text(row, "a") + " " + text(row, "b"))
                    .containsExactly("1 32767 fits", "3 3 fits");
            assertThat(problems.deadLetters()).hasSize(2);
            assertThat(problems.deadLetters().get(0))
                    .contains("UNFIT_RECORD", "t/feed", "[2]", "column `a` (Int32 at the source)", "range of Int16");
            assertThat(problems.deadLetters().get(1))
                    .contains("UNFIT_RECORD", "t/feed", "[4]", "column `b` (Utf8 at the source)", "Utf8 NOT NULL");
        }

        @Test
        @DisplayName("holds what was left out once it fits and the dead letter is replayed")
        void isReplayed() {
            scene.setStrategy(0, "continue");
            scene.start("dead_letter_format: json", "command_wait: 200ms");
            writeThree();
            scene.settle();
            assertThat(scene.command("dlq", "list").text()).contains("left out", "UNFIT_RECORD", "[2]");
            scene.stop();
            assertThat(scene.command("dlq", "replay", "--all").text())
                    .contains("not replayed", "column `a`", "outside the range of Int16");

            scene.destination.define("ALTER TABLE t DROP COLUMN a;");
            scene.destination.define("ALTER TABLE t ADD COLUMN a Int64;");
            assertThat(scene.command("dlq", "replay", "--all").text()).contains("replayed: update of", "key [2]");

            assertThat(scene.destination.read("SELECT a, b FROM t WHERE k = 2ul;"))
                    .singleElement()
                    .satisfies(row ->
                            assertThat(text(row, "a") + " " + text(row, "b")).isEqualTo("32768 too large"));
        }

        @Test
        @DisplayName("stops at a value that does not fit, and goes on without it when a command says so")
        void stopsAndSkips() {
            scene.start("command_wait: 200ms");
            writeThree();
            assertThat(scene.fatalError(Scene.SOON.plusSeconds(20)))
                    .contains("UNFIT_RECORD", "t/feed", "key [2]", "column `a` (Int32 at the source)", "Int16");

            problems.order("skip", problems.deadLetters().get(0));
            scene.start("command_wait: 200ms");
            scene.settle();

            assertThat(scene.destination.read("SELECT k FROM t ORDER BY k;"))
                    .extracting(row -> text(row, "k"))
                    .containsExactly("1", "3");
            assertThat(scene.destination.read("SELECT action, decided_by FROM state_decisions;"))
                    .singleElement()
                    .satisfies(row -> assertThat(text(row, "action") + " by " + text(row, "decided_by"))
                            .isEqualTo("skip by command"));
        }
    }
}
