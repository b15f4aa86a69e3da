package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.engine.TargetEvent;
import io.aardappel.replicator.engine.TargetEvent.Committed;
import io.aardappel.replicator.engine.TargetEvent.FatalWritten;
import io.aardappel.replicator.engine.TargetEvent.LoadFatal;
import io.aardappel.replicator.engine.TargetEvent.Loaded;
import io.aardappel.replicator.engine.TargetEvent.LockBusy;
import io.aardappel.replicator.engine.TargetEvent.LockHeld;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What either program leaves in the shared row, and what the other makes of it. */
@WithYdb
@DisplayName("The state row, between the Go program and this one")
class GoStateRowsTest {
    private static final String FAR = "CurrentUtcTimestamp() + Interval('PT1H')";
    private static final String OVER = "CurrentUtcTimestamp() - Interval('PT1S')";

    /** Rows that the Go program goes on with, as it leaves them or as people edit them for it. */
    enum Sound {
        FRESH(0, 0, Stage.INITIAL_SCAN, "0ul, 0ul, 'OK', 'INITIAL_SCAN', NULL, NULL, NULL"),
        FRESH_AND_LOCKED_ONCE(0, 0, Stage.INITIAL_SCAN, "0ul, 0ul, 'OK', 'INITIAL_SCAN', NULL, 'lock_go_1', " + OVER),
        IN_ITS_INITIAL_SCAN(0, 0, Stage.INITIAL_SCAN, "0ul, 0ul, 'OK', 'INITIAL_SCAN', NULL, 'lock_go_1', " + OVER),
        IN_RUN(12, -1, Stage.RUN, "12ul, 18446744073709551615ul, 'OK', 'RUN', NULL, 'lock_go_1', " + OVER),
        IN_RUN_WITH_AN_EMPTY_OWNER(12, 7, Stage.RUN, "12ul, 7ul, 'OK', 'RUN', NULL, '', " + OVER),
        IN_RUN_OWNED_WITHOUT_A_DEADLINE(12, 7, Stage.RUN, "12ul, 7ul, 'OK', 'RUN', NULL, 'lock_go_1', NULL"),
        REPAIRED_WITH_ITS_LAST_MESSAGE_LEFT(
                12, 7, Stage.RUN, "12ul, 7ul, 'OK', 'RUN', 'Unexpected', 'lock_go_1', " + OVER),
        RESET_TO_REPLAY_HISTORY(0, 0, Stage.RUN, "0ul, 0ul, 'OK', 'RUN', NULL, 'lock_go_1', " + OVER),
        RESET_TO_SCAN_AGAIN(0, 0, Stage.INITIAL_SCAN, "0ul, 0ul, 'OK', 'INITIAL_SCAN', NULL, 'lock_go_1', " + OVER),
        OF_A_STAGE_THAT_IT_TAKES_FOR_RUN(12, 7, Stage.RUN, "12ul, 7ul, 'OK', 'run', NULL, 'lock_go_1', " + OVER);

        final Position checkpoint;
        final Stage stage;
        final String values;

        Sound(long step, long txId, Stage stage, String values) {
            this.checkpoint = new Position(step, txId);
            this.stage = stage;
            this.values = values;
        }
    }

    /** Rows that the Go program refuses, some of them by a panic. */
    enum Unsound {
        FATAL(
                "column state: it says FATAL_ERROR: Unexpected timestamp in stream",
                "Do what it says, as the page of its reason tells (docs/runbooks/fatal)",
                "12ul, 7ul, 'FATAL_ERROR', 'RUN', 'Unexpected timestamp in stream', 'lock_go_1', " + OVER),
        FATAL_WITHOUT_A_MESSAGE(
                "column state: it says FATAL_ERROR: last_msg does not say why",
                "See in the log of the process that wrote it",
                "12ul, 7ul, 'FATAL_ERROR', 'RUN', NULL, 'lock_go_1', " + OVER),
        OK_IN_OTHER_LETTERS(
                "column state: it says ok, which is neither OK nor FATAL_ERROR",
                "Set it to 'OK' if the replica is sound",
                "12ul, 7ul, 'ok', 'RUN', NULL, 'lock_go_1', " + OVER),
        STATE_EMPTIED(
                "column state: it says nothing",
                "Set it to 'OK' if the replica is sound",
                "12ul, 7ul, '', 'RUN', NULL, 'lock_go_1', " + OVER),
        STATE_NULL(
                "state is NULL",
                "Set it to 'OK' if the replica is sound",
                "12ul, 7ul, NULL, 'RUN', NULL, 'lock_go_1', " + OVER),
        STEP_NULL(
                "step_id or tx_id is NULL",
                "Set both to the last checkpoint: docs/runbooks/fatal/STATE_INVALID.md says where it stands too",
                "NULL, 7ul, 'OK', 'RUN', NULL, 'lock_go_1', " + OVER),
        TX_NULL(
                "step_id or tx_id is NULL",
                "Set both to the last checkpoint: docs/runbooks/fatal/STATE_INVALID.md says where it stands too",
                "12ul, NULL, 'OK', 'RUN', NULL, 'lock_go_1', " + OVER),
        STAGE_NULL(
                "stage is NULL",
                "Set it to 'INITIAL_SCAN' or to 'RUN'",
                "12ul, 7ul, 'OK', NULL, NULL, 'lock_go_1', " + OVER),
        MADE_BY_THE_LOCKER_ALONE("state is NULL", "Set it to 'OK'", "NULL, NULL, NULL, NULL, NULL, '', " + OVER);

