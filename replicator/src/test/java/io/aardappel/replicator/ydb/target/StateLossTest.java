package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.contract.InstanceTable;
import io.aardappel.contract.StateTable;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.Accounts;
import io.aardappel.emulator.grpc.Permissions.Right;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.engine.TargetEvent.Committed;
import io.aardappel.replicator.engine.TargetEvent.Fenced;
import io.aardappel.replicator.engine.TargetEvent.LoadFatal;
import io.aardappel.replicator.engine.TargetEvent.Loaded;
import io.aardappel.replicator.engine.TargetEvent.LockBusy;
import io.aardappel.replicator.engine.TargetEvent.LockFatal;
import io.aardappel.replicator.engine.TargetEvent.LockHeld;
import io.aardappel.replicator.engine.TargetEvent.LockUnknown;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@WithYdb
@DisplayName("A state row that was there and is gone")
class StateLossTest {
    private static final StreamRow ROW =
            new StreamRow("a/feed", "c", "/local/a", 5, StreamState.MEMBER, Map.of(0L, 7L));

    private final YdbEmulator ydb;
    private final Destination destination;
    private final DrivenTarget holder;
    private final DrivenTarget standby;

    StateLossTest(YdbEmulator ydb) {
        this.ydb = ydb;
        this.destination = new Destination(ydb);
        this.holder = destination.target("host-1");
        this.standby = destination.target("host-2");
    }

    @BeforeEach
    void replicate() {
        destination.createTable();
        holder.begin();
        holder.commit(
                destination.batch(1, Optional.of(new Position(13, -1)), List.of(ROW), destination.upsert(1, "x")));
        assertThat(standby.acquire()).isInstanceOf(LockBusy.class);
    }

    @AfterEach
    void close() throws Exception {
        ydb.permissions().grant(Accounts.ANONYMOUS, ydb.database().path(), Right.values());
        destination.close();
    }

    private void deleteRow() {
        destination.query("DELETE FROM $STATE WHERE id = 'inst'");
    }

    private void dropStateTable() {
        destination.scheme("DROP TABLE " + destination.stateTable.quoted());
    }

    private void dropOurs() {
        for (String suffix : List.of("_instances", "_streams", "_decisions")) {
            destination.scheme("DROP TABLE `" + destination.stateTable.path() + suffix + "`");
        }
    }

    private static Problem told(DrivenTarget by) {
        Problem problem = DrivenTarget.expect(by.acquire(), LockFatal.class, LockFatal::problem);
        assertThat(problem.reason()).isEqualTo(Reason.STATE_LOST);
        return problem;
    }

    private String statement() {
        return "UPSERT INTO " + destination.stateTable.quoted()
                + " (id, step_id, tx_id, state, stage) VALUES ('inst', 13ul, 18446744073709551615ul, 'OK', 'RUN')";
    }

    private void notMade() {
        assertThat(destination.query("SELECT * FROM $STATE").getResultSets(0).getRowsCount())
                .isZero();
    }

    @Nested
    @DisplayName("alone")
    class Alone {
        @BeforeEach
        void delete() {
            deleteRow();
        }

        @Test
        void isToldByTheHolderWithWhatItSaidAndHowItIsPutBack() {
            assertThat(holder.commit(destination.batch(2, 14))).isInstanceOf(Fenced.class);
            holder.release();
            Problem problem = told(holder);

            assertThat(problem.what())
                    .contains(destination.stateTable.path(), "row 'inst': the row is gone")
                    .contains("stage RUN, checkpoint [13,18446744073709551615]")
                    .contains("_instances still tells of a last transaction with checkpoint [13,", "of 1 stream");
            assertThat(problem.remedy()).contains(statement(), "docs/runbooks/fatal/STATE_LOST.md");
            notMade();
        }

        @Test
        void isToldByAStandbyToo() {
            assertThat(told(standby).remedy()).contains(statement());
            notMade();
        }

        @Test
        void isToldByAProcessThatComesToItOnlyNow() {
            assertThat(told(destination.target("host-3")).remedy()).contains(statement());
            notMade();
        }

        @Test
        void isToldByALoad() {
            assertThat(DrivenTarget.expect(holder.load(), LoadFatal.class, LoadFatal::problem)
                            .reason())
                    .isEqualTo(Reason.STATE_LOST);
        }

