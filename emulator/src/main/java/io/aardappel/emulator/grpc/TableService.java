package io.aardappel.emulator.grpc;

import com.google.protobuf.Message;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.table.Database;
import io.grpc.stub.StreamObserver;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.OperationProtos;
import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.AlterTableResponse;
import tech.ydb.proto.table.YdbTable.BeginTransactionRequest;
import tech.ydb.proto.table.YdbTable.BeginTransactionResponse;
import tech.ydb.proto.table.YdbTable.BulkUpsertRequest;
import tech.ydb.proto.table.YdbTable.BulkUpsertResponse;
import tech.ydb.proto.table.YdbTable.CommitTransactionRequest;
import tech.ydb.proto.table.YdbTable.CommitTransactionResponse;
import tech.ydb.proto.table.YdbTable.CommitTransactionResult;
import tech.ydb.proto.table.YdbTable.CopyTableRequest;
import tech.ydb.proto.table.YdbTable.CopyTableResponse;
import tech.ydb.proto.table.YdbTable.CopyTablesRequest;
import tech.ydb.proto.table.YdbTable.CopyTablesResponse;
import tech.ydb.proto.table.YdbTable.CreateSessionRequest;
import tech.ydb.proto.table.YdbTable.CreateSessionResponse;
import tech.ydb.proto.table.YdbTable.CreateSessionResult;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.CreateTableResponse;
import tech.ydb.proto.table.YdbTable.DeleteSessionRequest;
import tech.ydb.proto.table.YdbTable.DeleteSessionResponse;
import tech.ydb.proto.table.YdbTable.DescribeTableOptionsRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableOptionsResponse;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableResponse;
import tech.ydb.proto.table.YdbTable.DropTableRequest;
import tech.ydb.proto.table.YdbTable.DropTableResponse;
import tech.ydb.proto.table.YdbTable.ExecuteDataQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteDataQueryResponse;
import tech.ydb.proto.table.YdbTable.ExecuteScanQueryPartialResponse;
import tech.ydb.proto.table.YdbTable.ExecuteScanQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteSchemeQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteSchemeQueryResponse;
import tech.ydb.proto.table.YdbTable.ExplainDataQueryRequest;
import tech.ydb.proto.table.YdbTable.ExplainDataQueryResponse;
import tech.ydb.proto.table.YdbTable.KeepAliveRequest;
import tech.ydb.proto.table.YdbTable.KeepAliveResponse;
import tech.ydb.proto.table.YdbTable.KeepAliveResult;
import tech.ydb.proto.table.YdbTable.PrepareDataQueryRequest;
import tech.ydb.proto.table.YdbTable.PrepareDataQueryResponse;
import tech.ydb.proto.table.YdbTable.ReadRowsRequest;
import tech.ydb.proto.table.YdbTable.ReadRowsResponse;
import tech.ydb.proto.table.YdbTable.ReadTableRequest;
import tech.ydb.proto.table.YdbTable.ReadTableResponse;
import tech.ydb.proto.table.YdbTable.RenameTablesRequest;
import tech.ydb.proto.table.YdbTable.RenameTablesResponse;
import tech.ydb.proto.table.YdbTable.RollbackTransactionRequest;
import tech.ydb.proto.table.YdbTable.RollbackTransactionResponse;
import tech.ydb.proto.table.v1.TableServiceGrpc.TableServiceImplBase;

/** Ydb.Table.V1: finds database and session of each request and hands it on. */
final class TableService extends TableServiceImplBase {
    private final ServerContext context;
    private final Calls calls;
    private final Queries queries;
    private final DataQueries data;
    private final TableSchemes schemes;
    private final TableReads reads;

    TableService(ServerContext context, Calls calls) {
        this.context = context;
        this.calls = calls;
        this.queries = new Queries(context);
        this.data = new DataQueries(context, queries);
        this.schemes = new TableSchemes();
        this.reads = new TableReads(context, calls, queries);
    }

    private Database database() {
        return context.databases().ofCall().database();
    }

    /** A request of a session. */
    private <R> void inSession(
            StreamObserver<R> observer,
            Supplier<Site> site,
            String sessionId,
            Function<OperationProtos.Operation, R> envelope,
            Function<Session, ? extends @Nullable Message> body) {
        calls.operation(observer, site, envelope, () -> queries.inSession(sessionId, site.get(), body));
    }

