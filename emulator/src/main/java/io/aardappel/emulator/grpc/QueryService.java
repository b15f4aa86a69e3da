package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Database;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import tech.ydb.proto.OperationProtos;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.YdbIssueMessage.IssueMessage;
import tech.ydb.proto.query.YdbQuery.AttachSessionRequest;
import tech.ydb.proto.query.YdbQuery.BeginTransactionRequest;
import tech.ydb.proto.query.YdbQuery.BeginTransactionResponse;
import tech.ydb.proto.query.YdbQuery.CommitTransactionRequest;
import tech.ydb.proto.query.YdbQuery.CommitTransactionResponse;
import tech.ydb.proto.query.YdbQuery.CreateSessionRequest;
import tech.ydb.proto.query.YdbQuery.CreateSessionResponse;
import tech.ydb.proto.query.YdbQuery.DeleteSessionRequest;
import tech.ydb.proto.query.YdbQuery.DeleteSessionResponse;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.YdbQuery.ExecuteScriptRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsResponse;
import tech.ydb.proto.query.YdbQuery.RollbackTransactionRequest;
import tech.ydb.proto.query.YdbQuery.RollbackTransactionResponse;
import tech.ydb.proto.query.YdbQuery.SessionState;
import tech.ydb.proto.query.YdbQuery.TransactionMeta;
import tech.ydb.proto.query.v1.QueryServiceGrpc.QueryServiceImplBase;

/** Ydb.Query.V1: sessions and transactions here, queries in {@link QueryExecution}. */
final class QueryService extends QueryServiceImplBase {
    private final ServerContext context;
    private final Calls calls;
    private final Queries queries;
    private final QueryExecution execution;

    QueryService(ServerContext context, Calls calls) {
        this.context = context;
        this.calls = calls;
        this.queries = new Queries(context);
        this.execution = new QueryExecution(context, calls, queries);
    }

    private Database database() {
        return context.databases().ofCall().database();
    }

    private <R> void answer(
            StreamObserver<R> observer,
            Operation operation,
            BiFunction<StatusCode, List<IssueMessage>, R> refused,
            Supplier<R> body) {
        calls.bare(
                observer,
                () -> Site.of(database().path(), operation),
                refusal -> refused.apply(StatusCodec.encode(refusal.status()), StatusCodec.encode(refusal.issues())),
                body);
    }

    @Override
    public void createSession(CreateSessionRequest request, StreamObserver<CreateSessionResponse> observer) {
        answer(
                observer,
                Operation.SESSION,
                (status, issues) -> CreateSessionResponse.newBuilder()
                        .setStatus(status)
                        .addAllIssues(issues)
                        .build(),
                () -> CreateSessionResponse.newBuilder()
                        .setStatus(StatusCode.SUCCESS)
                        .setSessionId(context.sessions().create(database()).id())
                        .setNodeId(context.nodeId())
                        .build());
    }

    @Override
    public void deleteSession(DeleteSessionRequest request, StreamObserver<DeleteSessionResponse> observer) {
        answer(
                observer,
                Operation.SESSION,
                (status, issues) -> DeleteSessionResponse.newBuilder()
                        .setStatus(status)
                        .addAllIssues(issues)
                        .build(),
                () -> {
                    context.sessions().get(request.getSessionId());
                    context.sessions().delete(request.getSessionId());
                    return DeleteSessionResponse.newBuilder()
                            .setStatus(StatusCode.SUCCESS)
                            .build();
                });
    }

