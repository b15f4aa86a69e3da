package io.aardappel.emulator.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.fault.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.table.YdbTable;

@DisplayName("A session")
class SessionRulesTest {
    private RawYdb ydb = RawYdb.start();
    private String session = "";

    @BeforeEach
    void open() {
        session = ydb.session();
        ydb.schemeQuery(session, "CREATE TABLE t (id Int64 NOT NULL, v Utf8, PRIMARY KEY (id));");
    }

    @AfterEach
    void stop() {
        ydb.close();
    }

    private void restartWith(ServerLimits limits) {
        ydb.close();
        ydb = new RawYdb(YdbEmulator.builder().serverLimits(limits));
        session = ydb.session();
    }

    private String beginWithWrite() {
        Operation operation = ydb.dataQuery(session, RawYdb.begin(false), "UPSERT INTO t (id, v) VALUES (1, 'a'u);");
        return RawYdb.result(operation, YdbTable.ExecuteQueryResult.class)
                .getTxMeta()
                .getId();
    }

    private Operation delete(String id) {
        return ydb.tables()
                .deleteSession(YdbTable.DeleteSessionRequest.newBuilder()
                        .setSessionId(id)
                        .build())
                .getOperation();
    }

    @Test
    void namesItsNodeInItsId() {
        assertThat(session).startsWith("ydb://session/3?node_id=1&id=");
    }

    @Test
    void thatIsUnknownIsABadSession() {
        assertThat(ydb.dataQuery("ydb://session/3?node_id=1&id=none", RawYdb.begin(true), "SELECT 1;")
                        .getStatus())
                .isEqualTo(StatusCode.BAD_SESSION);
    }

    @Test
    void withoutAnIdIsABadRequest() {
        assertThat(ydb.dataQuery("", RawYdb.begin(true), "SELECT 1;").getStatus())
                .isEqualTo(StatusCode.BAD_REQUEST);
    }

    @Test
    void isGoneAfterItsDeletion() {
        delete(session);
        assertThat(delete(session).getStatus()).isEqualTo(StatusCode.BAD_SESSION);
    }

    @Test
    void rollsBackItsTransactionsWhenItIsDeleted() {
        beginWithWrite();
        delete(session);
        assertThat(ydb.emulator.database().runningTransactions()).isZero();
        assertThat(ydb.count("t")).isZero();
    }

    @Test
    void runsOneQueryAtATime() {
        ydb.emulator
                .faults()
                .add(FaultRule.of(Fault.COMMIT_SLOW)
                        .withDelay(Duration.ofSeconds(2))
                        .times(1));
        CompletableFuture<StatusCode> slow = CompletableFuture.supplyAsync(
                () -> ydb.dataQuery(session, RawYdb.begin(true), "SELECT 1;").getStatus());
        await().until(() -> ydb.emulator.faults().fired(Fault.COMMIT_SLOW) == 1);
        assertThat(ydb.dataQuery(session, RawYdb.begin(true), "SELECT 1;").getStatus())
                .isEqualTo(StatusCode.SESSION_BUSY);
        assertThat(slow.join()).isEqualTo(StatusCode.SUCCESS);
    }

    @Test
    void saysThatItIsReady() {
        Operation operation = ydb.tables()
                .keepAlive(YdbTable.KeepAliveRequest.newBuilder()
                        .setSessionId(session)
                        .build())
                .getOperation();
        assertThat(RawYdb.result(operation, YdbTable.KeepAliveResult.class).getSessionStatus())
                .isEqualTo(YdbTable.KeepAliveResult.SessionStatus.SESSION_STATUS_READY);
    }

    @Test
    void beyondTheLimitIsRefusedAsOverload() {
        restartWith(ServerLimits.DEFAULT.withSessions(2));
        ydb.session();
        assertThat(ydb.tables()
                        .createSession(YdbTable.CreateSessionRequest.getDefaultInstance())
                        .getOperation()
                        .getStatus())
                .isEqualTo(StatusCode.OVERLOADED);
    }

    @Test
    void goesWhenItIsIdleForTooLong() {
        restartWith(ServerLimits.DEFAULT.withSessionIdle(Duration.ofMillis(1)));
        await().atMost(Duration.ofSeconds(20)).until(() -> ydb.emulator.sessions() == 0);
    }

    @Nested
    @DisplayName("with an open transaction")
    class WithAnOpenTransaction {
        private String txId = "";

        @BeforeEach
        void begin() {
            txId = beginWithWrite();
        }

        @Test
        void goesOnInIt() {
            assertThat(ydb.dataQuery(session, RawYdb.in(txId), "SELECT v FROM t WHERE id = 1;")
                            .getStatus())
                    .isEqualTo(StatusCode.SUCCESS);
        }

        @Test
        void answersAnEmptyIdAfterTheCommit() {
            YdbTable.TransactionControl last =
                    RawYdb.in(txId).toBuilder().setCommitTx(true).build();
            Operation operation = ydb.dataQuery(session, last, "SELECT 1;");
            assertThat(RawYdb.result(operation, YdbTable.ExecuteQueryResult.class)
                            .getTxMeta()
                            .getId())
                    .isEmpty();
        }

        @Test
        void forgetsItOnceItIsCommitted() {
            ydb.commit(session, txId);
            Operation again = ydb.commit(session, txId);
            assertThat(again.getStatus()).isEqualTo(StatusCode.NOT_FOUND);
            assertThat(again.getIssues(0).getMessage()).isEqualTo("Transaction not found: " + txId);
            assertThat(again.getIssues(0).getIssueCode()).isEqualTo(Issue.TRANSACTION_NOT_FOUND);
        }

        @Test
        void doesNotLendItToOtherSessions() {
            assertThat(ydb.commit(ydb.session(), txId).getStatus()).isEqualTo(StatusCode.NOT_FOUND);
        }

        @Test
        void losesItByAnyError() {
            ydb.dataQuery(session, RawYdb.in(txId), "SELECT * FROM no_such_table;");
            assertThat(ydb.commit(session, txId).getStatus()).isEqualTo(StatusCode.NOT_FOUND);
            assertThat(ydb.count("t")).isZero();
        }

        @Test
        void refusesTooManyOfThem() {
            for (int i = 1; i < ServerLimits.DEFAULT.transactionsPerSession(); i++) {
                beginWithWrite();
            }
            assertThat(ydb.dataQuery(session, RawYdb.begin(false), "SELECT 1;").getStatus())
                    .isEqualTo(StatusCode.BAD_SESSION);
        }
    }
}