    /** A request of a session without a result. */
    private <R> void actInSession(
            StreamObserver<R> observer,
            Supplier<Site> site,
            String sessionId,
            Function<OperationProtos.Operation, R> envelope,
            Consumer<Session> body) {
        inSession(observer, site, sessionId, envelope, session -> {
            body.accept(session);
            return null;
        });
    }

    @Override
    public void createSession(CreateSessionRequest request, StreamObserver<CreateSessionResponse> observer) {
        calls.operation(
                observer,
                () -> Site.of(database().path(), Operation.SESSION),
                operation -> CreateSessionResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                () -> CreateSessionResult.newBuilder()
                        .setSessionId(context.sessions().create(database()).id())
                        .build());
    }

    @Override
    public void deleteSession(DeleteSessionRequest request, StreamObserver<DeleteSessionResponse> observer) {
        calls.operation(
                observer,
                () -> Site.of(database().path(), Operation.SESSION),
                operation -> DeleteSessionResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                () -> {
                    context.sessions().get(request.getSessionId());
                    context.sessions().delete(request.getSessionId());
                    return null;
                });
    }

    @Override
    public void keepAlive(KeepAliveRequest request, StreamObserver<KeepAliveResponse> observer) {
        calls.operation(
                observer,
                () -> Site.of(database().path(), Operation.SESSION),
                operation ->
                        KeepAliveResponse.newBuilder().setOperation(operation).build(),
                () -> KeepAliveResult.newBuilder()
                        .setSessionStatus(
                                context.sessions().keepAlive(request.getSessionId())
                                        ? KeepAliveResult.SessionStatus.SESSION_STATUS_BUSY
                                        : KeepAliveResult.SessionStatus.SESSION_STATUS_READY)
                        .build());
    }

    @Override
    public void createTable(CreateTableRequest request, StreamObserver<CreateTableResponse> observer) {
        actInSession(
                observer,
                () -> Queries.siteOf(database(), Operation.SCHEME, request.getPath()),
                request.getSessionId(),
                operation ->
                        CreateTableResponse.newBuilder().setOperation(operation).build(),
                session -> schemes.create(session.database(), request));
    }

    @Override
    public void dropTable(DropTableRequest request, StreamObserver<DropTableResponse> observer) {
        actInSession(
                observer,
                () -> Queries.siteOf(database(), Operation.SCHEME, request.getPath()),
                request.getSessionId(),
                operation ->
                        DropTableResponse.newBuilder().setOperation(operation).build(),
                session -> schemes.drop(session.database(), request.getPath()));
    }

    @Override
    public void alterTable(AlterTableRequest request, StreamObserver<AlterTableResponse> observer) {
        actInSession(
                observer,
                () -> Queries.siteOf(database(), Operation.SCHEME, request.getPath()),
                request.getSessionId(),
                operation ->
                        AlterTableResponse.newBuilder().setOperation(operation).build(),
                session -> schemes.alter(session.database(), request));
    }

    @Override
    public void copyTable(CopyTableRequest request, StreamObserver<CopyTableResponse> observer) {
        actInSession(
                observer,
                () -> Queries.siteOf(database(), Operation.SCHEME, request.getSourcePath()),
                request.getSessionId(),
                operation ->
                        CopyTableResponse.newBuilder().setOperation(operation).build(),
                session -> schemes.copy(session.database(), request.getSourcePath(), request.getDestinationPath()));
    }

    @Override
    public void copyTables(CopyTablesRequest request, StreamObserver<CopyTablesResponse> observer) {
        actInSession(
                observer,
                () -> Site.of(database().path(), Operation.SCHEME),
                request.getSessionId(),
                operation ->
                        CopyTablesResponse.newBuilder().setOperation(operation).build(),
                session -> schemes.copy(session.database(), request.getTablesList()));
    }

    @Override
    public void renameTables(RenameTablesRequest request, StreamObserver<RenameTablesResponse> observer) {
        actInSession(
                observer,
                () -> Site.of(database().path(), Operation.SCHEME),
                request.getSessionId(),
                operation -> RenameTablesResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                session -> schemes.rename(session.database(), request.getTablesList()));
    }

    @Override
    public void describeTable(DescribeTableRequest request, StreamObserver<DescribeTableResponse> observer) {
        inSession(
                observer,
                () -> Queries.siteOf(database(), Operation.DESCRIBE, request.getPath()),
                request.getSessionId(),
                operation -> DescribeTableResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                session -> TableDescriptions.encode(session.database(), request, context.nodeId()));
    }

