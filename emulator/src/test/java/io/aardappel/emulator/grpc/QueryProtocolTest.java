package io.aardappel.emulator.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.value.Type.Primitive;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.query.YdbQuery;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.YdbQuery.TransactionControl;

@DisplayName("The query service")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryProtocolTest {
    private final RawYdb ydb = RawYdb.start();
    private String session = "";

    @BeforeAll
    void createTable() {
        ydb.query(RawYdb.query(ydb.querySession(), "CREATE TABLE t (id Int64 NOT NULL, v Utf8, PRIMARY KEY (id));"));
    }

    @AfterAll
    void stop() {
        ydb.close();
    }

    @BeforeEach
    void open() {
        session = ydb.querySession();
    }

    private static TransactionControl.Builder begin() {
        return TransactionControl.newBuilder().setBeginTx(RawYdb.serializable());
    }

    @Nested
    @DisplayName("attached to a session")
    class AttachedToASession {
        private YdbQuery.AttachSessionRequest request() {
            return YdbQuery.AttachSessionRequest.newBuilder()
                    .setSessionId(session)
                    .build();
        }

        @Test
        void speaksAtOnce() {
            assertThat(ydb.queries().attachSession(request()).next().getStatus())
                    .isEqualTo(StatusCode.SUCCESS);
        }

        @Test
        void endsTheStreamWithTheSession() {
            Iterator<YdbQuery.SessionState> states = ydb.queries().attachSession(request());
            states.next();
            ydb.queries()
                    .deleteSession(YdbQuery.DeleteSessionRequest.newBuilder()
                            .setSessionId(session)
                            .build());
            assertThat(states.hasNext()).isFalse();
        }

        @Test
        void refusesOneThatIsNotThere() {
            session = "none";
            assertThat(ydb.queries().attachSession(request()).next().getStatus())
                    .isEqualTo(StatusCode.BAD_SESSION);
        }
    }

    @Test
    void namesTheTransactionInTheFirstPart() {
        List<ExecuteQueryResponsePart> parts =
                ydb.query(RawYdb.query(session, "SELECT 1; SELECT 2;").setTxControl(begin()));
        assertThat(parts).hasSize(2);
        assertThat(parts.get(0).getTxMeta().getId()).isNotEmpty();
    }

    @Test
    void answersAnEmptyTransactionIdWhenTheStatementCommits() {
        List<ExecuteQueryResponsePart> parts =
                ydb.query(RawYdb.query(session, "SELECT 1;").setTxControl(begin().setCommitTx(true)));
        assertThat(parts).singleElement().satisfies(part -> {
            assertThat(part.hasTxMeta()).isTrue();
            assertThat(part.getTxMeta().getId()).isEmpty();
        });
    }

    @Test
    void answersOnePartWithoutAnyResult() {
        List<ExecuteQueryResponsePart> parts = ydb.query(
                RawYdb.query(session, "UPSERT INTO t (id) VALUES (1);").setTxControl(begin()));
        assertThat(parts).singleElement().satisfies(part -> {
            assertThat(part.getStatus()).isEqualTo(StatusCode.SUCCESS);
            assertThat(part.hasResultSet()).isFalse();
            assertThat(part.getTxMeta().getId()).isNotEmpty();
        });
    }

    @Test
    void numbersTheResultSets() {
        List<ExecuteQueryResponsePart> parts = ydb.query(RawYdb.query(session, "SELECT 1; SELECT 2;"));
        assertThat(parts)
                .extracting(ExecuteQueryResponsePart::getResultSetIndex)
                .containsExactly(0L, 1L);
    }

    @Test
    void takesParametersWithoutDeclaration() {
        List<ExecuteQueryResponsePart> parts = ydb.query(RawYdb.query(session, "SELECT $p AS p;")
                .putParameters(
                        "$p",
                        RawYdb.typed(
                                Primitive.UINT16,
                                Value.newBuilder().setUint32Value(7).build())));
        assertThat(parts.get(0).getResultSet().getRows(0).getItems(0).getUint32Value())
                .isEqualTo(7);
    }

    @Test
    void namesAParameterThatItCannotRead() {
        List<ExecuteQueryResponsePart> parts = ydb.query(RawYdb.query(session, "SELECT $p AS p;")
                .putParameters(
                        "$p",
                        RawYdb.typed(
                                Primitive.INT8,
                                Value.newBuilder().setInt32Value(1_000).build())));
        assertThat(parts).singleElement().satisfies(part -> {
            assertThat(part.getStatus()).isEqualTo(StatusCode.BAD_REQUEST);
            assertThat(part.getIssues(0).getMessage())
                    .isEqualTo("Parameter $p: value 1000 is out of the range of Int8");
        });
    }

    @Test
    void cutsALargeResultIntoPartsThatRepeatTheColumns() {
        String rows = "SELECT * FROM AS_TABLE(ListMap(ListFromRange(0, 100), ($i) -> (AsStruct($i AS i))));";
        List<ExecuteQueryResponsePart> parts =
                ydb.query(RawYdb.query(session, rows).setResponsePartLimitBytes(64));
        assertThat(parts.size()).isGreaterThan(1);
        assertThat(parts)
                .allSatisfy(part ->
                        assertThat(part.getResultSet().getColumnsCount()).isEqualTo(1));
        assertThat(parts.stream()
                        .mapToInt(part -> part.getResultSet().getRowsCount())
                        .sum())
                .isEqualTo(100);
    }

    @Test
    void answersStatisticsWhenTheyAreAskedFor() {
        List<ExecuteQueryResponsePart> parts =
                ydb.query(RawYdb.query(session, "SELECT 1;").setStatsMode(YdbQuery.StatsMode.STATS_MODE_BASIC));
        assertThat(parts.get(parts.size() - 1).getExecStats().getTotalDurationUs())
                .isPositive();
    }

    @Test
    void runsSchemaStatementsOnlyWithoutTransactionControl() {
        List<ExecuteQueryResponsePart> parts =
                ydb.query(RawYdb.query(session, "DROP TABLE t;").setTxControl(begin()));
        assertThat(parts.get(0).getStatus()).isNotEqualTo(StatusCode.SUCCESS);
    }

    @Test
    void beginsNoOpenTransactionThatOnlyReadsOnline() {
        YdbQuery.TransactionSettings online = YdbQuery.TransactionSettings.newBuilder()
                .setOnlineReadOnly(YdbQuery.OnlineModeSettings.getDefaultInstance())
                .build();
        YdbQuery.BeginTransactionResponse response = ydb.queries()
                .beginTransaction(YdbQuery.BeginTransactionRequest.newBuilder()
                        .setSessionId(session)
                        .setTxSettings(online)
                        .build());
        assertThat(response.getStatus()).isEqualTo(StatusCode.BAD_REQUEST);
    }

    @Test
    void saysThatItRunsNoScripts() {
        assertThat(ydb.queries()
                        .executeScript(YdbQuery.ExecuteScriptRequest.getDefaultInstance())
                        .getStatus())
                .isEqualTo(StatusCode.UNSUPPORTED);
    }
}
