package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.Accounts;
import io.aardappel.emulator.grpc.Permissions.Right;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.engine.TargetEvent;
import io.aardappel.replicator.engine.TargetEvent.Committed;
import io.aardappel.replicator.engine.TargetEvent.FatalNotWritten;
import io.aardappel.replicator.engine.TargetEvent.LockHeld;
import io.aardappel.replicator.engine.TargetEvent.LockUnknown;
import io.aardappel.replicator.engine.TargetEvent.Refused;
import io.aardappel.replicator.engine.TargetEvent.Retryable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@WithYdb
@DisplayName("A right that is taken away while the lock is held")
class LostRightsTest {
    private static final String REMEDY = "its account may read and write there";

    private final YdbEmulator ydb;
    private final Destination destination;
    private final DrivenTarget target;

    LostRightsTest(YdbEmulator ydb) {
        this.ydb = ydb;
        this.destination = new Destination(ydb);
        this.target = destination.target("host-1");
    }

    @BeforeEach
    void begin() {
        destination.createTable();
        target.begin();
        destination.shape();
    }

    @AfterEach
    void close() throws Exception {
        ydb.permissions().grant(Accounts.ANONYMOUS, ydb.database().path(), Right.values());
        destination.close();
    }

    /** From the whole database, so that the test's own session has to wait until it is given back. */
    private void revoke(Right right) {
        ydb.permissions().revoke(Accounts.ANONYMOUS, ydb.database().path(), right);
    }

    private void giveBack(Right right) {
        ydb.permissions().grant(Accounts.ANONYMOUS, ydb.database().path(), right);
    }

    private TargetEvent commit(long number) {
        return target.commit(destination.batch(number, 10, destination.upsert(1, "x")));
    }

    @Nested
    @DisplayName("to write")
    class ToWrite {
        @BeforeEach
        void revoked() {
            revoke(Right.WRITE);
        }

        @Test
        void isToldFromAConflictThoughTheServerSaysAborted() {
            assertThat(commit(1)).isInstanceOfSatisfying(Retryable.class, answer -> {
                assertThat(answer.cause()).isEqualTo("ACCESS_DENIED");
                assertThat(answer.why()).contains("ABORTED", destination.table, REMEDY);
                assertThat(answer.timedOut()).isFalse();
            });
        }

        @Test
        void isToldWhenTheLockCannotBeRenewed() {
            assertThat(target.renew())
                    .isInstanceOfSatisfying(
                            LockUnknown.class,
                            answer -> assertThat(answer.why()).contains(destination.stateTable.path(), REMEDY));
        }

        @Test
        void keepsFatalErrorFromBeingWritten() {
            assertThat(target.writeFatal(new Problem(Problem.Reason.LATE_RECORD, "what", "remedy")))
                    .isInstanceOf(FatalNotWritten.class);
        }

        @Test
        void isGoneOnWithWhenItIsBack() {
            commit(1);
            giveBack(Right.WRITE);
            assertThat(target.renew()).isInstanceOf(LockHeld.class);
            assertThat(commit(2)).isEqualTo(new Committed(2));
        }
    }

    @Test
    @DisplayName("to see the table is final, and the remedy speaks of it")
    void toSeeTheTable() {
        ydb.permissions().revoke(Accounts.ANONYMOUS, destination.table, Right.DESCRIBE);
        assertThat(commit(1)).isInstanceOfSatisfying(Refused.class, answer -> {
            assertThat(answer.problem().what()).contains(destination.table, "access permissions");
            assertThat(answer.problem().remedy()).contains("may read and write them");
        });
        ydb.permissions().grant(Accounts.ANONYMOUS, destination.table, Right.DESCRIBE);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("whichever, keeps the lock from being taken anew, and no longer than it is away")
    void keepsTheLockAway(Right right) {
        target.release();
        revoke(right);
        assertThat(target.acquire())
                .isInstanceOfSatisfying(
                        LockUnknown.class, answer -> assertThat(answer.why()).containsIgnoringCase("access"));
        giveBack(right);
        assertThat(target.acquire()).isInstanceOf(LockHeld.class);
    }
}