    @Override
    public void describeTableOptions(
            DescribeTableOptionsRequest request, StreamObserver<DescribeTableOptionsResponse> observer) {
        calls.operation(
                observer,
                () -> Site.of(database().path(), Operation.DESCRIBE),
                operation -> DescribeTableOptionsResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                () -> TableOptions.RESULT);
    }

    @Override
    public void explainDataQuery(ExplainDataQueryRequest request, StreamObserver<ExplainDataQueryResponse> observer) {
        inSession(
                observer,
                () -> queries.site(database(), Operation.QUERY, request.getYqlText()),
                request.getSessionId(),
                operation -> ExplainDataQueryResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                session -> data.explain(session, request.getYqlText()));
    }

    @Override
    public void prepareDataQuery(PrepareDataQueryRequest request, StreamObserver<PrepareDataQueryResponse> observer) {
        inSession(
                observer,
                () -> queries.site(database(), Operation.QUERY, request.getYqlText()),
                request.getSessionId(),
                operation -> PrepareDataQueryResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                session -> data.prepare(session, request.getYqlText()));
    }

    @Override
    public void executeDataQuery(ExecuteDataQueryRequest request, StreamObserver<ExecuteDataQueryResponse> observer) {
        String text = request.getQuery().getYqlText();
        calls.remarked(
                observer,
                () -> queries.site(database(), Operation.QUERY, text),
                operation -> ExecuteDataQueryResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                () -> queries.inSession(
                        request.getSessionId(),
                        queries.site(database(), Operation.QUERY, text),
                        session -> data.execute(session, request)));
    }

    @Override
    public void executeSchemeQuery(
            ExecuteSchemeQueryRequest request, StreamObserver<ExecuteSchemeQueryResponse> observer) {
        actInSession(
                observer,
                () -> queries.site(database(), Operation.SCHEME, request.getYqlText()),
                request.getSessionId(),
                operation -> ExecuteSchemeQueryResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                session -> data.scheme(session, request.getYqlText()));
    }

    @Override
    public void beginTransaction(BeginTransactionRequest request, StreamObserver<BeginTransactionResponse> observer) {
        inSession(
                observer,
                () -> Site.of(database().path(), Operation.BEGIN),
                request.getSessionId(),
                operation -> BeginTransactionResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                session -> data.begin(session, request));
    }

    @Override
    public void commitTransaction(
            CommitTransactionRequest request, StreamObserver<CommitTransactionResponse> observer) {
        calls.operation(
                observer,
                () -> null,
                operation -> CommitTransactionResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                () -> queries.inSession(
                        request.getSessionId(), Site.of(database().path(), Operation.COMMIT), session -> {
                            queries.commit(session, session.transaction(request.getTxId()));
                            return CommitTransactionResult.getDefaultInstance();
                        }));
    }

    @Override
    public void rollbackTransaction(
            RollbackTransactionRequest request, StreamObserver<RollbackTransactionResponse> observer) {
        actInSession(
                observer,
                () -> Site.of(database().path(), Operation.ROLLBACK),
                request.getSessionId(),
                operation -> RollbackTransactionResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                session -> queries.abandon(session, session.transaction(request.getTxId())));
    }

    @Override
    public void bulkUpsert(BulkUpsertRequest request, StreamObserver<BulkUpsertResponse> observer) {
        calls.operation(
                observer,
                () -> Queries.siteOf(database(), Operation.BULK_UPSERT, request.getTable()),
                operation ->
                        BulkUpsertResponse.newBuilder().setOperation(operation).build(),
                () -> reads.bulkUpsert(database(), request));
    }

    @Override
    public void readRows(ReadRowsRequest request, StreamObserver<ReadRowsResponse> observer) {
        calls.bare(
                observer,
                () -> Queries.siteOf(database(), Operation.READ_TABLE, request.getPath()),
                refusal -> ReadRowsResponse.newBuilder()
                        .setStatus(StatusCodec.encode(refusal.status()))
                        .addAllIssues(StatusCodec.encode(refusal.issues()))
                        .build(),
                () -> reads.readRows(database(), request));
    }

    @Override
    public void streamReadTable(ReadTableRequest request, StreamObserver<ReadTableResponse> observer) {
        reads.streamReadTable(request, observer);
    }

    @Override
    public void streamExecuteScanQuery(
            ExecuteScanQueryRequest request, StreamObserver<ExecuteScanQueryPartialResponse> observer) {
        reads.scanQuery(wanted -> data.text(wanted.getQuery()), request, observer);
    }
}
