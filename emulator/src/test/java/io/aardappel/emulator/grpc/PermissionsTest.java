package io.aardappel.emulator.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.grpc.Permissions.Right;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathRequest;
import tech.ydb.proto.table.YdbTable;

@DisplayName("A user who has lost a right on a table")
class PermissionsTest {
    private static final String TABLE = "/local/t";
    private static final String SELECT = "SELECT v FROM t WHERE id = 1;";
    private static final String UPSERT = "UPSERT INTO t (id, v) VALUES (1, 'a'u);";

    private final RawYdb ydb = RawYdb.start();
    private String session = "";

    @BeforeEach
    void makeTable() {
        session = ydb.session();
        ydb.schemeQuery(session, "CREATE TABLE t (id Int64 NOT NULL, v Utf8, PRIMARY KEY (id));");
    }

    @AfterEach
    void stop() {
        ydb.close();
    }

    private void revoke(Right... rights) {
        ydb.emulator.permissions().revoke(Accounts.ANONYMOUS, TABLE, rights);
    }

    private Operation run(String text) {
        return ydb.dataQuery(session, RawYdb.begin(true), text);
    }

    private StatusCode describe() {
        return describe(TABLE);
    }

    private StatusCode describe(String path) {
        return ydb.tables()
                .describeTable(YdbTable.DescribeTableRequest.newBuilder()
                        .setSessionId(session)
                        .setPath(path)
                        .build())
                .getOperation()
                .getStatus();
    }

    @ParameterizedTest
    @ValueSource(strings = {SELECT, UPSERT, "DELETE FROM t WHERE id = 1;"})
    void isToldThatItIsNotThereWithoutTheRightToDescribeIt(String text) {
        revoke(Right.DESCRIBE);
        Operation refused = run(text);
        assertThat(refused.getStatus()).isEqualTo(StatusCode.SCHEME_ERROR);
        assertThat(refused.toString()).contains("does not exist or you do not have access permissions");
    }

    @Test
    void cannotDescribeItWithoutTheRightTo() {
        revoke(Right.DESCRIBE);
        assertThat(describe()).isEqualTo(StatusCode.SCHEME_ERROR);
        assertThat(ydb.scheme()
                        .describePath(
                                DescribePathRequest.newBuilder().setPath(TABLE).build())
                        .getOperation()
                        .getStatus())
                .isEqualTo(StatusCode.SCHEME_ERROR);
    }

    @Test
    void describesAnotherTableWhoseNameHoldsTheSameLetters() {
        ydb.schemeQuery(session, "CREATE TABLE state (id Int64 NOT NULL, PRIMARY KEY (id));");
        revoke(Right.DESCRIBE);
        assertThat(describe("/local/state")).isEqualTo(StatusCode.SUCCESS);
    }

    @Test
    void isAbortedWhenItReadsWithoutTheRightTo() {
        revoke(Right.READ);
        Operation refused = run(SELECT);
        assertThat(refused.getStatus()).isEqualTo(StatusCode.ABORTED);
        assertThat(refused.toString()).contains("Failed to resolve table `/local/t` status: AccessDenied");
    }

    @Test
    void isAbortedWhenItWritesWithoutTheRightTo() {
        revoke(Right.WRITE);
        assertThat(run(UPSERT).getStatus()).isEqualTo(StatusCode.ABORTED);
        assertThat(run(SELECT).getStatus()).isEqualTo(StatusCode.SUCCESS);
        assertThat(describe()).isEqualTo(StatusCode.SUCCESS);
    }

    @Test
    void doesNotKeepTheTransactionInWhichThatHappened() {
        Operation begun = ydb.dataQuery(session, RawYdb.begin(false), SELECT);
        String transaction = RawYdb.result(begun, YdbTable.ExecuteQueryResult.class)
                .getTxMeta()
                .getId();
        revoke(Right.WRITE);
        assertThat(ydb.dataQuery(session, RawYdb.in(transaction), UPSERT).getStatus())
                .isEqualTo(StatusCode.ABORTED);
        assertThat(ydb.commit(session, transaction).getStatus()).isEqualTo(StatusCode.NOT_FOUND);
    }

    @Test
    void mayDoItAgainWhenItIsGivenBack() {
        revoke(Right.DESCRIBE, Right.WRITE);
        ydb.emulator.permissions().grant(Accounts.ANONYMOUS, TABLE, Right.DESCRIBE, Right.WRITE);
        assertThat(run(UPSERT).getStatus()).isEqualTo(StatusCode.SUCCESS);
    }

    @Test
    void losesItForAllThatLiesBelowThePath() {
        ydb.emulator.permissions().revoke(Accounts.ANONYMOUS, "/local", Right.READ);
        assertThat(run(SELECT).getStatus()).isEqualTo(StatusCode.ABORTED);
    }

    @Test
    void keepsWhatWasGivenOnTheObjectItself() {
        ydb.emulator.permissions().grant(Accounts.ANONYMOUS, TABLE, Right.READ);
        ydb.emulator.permissions().revoke(Accounts.ANONYMOUS, "/local", Right.READ);
        assertThat(run(SELECT).getStatus()).isEqualTo(StatusCode.SUCCESS);
    }

    @Test
    void isTheOnlyOneToLoseIt() {
        ydb.emulator.permissions().revoke("somebody", TABLE, Right.DESCRIBE, Right.READ, Right.WRITE);
        assertThat(run(SELECT).getStatus()).isEqualTo(StatusCode.SUCCESS);
    }
}
