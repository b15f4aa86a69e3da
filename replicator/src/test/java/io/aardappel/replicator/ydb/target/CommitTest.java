package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.engine.TargetEvent.Blame;
import io.aardappel.replicator.engine.TargetEvent.Committed;
import io.aardappel.replicator.engine.TargetEvent.FatalWritten;
import io.aardappel.replicator.engine.TargetEvent.Outdated;
import io.aardappel.replicator.engine.TargetEvent.Refused;
import io.aardappel.replicator.engine.TargetEvent.Retryable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@WithYdb
@DisplayName("A batch")
class CommitTest {
    private final Destination destination;

    CommitTest(YdbEmulator ydb) {
        this.destination = new Destination(ydb);
    }

    @AfterEach
    void close() throws Exception {
        destination.close();
    }

    private DrivenTarget begun() {
        DrivenTarget target = destination.target("host-1");
        target.begin();
        return target;
    }

    private static Map<String, @Nullable Object> cells(@Nullable Object... namesAndCells) {
        Map<String, @Nullable Object> cells = new HashMap<>();
        for (int at = 0; at < namesAndCells.length; at += 2) {
            cells.put(String.valueOf(namesAndCells[at]), namesAndCells[at + 1]);
        }
        return cells;
    }

    @Nested
    @DisplayName("beside its rows")
    class BesideRows {
        private final DrivenTarget target;

        BesideRows() {
            destination.createTable();
            target = begun();
        }

        @Test
        void movesTheCheckpointAndTheStage() {
            assertThat(target.commit(destination.batch(1, 10, destination.upsert(1, "x"))))
                    .isEqualTo(new Committed(1));

            assertThat(destination.checkpoint()).isEqualTo(new Position(10, 0));
            assertThat(destination.stateRow().text("stage")).isEqualTo("RUN");
            assertThat(destination.rows()).containsExactly(Map.entry(1L, "x"));
        }

        @Test
        void leavesStateAndLastMessageAsTheyAre() {
            destination.query("UPSERT INTO $STATE (id, last_msg) VALUES ('inst', 'old trouble')");

            target.commit(destination.batch(1, 10));

            assertThat(destination.stateRow().text("state")).isEqualTo("OK");
            assertThat(destination.stateRow().text("last_msg")).isEqualTo("old trouble");
        }

        @Test
        void leavesTheCheckpointWhereItHasNone() {
            target.commit(destination.batch(1, 10));
            target.commit(destination.batch(2, Optional.empty(), List.of(), destination.upsert(1, "x")));

            assertThat(destination.checkpoint()).isEqualTo(new Position(10, 0));
            assertThat(destination.rows()).hasSize(1);
        }

        @Test
        void vouchesForItsCheckpointAndForNoOther() {
            target.commit(destination.batch(1, 10));
            destination.query("UPSERT INTO $STATE (id, step_id, tx_id) VALUES ('inst', 50, 0)");
            target.begin();
            target.commit(destination.batch(1, Optional.empty(), List.of()));

            SavedState saved = target.saved();

            assertThat(saved.checkpoint()).isEqualTo(new Position(50, 0));
            assertThat(saved.instance().map(InstanceRow::vouched)).contains(new Position(10, 0));
        }

        @Test
        void vouchesForTheCheckpointThatItFoundWhenItIsTheFirstOfOurs() {
            destination.query("DELETE FROM `" + destination.stateTable.path() + "_instances` WHERE id = 'inst'");
            destination.query("UPSERT INTO $STATE (id, step_id, tx_id, stage) VALUES ('inst', 50, 7, 'RUN')");
            target.begin();
            target.commit(destination.batch(1, Optional.empty(), List.of()));

            assertThat(target.saved().instance().map(InstanceRow::vouched)).contains(new Position(50, 7));
        }

