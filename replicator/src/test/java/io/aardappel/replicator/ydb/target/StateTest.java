package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.access.ydb.Calls;
import io.aardappel.contract.TableName;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.engine.TargetEvent.Committed;
import io.aardappel.replicator.engine.TargetEvent.LoadFatal;
import io.aardappel.replicator.engine.TargetEvent.LoadRetryable;
import io.aardappel.replicator.engine.TargetEvent.LockHeld;
import io.aardappel.replicator.engine.TargetEvent.LockUnknown;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@WithYdb
@DisplayName("The state table")
class StateTest {
    private static final StreamRow ROW =
            new StreamRow("a/feed", "c", "/local/a", 5, StreamState.MEMBER, Map.of(0L, 7L));

    private final Destination destination;

    StateTest(YdbEmulator ydb) {
        this.destination = new Destination(ydb);
    }

    @AfterEach
    void close() throws Exception {
        destination.close();
    }

    /** As the Go program makes it. */
    private void makeAsTheGoProgramDoes() {
        destination.scheme("CREATE TABLE IF NOT EXISTS " + destination.stateTable.path()
                + " (id Utf8, step_id Uint64, tx_id Uint64, state Utf8, stage Utf8, last_msg Utf8,"
                + " lock_owner Utf8, lock_deadline Timestamp, PRIMARY KEY (id))");
    }

    @Nested
    @DisplayName("that is absent")
    class Absent {
        @Test
        void isMadeWithTheRowOfAnInstanceThatHasNotBegun() {
            SavedState saved = saved();

            assertThat(saved.checkpoint()).isEqualTo(Position.ZERO);
            assertThat(saved.state()).isEqualTo("OK");
            assertThat(saved.stage()).isEqualTo(Stage.INITIAL_SCAN);
            assertThat(saved.lastMessage()).isEmpty();
            assertThat(saved.instance())
                    .as("that no predecessor has begun it")
                    .contains(new SavedState.InstanceRow(Position.ZERO, Position.ZERO, ScanPhase.NONE));
            assertThat(saved.streams()).isEmpty();
        }

        @Test
        void isMadeWithTheGoProgramsColumns() {
            saved();

            assertThat(destination.query("SELECT * FROM $STATE").getResultSets(0).getColumnsList().stream()
                            .map(column -> column.getName()))
                    .containsExactlyInAnyOrder(
                            "id", "step_id", "tx_id", "state", "stage", "last_msg", "lock_owner", "lock_deadline");
        }

        private SavedState saved() {
            DrivenTarget target = destination.target("host-1");
            target.begin();
            return target.saved();
        }
    }

    @Nested
    @DisplayName("that an earlier version made, whose rows about streams do not say when tables were created")
    class OfAnEarlierVersion {
        private final DrivenTarget target = destination.target("host-1");

        OfAnEarlierVersion() {
            target.begin();
            target.commit(destination.batch(1, Optional.empty(), List.of(ROW)));
            target.release();
            destination.scheme("ALTER TABLE `" + destination.stateTable.path()
                    + "_streams` DROP COLUMN table_created_step, DROP COLUMN table_created_tx");
        }

        @Test
        void isNoObstacleAndIsReadAsItIs() {
            Calls calls = new Calls(destination.transport);
            assertThat(StateTables.check(
                            new Descriptions(calls, Destination.SETTINGS.callTimeout()),
                            calls.database(),
                            destination.stateTable))
                    .isEmpty();
            try (StateView view = new StateView(
                    destination.transport,
                    new YdbTarget.Identity(destination.stateTable, "inst", "host-2"),
                    Destination.SETTINGS)) {
                assertThat(view.look())
                        .isInstanceOfSatisfying(
                                StateView.Found.Saved.class,
                                found -> assertThat(found.state().streams()).containsExactly(ROW));
            }
        }

        @Test
        void getsTheColumnsWithItsNextStart() {
            StreamRow known = new StreamRow(
                    ROW.topic(), ROW.consumer(), ROW.table(), 5, ROW.state(), ROW.committed(), new Position(7, 8));
            DrivenTarget next = destination.target("host-2");
            next.begin();

            assertThat(next.saved().streams()).containsExactly(ROW);
            next.commit(destination.batch(1, Optional.empty(), List.of(known)));
            assertThat(next.saved().streams()).containsExactly(known);
        }
    }

    @Test
    void isLoadedWithWhenTheTablesWereCreatedThatWereDescribed() {
        destination.createTable();
        destination.shape();
        Position first = created();
        destination.scheme("DROP TABLE `" + destination.table + "`");
        destination.createTable();
        destination.tables.read(destination.table);

        assertThat(created()).isNotEqualTo(Position.ZERO).isGreaterThan(first);
    }

    private Position created() {
        DrivenTarget target = destination.target("host-1");
        target.begin();
        Position created = target.saved().tablesCreated().get(destination.table);
        target.release();
        assertThat(created).isNotNull();
        return created;
    }