        final String what;
        final String remedy;
        final String values;

        Unsound(String what, String remedy, String values) {
            this.what = what;
            this.remedy = remedy;
            this.values = values;
        }
    }

    private final Destination destination;
    private final DrivenTarget ours;
    private final GoProgram theirs;

    GoStateRowsTest(YdbEmulator ydb) {
        this.destination = new Destination(ydb);
        this.ours = destination.target("host-1");
        this.theirs = new GoProgram(destination.transport, destination.stateTable, "lock_go_2");
    }

    /** As the Go program makes it. */
    @BeforeEach
    void makeTables() {
        destination.createTable();
        destination.scheme("CREATE TABLE IF NOT EXISTS " + destination.stateTable.path()
                + " (id Utf8, step_id Uint64, tx_id Uint64, state Utf8, stage Utf8, last_msg Utf8,"
                + " lock_owner Utf8, lock_deadline Timestamp, PRIMARY KEY (id))");
    }

    @AfterEach
    void close() throws Exception {
        theirs.close();
        destination.close();
    }

    private void left(String values) {
        destination.query("UPSERT INTO $STATE (id, step_id, tx_id, state, stage, last_msg, lock_owner, lock_deadline)"
                + " VALUES ('inst', " + values + ")");
    }

    private void expireTheLock() {
        destination.query("UPSERT INTO $STATE (id, lock_deadline) VALUES ('inst', " + OVER + ")");
    }

    @Nested
    @DisplayName("left by the Go program")
    class LeftByTheGoProgram {
        @ParameterizedTest
        @EnumSource
        void isGoneOnWith(Sound row) {
            left(row.values);

            ours.begin();

            SavedState saved = ours.saved();
            assertThat(saved.refusal("inst")).isEmpty();
            assertThat(saved.checkpoint()).isEqualTo(row.checkpoint);
            assertThat(saved.stage()).isEqualTo(row.stage);
            assertThat(ours.commit(destination.batch(1, 20, destination.upsert(1, "x"))))
                    .isEqualTo(new Committed(1));
        }

        @ParameterizedTest
        @EnumSource
        void isRefusedByRowColumnAndRemedy(Unsound row) {
            left(row.values);
            assertThat(ours.acquire()).isInstanceOf(LockHeld.class);

            Problem problem = problem();

            assertThat(problem.reason()).isEqualTo(Problem.Reason.STATE_INVALID);
            assertThat(problem.what()).contains("'inst'", row.what);
            assertThat(problem.remedy()).contains(row.remedy);
        }

        private Problem problem() {
            TargetEvent answer = ours.load();
            return answer instanceof Loaded loaded
                    ? loaded.state().refusal("inst").orElseThrow()
                    : DrivenTarget.expect(answer, LoadFatal.class, LoadFatal::problem);
        }

        @Test
        void isLeftAloneWhileItIsLocked() {
            left("12ul, 7ul, 'OK', 'RUN', NULL, 'lock_go_1', " + FAR);

            assertThat(ours.acquire()).isEqualTo(new LockBusy("lock_go_1"));
        }

        @Test
        void isLeftAloneWhenItIsFencedWithoutAnOwner() {
            left("12ul, 7ul, 'OK', 'RUN', NULL, NULL, " + FAR);

            assertThat(ours.acquire()).isEqualTo(new LockBusy(""));
        }