        @Test
        void keepsWhatAnInitialScanHasReached() {
            Batch scan = new Batch(
                    1,
                    List.of(),
                    Optional.empty(),
                    Stage.INITIAL_SCAN,
                    new Position(77, -1),
                    ScanPhase.CLOSING,
                    List.of(),
                    List.of(),
                    0,
                    0,
                    0);

            target.commit(scan);

            SavedState saved = target.saved();
            assertThat(saved.stage()).isEqualTo(Stage.INITIAL_SCAN);
            assertThat(saved.instance())
                    .contains(new InstanceRow(Position.ZERO, new Position(77, -1), ScanPhase.CLOSING));
        }

        @Test
        void writesStreamRowsThatReadBackAsTheyWere() {
            StreamRow member = new StreamRow(
                    "a/feed",
                    "c",
                    "/local/a",
                    1_700_000_000_000L,
                    StreamState.MEMBER,
                    Map.of(0L, 5L, 7L, 9L),
                    new Position(1_700_000_000_001L, -2));
            StreamRow removed = new StreamRow("b/feed", "c", "/local/b", 1, StreamState.REMOVED, Map.of());
            target.commit(destination.batch(1, Optional.empty(), List.of(member, removed)));

            assertThat(target.saved().streams()).containsExactlyInAnyOrder(member, removed);
        }

        @Test
        void writesMoreStreamRowsThanOneAnswerHolds() {
            List<StreamRow> many = IntStream.range(0, 2_300)
                    .mapToObj(i ->
                            new StreamRow("topic" + i % 1_000, "c" + i, "/t", i, StreamState.MEMBER, Map.of(0L, 1L)))
                    .toList();
            target.commit(destination.batch(1, Optional.empty(), many));

            assertThat(target.saved().streams()).containsExactlyInAnyOrderElementsOf(many);
        }

        @Test
        void countsOneUpForEachTransactionOfAllTerms() {
            target.commit(destination.batch(1, 10));
            target.commit(destination.batch(2, 11));
            DrivenTarget next = destination.target("host-2");
            target.release();
            next.begin();
            next.commit(destination.batch(1, 12));

            assertThat(destination.instanceRow().number("commit_seq")).isEqualTo(3);
        }

        @Test
        void isRefusedAfterAFatalErrorByNobodyButThePerson() {
            Problem problem = new Problem(Problem.Reason.LATE_RECORD, "stream a, partition 3", "Look");

            assertThat(target.writeFatal(problem)).isEqualTo(new FatalWritten());

            assertThat(destination.stateRow().text("state")).isEqualTo("FATAL_ERROR");
            assertThat(destination.stateRow().text("last_msg")).isEqualTo(problem.text());
            assertThat(target.saved().lastMessage()).isEqualTo(problem.text());
        }
    }

    @Nested
    @DisplayName("of rows")
    class Rows {
        private final DrivenTarget target;

        Rows() {
            destination.createTable("k Uint64 NOT NULL, a Int32, b Utf8, n Int32 NOT NULL, d Int32 NOT NULL DEFAULT 42,"
                    + " PRIMARY KEY (k)");
            target = begun();
        }

        private void commit(RowWrite... rows) {
            assertThat(target.commit(destination.batch(1, 10, rows))).isEqualTo(new Committed(1));
        }

        private List<String> rows() {
            return ResultRow.all(destination
                            .query("SELECT k, a, b, n, d FROM $TABLE")
                            .getResultSets(0))
                    .stream()
                    .map(row -> row.row().getItemsList().stream()
                            .map(cell -> cell.hasNullFlagValue()
                                    ? "-"
                                    : cell.hasTextValue()
                                            ? cell.getTextValue()
                                            : String.valueOf(
                                                    cell.hasUint64Value()
                                                            ? cell.getUint64Value()
                                                            : cell.getInt32Value()))
                            .reduce((one, other) -> one + " " + other)
                            .orElse(""))
                    .toList();
        }

        @Test
        void makesOneThatIsNotThere() {
            commit(destination.write(Operation.UPDATE, 1, cells("a", 5L, "n", 6L)));

            assertThat(rows()).containsExactly("1 5 - 6 42");
        }

        @Test
        void overlaysOneThatIsThere() {
            commit(destination.write(Operation.UPDATE, 1, cells("a", 5L, "b", "x", "n", 6L, "d", 7L)));
            commit(destination.write(Operation.UPDATE, 1, cells("a", null, "n", 8L)));

            assertThat(rows()).containsExactly("1 - x 8 7");
        }