        @Test
        void isGoneOnWithWhenItWasPutBackAsWasSaid() {
            told(standby);
            destination.query(statement());
            DrivenTarget next = destination.target("host-3");
            next.begin();

            SavedState saved = next.saved();
            assertThat(saved.checkpoint()).isEqualTo(new Position(13, -1));
            assertThat(saved.stage()).isEqualTo(Stage.RUN);
            assertThat(saved.instance().map(SavedState.InstanceRow::vouched)).contains(saved.checkpoint());
            assertThat(saved.streams()).containsExactly(ROW);
        }
    }

    @Nested
    @DisplayName("with its table")
    class WithItsTable {
        @Test
        void isToldAndTheTableIsNotMadeAgain() {
            dropStateTable();

            Problem problem = told(standby);
            assertThat(problem.what()).contains("the table is gone, and the row with it", "checkpoint [13,");
            assertThat(problem.remedy())
                    .contains(StateTable.createIfAbsent(destination.stateTable).replaceAll("\\s+", " "), statement());
            assertThat(told(destination.target("host-3")).what()).contains("the table is gone");
            assertThat(destination.tryQuery("SELECT * FROM $STATE", Map.of()).isSuccess())
                    .isFalse();
        }

        @Test
        void isToldWithoutOurTablesTooAndNoneIsMade() {
            dropStateTable();
            dropOurs();

            assertThat(told(holder).remedy()).contains(statement());
            assertThat(told(standby).remedy()).contains(statement());
            assertThat(destination
                            .tryQuery(
                                    "SELECT * FROM `"
                                            + InstanceTable.beside(destination.stateTable)
                                                    .path() + "`",
                                    Map.of())
                            .isSuccess())
                    .isFalse();
        }

        @Test
        void isWaitedForWhenTheTableIsOnlyHidden() {
            String path = destination.stateTable.absolutePath(ydb.database().path());
            ydb.permissions().revoke(Accounts.ANONYMOUS, path, Right.DESCRIBE);
            assertThat(standby.acquire()).isInstanceOf(LockUnknown.class);
            assertThat(standby.acquire()).isInstanceOf(LockUnknown.class);

            ydb.permissions().grant(Accounts.ANONYMOUS, path, Right.DESCRIBE);
            assertThat(standby.acquire()).isInstanceOf(LockBusy.class);
        }
    }

    @Test
    @DisplayName("is known, too, where somebody made another one in its place")
    void replaced() {
        deleteRow();
        destination.query("DELETE FROM `" + destination.stateTable.path() + "_instances` WHERE id = 'inst'");
        destination.query("DELETE FROM `" + destination.stateTable.path() + "_streams` WHERE id = 'inst'");
        destination.query("UPSERT INTO $STATE (id, step_id, tx_id, state, stage)"
                + " VALUES ('inst', 0ul, 0ul, 'OK', 'INITIAL_SCAN')");

        assertThat(standby.acquire()).isInstanceOf(LockHeld.class);
        Problem problem = DrivenTarget.expect(standby.load(), LoadFatal.class, LoadFatal::problem);
        assertThat(problem.reason()).isEqualTo(Reason.STATE_LOST);
        assertThat(problem.what()).contains("made anew by somebody");
        assertThat(problem.remedy()).contains("'RUN'");

        DrivenTarget believing = destination.target("host-3");
        standby.release();
        assertThat(believing.acquire()).isInstanceOf(LockHeld.class);
        assertThat(believing.load())
                .as("to a process that saw nothing else it is a predecessor's")
                .isInstanceOf(Loaded.class);
    }

    @Test
    @DisplayName("is made by whoever comes first, where nothing tells of an instance")
    void fresh() {
        deleteRow();
        dropOurs();
        DrivenTarget first = destination.target("host-3");

        first.begin();

        assertThat(first.saved().stage()).isEqualTo(Stage.INITIAL_SCAN);
        assertThat(first.commit(destination.batch(1, 20))).isEqualTo(new Committed(1));
    }

    @Test
    @DisplayName("of ours beside it is made again, and its table")
    void ours() {
        dropOurs();
        assertThat(holder.commit(destination.batch(2, 14))).isInstanceOf(Fenced.class);
        holder.release();

        holder.begin();

        assertThat(holder.saved().checkpoint()).isEqualTo(new Position(13, -1));
        assertThat(holder.saved().streams()).isEmpty();
    }
}