        @Test
        void keepsWhatOnlyPeopleWrite() {
            left(Sound.REPAIRED_WITH_ITS_LAST_MESSAGE_LEFT.values);
            ours.begin();
            ours.commit(destination.batch(1, 20));

            assertThat(destination.stateRow().text("last_msg")).isEqualTo("Unexpected");
            assertThat(destination.stateRow().text("state")).isEqualTo("OK");
        }

        @Test
        void mayHaveColumnsOfOthers() {
            destination.scheme("ALTER TABLE " + destination.stateTable.path() + " ADD COLUMN note Utf8");
            left(Sound.IN_RUN.values);
            destination.query("UPSERT INTO $STATE (id, note) VALUES ('inst', 'do not touch')");
            ours.begin();
            ours.commit(destination.batch(1, 20));

            assertThat(destination.stateRow().text("note")).isEqualTo("do not touch");
        }
    }

    @Nested
    @DisplayName("left by this program")
    class LeftByThisProgram {
        @Test
        @DisplayName("is fresh to the Go program before anything was applied")
        void fresh() {
            ours.begin();
            ours.release();

            assertThat(theirs.holds(Duration.ofSeconds(30))).isTrue();
            assertThat(theirs.refuses()).isEmpty();
            assertThat(theirs.reads("step_id", "tx_id", "state", "stage", "last_msg"))
                    .containsExactly("0", "0", "OK", "INITIAL_SCAN", "NULL");
        }

        @Test
        @DisplayName("shows no checkpoint while the scan lasts, as its own does not")
        void scanning() {
            ours.begin();
            ours.commit(destination.batch(1, Optional.empty(), List.of(), destination.upsert(1, "x")));
            ours.release();

            assertThat(theirs.holds(Duration.ofSeconds(30))).isTrue();
            assertThat(theirs.refuses()).isEmpty();
            assertThat(theirs.reads("step_id", "tx_id", "stage")).containsExactly("0", "0", "INITIAL_SCAN");
        }

        @Test
        @DisplayName("is one to go on with in RUN: the checkpoint, the stage, and neither state nor last_msg touched")
        void running() {
            ours.begin();
            ours.commit(destination.batch(1, 13, destination.upsert(1, "x")));
            ours.release();

            assertThat(theirs.holds(Duration.ofSeconds(30))).isTrue();
            assertThat(theirs.refuses()).isEmpty();
            assertThat(theirs.reads("step_id", "tx_id", "state", "stage", "last_msg"))
                    .containsExactly("13", "0", "OK", "RUN", "NULL");
            assertThat(theirs.commits(destination.table, "by the Go program")).contains(14L);
        }

        @Test
        @DisplayName("is refused by it after FATAL_ERROR, by a message and not by a panic")
        void fatal() {
            ours.begin();
            Problem problem = new Problem(Problem.Reason.LATE_RECORD, "what happened", "what to do");
            assertThat(ours.writeFatal(problem)).isInstanceOf(FatalWritten.class);
            ours.release();

            assertThat(theirs.holds(Duration.ofSeconds(30))).isTrue();
            assertThat(theirs.refuses())
                    .hasValueSatisfying(said -> assertThat(said).contains("FATAL_ERROR", "what happened"));
        }

        @Test
        @DisplayName("has an owner that the Go program's users know")
        void owner() {
            ours.begin();

            assertThat(destination.stateRow().text("lock_owner")).startsWith("lock_host-1_");
        }

        @Test
        @DisplayName("keeps it out until the deadline when this program was killed, and lets it in then")
        void killed() {
            ours.begin();

            assertThat(theirs.holds(Duration.ofSeconds(30))).isFalse();
            expireTheLock();
            assertThat(theirs.holds(Duration.ofSeconds(30))).isTrue();
        }

        @Test
        @DisplayName("is taken back by this program at the Go program's checkpoint")
        void thereAndBack() {
            ours.begin();
            ours.commit(destination.batch(1, 13, destination.upsert(1, "x")));
            ours.release();
            assertThat(theirs.holds(Duration.ofSeconds(30))).isTrue();
            assertThat(theirs.commits(destination.table, "by the Go program")).contains(14L);
            theirs.takes(Duration.ZERO);
            await().until(() -> ours.acquire() instanceof LockHeld);

            SavedState saved = ours.saved();

            assertThat(saved.checkpoint()).isEqualTo(new Position(14, 0));
            assertThat(saved.instance())
                    .hasValueSatisfying(row -> assertThat(row.vouched()).isEqualTo(new Position(13, 0)));
        }
    }
}