        @Test
        void overlaysOneWithoutTheColumnsThatANewOneWouldNeed() {
            commit(destination.write(Operation.UPDATE, 1, cells("a", 5L, "b", "x", "n", 6L, "d", 7L)));
            commit(destination.write(Operation.UPDATE, 1, cells("b", "y")));

            assertThat(rows()).containsExactly("1 5 y 6 7");
        }

        @Test
        void replacesOneWithNullsAndDefaultsForWhatIsNotCarried() {
            commit(destination.write(Operation.UPDATE, 1, cells("a", 5L, "b", "x", "n", 6L, "d", 7L)));
            commit(destination.write(Operation.REPLACE, 1, cells("b", "y", "n", 9L)));

            assertThat(rows()).containsExactly("1 - y 9 42");
        }

        @Test
        @DisplayName("replaces one with the default of a nullable column that is not carried, and with a NULL that is")
        void replacesWithTheDefaultOfANullableColumn() {
            destination.scheme("ALTER TABLE `" + destination.table + "` ADD COLUMN e Int32 DEFAULT 43");
            assertThat(destination.tables.refresh(destination.table)).isTrue();

            commit(
                    destination.write(Operation.REPLACE, 1, cells("n", 9L)),
                    destination.write(Operation.REPLACE, 2, cells("n", 9L, "e", null)));

            assertThat(ResultRow.all(destination
                            .query("SELECT k FROM $TABLE WHERE e = 43")
                            .getResultSets(0)))
                    .singleElement()
                    .satisfies(row -> assertThat(row.number("k")).isEqualTo(1));
        }

        @Test
        void removesOne() {
            commit(
                    destination.write(Operation.UPDATE, 1, cells("n", 1L)),
                    destination.write(Operation.UPDATE, 2, cells("n", 1L)));
            commit(destination.erase(1), destination.erase(99));

            assertThat(rows()).containsExactly("2 - - 1 42");
        }

        @Test
        void isRefusedWholeWhenAnUpdateMeetsNoRowThatItNeeds() {
            Batch batch = destination.batch(
                    1,
                    10,
                    destination.write(Operation.UPDATE, 5, cells("n", 1L)),
                    destination.write(Operation.UPDATE, 6, cells("b", "y")));

            assertThat(target.commit(batch)).isInstanceOfSatisfying(Refused.class, refused -> {
                assertThat(refused.problem().reason()).isEqualTo(Problem.Reason.UNFIT_RECORD);
                assertThat(refused.problem().what()).contains(destination.table);
                assertThat(refused.row().map(RowWrite::key)).contains(new Key(6L));
                assertThat(refused.blame()).isEqualTo(Blame.THIS_ROW);
            });
            assertThat(rows()).isEmpty();
            assertThat(destination.checkpoint()).isEqualTo(Position.ZERO);
        }

        @Test
        void goesOnAfterARefusal() {
            target.commit(destination.batch(1, 10, destination.write(Operation.UPDATE, 6, cells("b", "y"))));

            commit(destination.write(Operation.UPDATE, 6, cells("n", 1L)));
            assertThat(rows()).hasSize(1);
        }
    }

    @Nested
    @DisplayName("too large for one call")
    class Spread {
        private final DrivenTarget target;

        Spread() {
            destination.createTable();
            TargetSettings s = Destination.SETTINGS;
            target = destination.target(
                    "host-1",
                    new TargetSettings(
                            s.lockTtl(),
                            s.callTimeout(),
                            s.commitTimeout(),
                            s.resolveTimeout(),
                            s.pauseMin(),
                            s.pauseMax(),
                            s.callTries(),
                            700,
                            2_000,
                            s.returnedRows()));
            target.begin();
        }