    /** Answers at once and stays open as long as the session lives; a client that ends it ends the session. */
    @Override
    public void attachSession(AttachSessionRequest request, StreamObserver<SessionState> call) {
        ServerCallStreamObserver<SessionState> observer = (ServerCallStreamObserver<SessionState>) call;
        Session session;
        try {
            calls.refuseByFault(Site.of(database().path(), Operation.SESSION));
            session = context.sessions().get(request.getSessionId());
        } catch (RuntimeException failure) {
            YdbException refusal = Calls.refusal(failure);
            observer.onNext(SessionState.newBuilder()
                    .setStatus(StatusCodec.encode(refusal.status()))
                    .addAllIssues(StatusCodec.encode(refusal.issues()))
                    .build());
            observer.onCompleted();
            return;
        }
        observer.onNext(SessionState.newBuilder().setStatus(StatusCode.SUCCESS).build());
        AtomicBoolean over = new AtomicBoolean();
        Streams.Open stream = context.streams().register(session.database().path(), Operation.SESSION, () -> {
            if (over.compareAndSet(false, true)) {
                observer.onError(Streams.cut().asRuntimeException());
            }
        });
        observer.setOnCancelHandler(() -> {
            over.set(true);
            stream.close();
            context.sessions().delete(session.id());
        });
        session.attached(() -> {
            stream.close();
            if (over.compareAndSet(false, true)) {
                observer.onCompleted();
            }
        });
    }

    @Override
    public void beginTransaction(BeginTransactionRequest request, StreamObserver<BeginTransactionResponse> observer) {
        Site site = Site.of("", Operation.BEGIN);
        answer(
                observer,
                Operation.BEGIN,
                (status, issues) -> BeginTransactionResponse.newBuilder()
                        .setStatus(status)
                        .addAllIssues(issues)
                        .build(),
                () -> queries.inSession(request.getSessionId(), site, session -> {
                    var mode = TransactionModes.interactive(TransactionModes.of(request.getTxSettings()));
                    return BeginTransactionResponse.newBuilder()
                            .setStatus(StatusCode.SUCCESS)
                            .setTxMeta(TransactionMeta.newBuilder()
                                    .setId(session.begin(mode).id()))
                            .build();
                }));
    }

    @Override
    public void commitTransaction(
            CommitTransactionRequest request, StreamObserver<CommitTransactionResponse> observer) {
        calls.bare(
                observer,
                () -> null,
                refusal -> CommitTransactionResponse.newBuilder()
                        .setStatus(StatusCodec.encode(refusal.status()))
                        .addAllIssues(StatusCodec.encode(refusal.issues()))
                        .build(),
                () -> {
                    Site site = Site.of(database().path(), Operation.COMMIT);
                    return queries.inSession(request.getSessionId(), site, session -> {
                        queries.commit(session, session.transaction(request.getTxId()));
                        return CommitTransactionResponse.newBuilder()
                                .setStatus(StatusCode.SUCCESS)
                                .build();
                    });
                });
    }

    @Override
    public void rollbackTransaction(
            RollbackTransactionRequest request, StreamObserver<RollbackTransactionResponse> observer) {
        answer(
                observer,
                Operation.ROLLBACK,
                (status, issues) -> RollbackTransactionResponse.newBuilder()
                        .setStatus(status)
                        .addAllIssues(issues)
                        .build(),
                () -> {
                    Site site = Site.of(database().path(), Operation.ROLLBACK);
                    return queries.inSession(request.getSessionId(), site, session -> {
                        queries.abandon(session, session.transaction(request.getTxId()));
                        return RollbackTransactionResponse.newBuilder()
                                .setStatus(StatusCode.SUCCESS)
                                .build();
                    });
                });
    }

    @Override
    public void executeQuery(ExecuteQueryRequest request, StreamObserver<ExecuteQueryResponsePart> observer) {
        execution.execute(request, observer);
    }

    @Override
    public void executeScript(ExecuteScriptRequest request, StreamObserver<OperationProtos.Operation> observer) {
        calls.operation(observer, () -> Site.of(database().path(), Operation.QUERY), operation -> operation, () -> {
            throw new YdbException(Status.UNSUPPORTED, "The emulator does not run scripts");
        });
    }

    @Override
    public void fetchScriptResults(
            FetchScriptResultsRequest request, StreamObserver<FetchScriptResultsResponse> observer) {
        answer(
                observer,
                Operation.QUERY,
                (status, issues) -> FetchScriptResultsResponse.newBuilder()
                        .setStatus(status)
                        .addAllIssues(issues)
                        .build(),
                () -> {
                    throw new YdbException(Status.UNSUPPORTED, "The emulator does not run scripts");
                });
    }
}
