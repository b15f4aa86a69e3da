package io.aardappel.emulator.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.model.fault.Fault;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.query.YdbQuery;
import tech.ydb.proto.query.v1.QueryServiceGrpc;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.v1.TableServiceGrpc;
import tech.ydb.table.TableClient;
import tech.ydb.table.transaction.TxControl;

@DisplayName("An ordered fault")
class CommitFaultsTest {
    private static final String UPSERT = "UPSERT INTO t (id, v) VALUES (1, 'a'u);";

    private final RawYdb ydb = RawYdb.start();
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

    private StatusCode upsert() {
        return ydb.dataQuery(session, RawYdb.begin(true), UPSERT).getStatus();
    }

    private void order(FaultRule rule) {
        ydb.emulator.faults().add(rule.times(1));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"ABORTED", "UNAVAILABLE", "OVERLOADED"})
    void refusesARequestThatIsThenNotCarriedOut(Fault fault) {
        order(FaultRule.of(fault).during(Operation.QUERY));
        assertThat(upsert()).isEqualTo(StatusCode.valueOf(fault.name()));
        assertThat(ydb.count("t")).isZero();
    }

    @Test
    void refusesACommitThatIsThenRolledBack() {
        order(FaultRule.of(Fault.ABORTED).during(Operation.COMMIT));
        assertThat(upsert()).isEqualTo(StatusCode.ABORTED);
        assertThat(ydb.count("t")).isZero();
    }

    @Test
    void strikesOnlyTransactionsOfItsTable() {
        order(FaultRule.of(Fault.ABORTED).during(Operation.COMMIT).at("/local/other"));
        assertThat(upsert()).isEqualTo(StatusCode.SUCCESS);
    }

    @Test
    void losesTheSession() {
        order(FaultRule.of(Fault.BAD_SESSION));
        assertThat(upsert()).isEqualTo(StatusCode.BAD_SESSION);
        assertThat(upsert()).isEqualTo(StatusCode.BAD_SESSION);
    }

    /** The hints in the trailers of the calls that are made. */
    private List<String> hints(Consumer<Channel> calls) {
        AtomicReference<Metadata> headers = new AtomicReference<>();
        AtomicReference<Metadata> trailers = new AtomicReference<>();
        calls.accept(ClientInterceptors.intercept(
                ydb.channel(), MetadataUtils.newCaptureMetadataInterceptor(headers, trailers)));
        Iterable<String> values = trailers.get().getAll(ServerHints.HEADER);
        return values == null
                ? List.of()
                : StreamSupport.stream(values.spliterator(), false).toList();
    }

    private List<String> hintsOfATableQuery() {
        return hints(channel -> TableServiceGrpc.newBlockingStub(channel)
                .executeDataQuery(YdbTable.ExecuteDataQueryRequest.newBuilder()
                        .setSessionId(session)
                        .setTxControl(RawYdb.begin(true))
                        .setQuery(YdbTable.Query.newBuilder().setYqlText(UPSERT))
                        .build()));
    }

    @Test
    void asksTheClientToGiveUpASessionThatWorksOn() {
        order(FaultRule.of(Fault.SESSION_CLOSE).during(Operation.QUERY));
        assertThat(hintsOfATableQuery()).containsExactly("session-close");
        assertThat(hintsOfATableQuery()).isEmpty();
        assertThat(ydb.count("t")).isEqualTo(1);
    }

    @Test
    void asksTheClientOfAQuerySessionToo() {
        String querySession = ydb.querySession();
        order(FaultRule.of(Fault.SESSION_CLOSE).at("/local/t"));
        assertThat(hints(channel -> QueryServiceGrpc.newBlockingStub(channel)
                        .executeQuery(RawYdb.query(querySession, UPSERT).build())
                        .forEachRemaining(part -> assertThat(part.getStatus()).isEqualTo(StatusCode.SUCCESS))))
                .containsExactly("session-close");
    }

    @Test
    void makesTheSdkGiveUpItsSession() {
        try (GrpcTransport transport = GrpcTransport.forConnectionString(ydb.emulator.connectionString())
                        .build();
                TableClient client = TableClient.newClient(transport).build()) {
            order(FaultRule.of(Fault.SESSION_CLOSE));
            try (tech.ydb.table.Session hinted =
                    client.createSession(Duration.ofSeconds(10)).join().getValue()) {
                hinted.executeDataQuery(UPSERT, TxControl.serializableRw())
                        .join()
                        .getStatus()
                        .expectSuccess("refused");
            }
            await().untilAsserted(() ->
                    assertThat(client.sessionPoolStats().getIdleCount()).isZero());
        }
    }

    @Test
    void hidesThatACommitWasApplied() {
        order(FaultRule.of(Fault.COMMIT_UNDETERMINED));
        assertThat(upsert()).isEqualTo(StatusCode.UNDETERMINED);
        assertThat(ydb.count("t")).isEqualTo(1);
    }

    @Test
    void leavesAnAppliedCommitUnanswered() {
        order(FaultRule.of(Fault.COMMIT_UNANSWERED));
        YdbTable.ExecuteDataQueryRequest request = YdbTable.ExecuteDataQueryRequest.newBuilder()
                .setSessionId(session)
                .setTxControl(RawYdb.begin(true))
                .setQuery(YdbTable.Query.newBuilder().setYqlText(UPSERT))
                .build();
        assertThatThrownBy(() -> ydb.tables()
                        .withDeadlineAfter(500, TimeUnit.MILLISECONDS)
                        .executeDataQuery(request))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        late -> assertThat(late.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
        await().until(() -> ydb.count("t") == 1);
    }

    @Test
    void landsACommitAfterItsErrorAnswer() {
        order(FaultRule.of(Fault.COMMIT_LATE).withDelay(Duration.ofMillis(1_500)));
        assertThat(upsert()).isEqualTo(StatusCode.UNDETERMINED);
        assertThat(ydb.count("t")).isZero();
        await().until(() -> ydb.count("t") == 1);
    }

    @Test
    void landsALateCommitEvenWhenItsSessionIsGone() {
        order(FaultRule.of(Fault.COMMIT_LATE).withDelay(Duration.ofMillis(1_500)));
        upsert();
        ydb.emulator.restartNode();
        await().until(() -> ydb.count("t") == 1);
    }

    @Test
    void letsALateCommitFailWhenItsLocksAreBroken() {
        order(FaultRule.of(Fault.COMMIT_LATE).withDelay(Duration.ofMillis(1_500)));
        String readAndWrite = "SELECT v FROM t WHERE id = 1; " + UPSERT;
        assertThat(ydb.dataQuery(session, RawYdb.begin(true), readAndWrite).getStatus())
                .isEqualTo(StatusCode.UNDETERMINED);
        ydb.dataQuery(session, RawYdb.begin(true), "UPSERT INTO t (id, v) VALUES (1, 'b'u);");
        await().until(() -> ydb.emulator.database().runningTransactions() == 0);
        assertThat(RawYdb.result(
                                ydb.dataQuery(session, RawYdb.begin(true), "SELECT v FROM t WHERE id = 1;"),
                                YdbTable.ExecuteQueryResult.class)
                        .getResultSets(0)
                        .getRows(0)
                        .getItems(0)
                        .getTextValue())
                .isEqualTo("b");
    }

    @Test
    void slowsACommitDown() {
        order(FaultRule.of(Fault.COMMIT_SLOW).withDelay(Duration.ofMillis(300)));
        long began = System.nanoTime();
        assertThat(upsert()).isEqualTo(StatusCode.SUCCESS);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void restartsTheNode() {
        order(FaultRule.of(Fault.NODE_RESTART));
        await().until(() -> ydb.emulator.sessions() == 0);
        assertThat(upsert()).isEqualTo(StatusCode.BAD_SESSION);
    }

    @Test
    void cutsTheStreamOfAnAttachedSession() {
        Iterator<YdbQuery.SessionState> states = ydb.queries()
                .attachSession(YdbQuery.AttachSessionRequest.newBuilder()
                        .setSessionId(ydb.querySession())
                        .build());
        states.next();
        order(FaultRule.of(Fault.STREAM_CUT).during(Operation.SESSION));
        assertThatThrownBy(states::hasNext)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        cut -> assertThat(cut.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    }

    @Test
    void makesTheClockJump() {
        long before = ydb.emulator.database().now().step();
        order(FaultRule.of(Fault.CLOCK_JUMP).withAmount(3_600_000));
        await().until(() -> ydb.emulator.database().now().step() >= before + 3_600_000);
    }

    @Test
    void isCounted() {
        order(FaultRule.of(Fault.COMMIT_UNDETERMINED));
        upsert();
        assertThat(ydb.emulator.faults().fired(Fault.COMMIT_UNDETERMINED)).isEqualTo(1);
    }
}