        @Test
        void isStillOneTransaction() {
            RowWrite[] rows = LongStream.range(0, 500)
                    .mapToObj(key -> destination.upsert(key, "value of row " + key))
                    .toArray(RowWrite[]::new);

            assertThat(target.commit(destination.batch(1, 10, rows))).isEqualTo(new Committed(1));

            assertThat(destination
                            .query("SELECT COUNT(*) AS n FROM $TABLE")
                            .getResultSets(0)
                            .getRows(0)
                            .getItems(0)
                            .getUint64Value())
                    .isEqualTo(500);
            assertThat(destination.instanceRow().number("commit_seq")).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("writes a column that the table grew meanwhile, once its shape was read again")
    void grownTableB44() {
        destination.createTable();
        DrivenTarget target = begun();
        destination.shape();
        destination.scheme("ALTER TABLE `" + destination.table + "` ADD COLUMN w Utf8");

        assertThat(destination.tables.refresh(destination.table)).isTrue();
        assertThat(destination.tables.current(destination.table).ordinal("w")).isEqualTo(2);
        assertThat(target.commit(
                        destination.batch(1, 10, destination.write(Operation.UPDATE, 1, Map.of("v", "x", "w", "y")))))
                .isEqualTo(new Committed(1));
    }

    @Test
    @DisplayName("that names a column which was dropped meanwhile may come again, by the shape as it is then")
    void shrunkTable() {
        destination.createTable("k Uint64 NOT NULL, v Utf8, w Utf8, PRIMARY KEY (k)");
        DrivenTarget target = begun();
        RowWrite row = destination.write(Operation.REPLACE, 1, Map.of("v", "x"));
        destination.scheme("ALTER TABLE `" + destination.table + "` DROP COLUMN w");

        assertThat(target.commit(destination.batch(1, 10, row)))
                .isInstanceOfSatisfying(
                        Retryable.class, answer -> assertThat(answer.cause()).isEqualTo("SCHEMA_CHANGED"));
        assertThat(target.commit(destination.batch(2, 10, row))).isEqualTo(new Committed(2));
        assertThat(destination.rows()).containsExactly(Map.entry(1L, "x"));
    }

    @Test
    @DisplayName("that carries a value for a column which was dropped meanwhile is to be read anew")
    void shrunkTableMeant() {
        destination.createTable("k Uint64 NOT NULL, v Utf8, w Utf8, PRIMARY KEY (k)");
        DrivenTarget target = begun();
        RowWrite row = destination.write(Operation.UPDATE, 7, Map.of("w", "x"));
        destination.scheme("ALTER TABLE `" + destination.table + "` DROP COLUMN w");

        assertThat(target.commit(destination.batch(1, 10, row))).isInstanceOf(Retryable.class);
        assertThat(target.commit(destination.batch(2, 10, row)))
                .isInstanceOfSatisfying(
                        Outdated.class, answer -> assertThat(answer.why()).contains("column w", destination.table));
        assertThat(destination.rows()).isEmpty();
    }

    @Test
    @DisplayName("with a value that the destination does not take is refused for one of its rows")
    void refusedValue() {
        destination.createTable();
        DrivenTarget target = begun();
        RowWrite large = destination.upsert(1, "x".repeat((8 << 20) + 1));

        assertThat(target.commit(destination.batch(1, 10, destination.upsert(2, "y"), large)))
                .isInstanceOfSatisfying(Refused.class, refused -> {
                    assertThat(refused.blame()).isEqualTo(Blame.SOME_ROW);
                    assertThat(refused.problem().what()).contains(destination.table, "GENERIC_ERROR");
                });
        assertThat(destination.rows()).isEmpty();
        assertThat(target.commit(destination.batch(2, 10, destination.upsert(2, "y"))))
                .isEqualTo(new Committed(2));
    }

    @Test
    @DisplayName("on a table that is gone is refused with its name")
    void goneTable() {
        destination.createTable();
        DrivenTarget target = begun();
        RowWrite row = destination.upsert(1, "x");
        destination.scheme("DROP TABLE `" + destination.table + "`");

        assertThat(target.commit(destination.batch(1, 10, row))).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.problem().reason()).isEqualTo(Problem.Reason.DESTINATION_FAILED);
            assertThat(refused.problem().what()).contains(destination.table);
            assertThat(refused.blame()).isEqualTo(Blame.NO_ROW);
        });
    }
}