    @Nested
    @DisplayName("that the Go program left")
    class OfTheGoProgram {
        OfTheGoProgram() {
            makeAsTheGoProgramDoes();
            destination.query("UPSERT INTO $STATE (id, step_id, tx_id, state, stage, lock_owner, lock_deadline)"
                    + " VALUES ('inst', 12ul, 18446744073709551615ul, 'OK', 'RUN', 'lock_go', CurrentUtcTimestamp())");
        }

        @Test
        void isGoneOnWith() {
            DrivenTarget target = destination.target("host-1");
            target.begin();

            SavedState saved = target.saved();

            assertThat(saved.checkpoint()).isEqualTo(new Position(12, -1));
            assertThat(saved.stage()).isEqualTo(Stage.RUN);
            assertThat(saved.instance()).isEmpty();
        }

        @Test
        void mayHaveAWordForItsStageThatMeansRun() {
            destination.query("UPSERT INTO $STATE (id, stage) VALUES ('inst', 'SOMETHING')");
            DrivenTarget target = destination.target("host-1");
            target.begin();

            assertThat(target.saved().stage()).isEqualTo(Stage.RUN);
            assertThat(target.commit(destination.batch(1, 13))).isEqualTo(new Committed(1));
        }

        @Test
        void isLeftSoThatItCanGoOn() {
            DrivenTarget target = destination.target("host-1");
            target.begin();
            destination.createTable();
            target.commit(destination.batch(1, 13, destination.upsert(1, "x")));
            target.release();

            try (GoProgram go = new GoProgram(destination.transport, destination.stateTable, "lock_go")) {
                assertThat(go.holds(Destination.SETTINGS.lockTtl())).isTrue();
                assertThat(go.commits(destination.table, "by the Go program")).contains(14L);
            }
        }
    }

    @Nested
    @DisplayName("whose row cannot be understood")
    class Broken {
        private final DrivenTarget target = destination.target("host-1");

        Broken() {
            target.begin();
        }

        @ParameterizedTest
        @CsvSource({
            "state, state is NULL",
            "step_id, step_id or tx_id is NULL",
            "tx_id, step_id or tx_id is NULL",
            "stage, stage is NULL"
        })
        void isAProblemForAPersonThatNamesRowAndColumnB27(String column, String said) {
            destination.query("UPSERT INTO $STATE (id, " + column + ") VALUES ('inst', NULL)");

            Problem problem = DrivenTarget.expect(target.load(), LoadFatal.class, LoadFatal::problem);

            assertThat(problem.reason()).isEqualTo(Problem.Reason.STATE_INVALID);
            assertThat(problem.what()).contains(destination.stateTable.path(), "'inst'", said);
            assertThat(problem.remedy()).isNotBlank();
        }

        @Test
        void isAProblemWhenItIsARowOfOurs() {
            destination.query("UPSERT INTO `" + destination.stateTable.path()
                    + "_streams` (id, topic, consumer, dst_table, state) VALUES ('inst', 't', 'c', 'd', 'guest')");

            Problem problem = DrivenTarget.expect(target.load(), LoadFatal.class, LoadFatal::problem);

            assertThat(problem.what()).contains("guest");
        }

        @Test
        void isMissed() {
            destination.query("DELETE FROM $STATE WHERE id = 'inst'");

            assertThat(target.load()).isInstanceOf(LoadFatal.class);
        }

        @Test
        void isNotReadAtAllOnceTheLockIsAnothers() {
            destination.query("UPSERT INTO $STATE (id, lock_owner) VALUES ('inst', 'somebody')");

            assertThat(target.load())
                    .isInstanceOfSatisfying(
                            LoadRetryable.class,
                            answer -> assertThat(answer.why()).contains("somebody"));
        }
    }

    @Test
    @DisplayName("of another shape is refused with what is wrong")
    void otherShape() {
        destination.scheme(
                "CREATE TABLE " + destination.stateTable.quoted() + " (id Utf8, step_id Utf8, PRIMARY KEY (id))");

        assertThat(destination.target("host-1").acquire())
                .isInstanceOfSatisfying(
                        LockUnknown.class,
                        answer -> assertThat(answer.why())
                                .contains(
                                        "column step_id of type Utf8 instead of Uint64", "column lock_owner missing"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bare_state", "dir/of/state-1", "/local/absolute_state", "`/local/quoted.state`"})
    @DisplayName("may be named in every form, and ours stand beside it")
    void mayBeNamedInEveryFormB41(String text) {
        TableName name = TableName.parse(text);
        try (DrivenTarget target = new DrivenTarget(
                destination.transport,
                name,
                "host-1",
                Destination.SETTINGS,
                destination.tables,
                CommitDiscipline.SOUND)) {
            assertThat(target.acquire()).isInstanceOf(LockHeld.class);
        }

        for (String suffix : List.of("", "_instances", "_streams", "_decisions")) {
            assertThat(destination
                            .query("SELECT COUNT(*) AS n FROM "
                                    + name.beside(suffix).quoted())
                            .getResultSetsCount())
                    .isEqualTo(1);
        }
    }
}
