package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.Calls;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.table.YdbTable.CreateSessionRequest;
import tech.ydb.proto.table.YdbTable.CreateSessionResponse;
import tech.ydb.proto.table.YdbTable.CreateSessionResult;
import tech.ydb.proto.table.YdbTable.DeleteSessionRequest;
import tech.ydb.proto.table.YdbTable.DeleteSessionResponse;
import tech.ydb.proto.table.YdbTable.ExecuteDataQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteDataQueryResponse;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;
import tech.ydb.proto.table.YdbTable.ExecuteSchemeQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteSchemeQueryResponse;
import tech.ydb.proto.table.YdbTable.Query;
import tech.ydb.proto.table.YdbTable.QueryCachePolicy;
import tech.ydb.proto.table.YdbTable.RollbackTransactionRequest;
import tech.ydb.proto.table.YdbTable.RollbackTransactionResponse;
import tech.ydb.proto.table.YdbTable.SerializableModeSettings;
import tech.ydb.proto.table.YdbTable.TransactionControl;
import tech.ydb.proto.table.YdbTable.TransactionSettings;
import tech.ydb.proto.table.v1.TableServiceGrpc;

/**
 * One session of the table service at a time, made when it is needed and given up after every answer that may leave it
 * busy: a query that goes on behind our back then meets a session of its own. One thread only.
 */
final class TableSession implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TableSession.class);
    private static final TransactionSettings SERIALIZABLE = TransactionSettings.newBuilder()
            .setSerializableReadWrite(SerializableModeSettings.getDefaultInstance())
            .build();

    private static final Pattern NODE = Pattern.compile("[?&]node_id=(\\d{1,9})(?:&|$)");

    private final Calls calls;
    /** Where the session lives. */
    private Calls home;

    private @Nullable String id;

    TableSession(Calls calls) {
        this.calls = calls;
        this.home = calls;
    }

    static TransactionControl begin() {
        return TransactionControl.newBuilder().setBeginTx(SERIALIZABLE).build();
    }

    static TransactionControl beginAndCommit() {
        return TransactionControl.newBuilder()
                .setBeginTx(SERIALIZABLE)
                .setCommitTx(true)
                .build();
    }

    static TransactionControl within(String transaction, boolean commit) {
        return TransactionControl.newBuilder()
                .setTxId(transaction)
                .setCommitTx(commit)
                .build();
    }

    Result<ExecuteQueryResult> execute(
            String text, Map<String, TypedValue> parameters, TransactionControl control, Duration timeout) {
        long begun = System.nanoTime();
        Result<String> session = session(timeout);
        if (!session.isSuccess()) {
            return session.map(ignored -> ExecuteQueryResult.getDefaultInstance());
        }
        Duration left = timeout.minusNanos(System.nanoTime() - begun);
        ExecuteDataQueryRequest request = ExecuteDataQueryRequest.newBuilder()
                .setSessionId(session.getValue())
                .setTxControl(control)
                .setQuery(Query.newBuilder().setYqlText(text))
                .setQueryCachePolicy(QueryCachePolicy.newBuilder().setKeepInCache(!parameters.isEmpty()))
                .putAllParameters(parameters)
                .build();
        Result<ExecuteQueryResult> result = home.call(
                TableServiceGrpc.getExecuteDataQueryMethod(),
                request,
                left,
                ExecuteDataQueryResponse::getOperation,
                ExecuteQueryResult.class);
        forgetIfSpoiled(result.getStatus());
        return result;
    }

    /** Outside any transaction. */
    Status executeScheme(String text, Duration timeout) {
        Result<String> session = session(timeout);
        if (!session.isSuccess()) {
            return session.getStatus();
        }
        Status status = home.call(
                TableServiceGrpc.getExecuteSchemeQueryMethod(),
                ExecuteSchemeQueryRequest.newBuilder()
                        .setSessionId(session.getValue())
                        .setYqlText(text)
                        .build(),
                timeout,
                ExecuteSchemeQueryResponse::getOperation);
        forgetIfSpoiled(status);
        return status;
    }

    /** Best effort: a transaction that is not committed takes no effect in any case. */
    void rollback(String transaction, Duration timeout) {
        if (id == null || transaction.isEmpty()) {
            return;
        }
        Status status = home.call(
                TableServiceGrpc.getRollbackTransactionMethod(),
                RollbackTransactionRequest.newBuilder()
                        .setSessionId(id)
                        .setTxId(transaction)
                        .build(),
                timeout,
                RollbackTransactionResponse::getOperation);
        forgetIfSpoiled(status);
    }

    /** The next call makes a new session; this one is deleted by the server's own time-out. */
    void forget() {
        id = null;
    }

    private void forgetIfSpoiled(Status status) {
        if (Failure.spoilsSession(status.getCode())) {
            forget();
        }
    }

    private Result<String> session(Duration timeout) {
        if (id != null) {
            return Result.success(id);
        }
        Result<CreateSessionResult> made = calls.call(
                TableServiceGrpc.getCreateSessionMethod(),
                CreateSessionRequest.getDefaultInstance(),
                timeout,
                CreateSessionResponse::getOperation,
                CreateSessionResult.class);
        if (made.isSuccess()) {
            id = made.getValue().getSessionId();
            Matcher node = NODE.matcher(id);
            home = node.find() ? calls.toNode(Integer.parseInt(node.group(1))) : calls;
        }
        return made.map(CreateSessionResult::getSessionId);
    }

    @Override
    public void close() {
        if (id == null) {
            return;
        }
        Status status = home.call(
                TableServiceGrpc.getDeleteSessionMethod(),
                DeleteSessionRequest.newBuilder().setSessionId(id).build(),
                Duration.ofSeconds(1),
                DeleteSessionResponse::getOperation);
        if (!status.isSuccess()) {
            log.debug("session was not deleted, the server will do it: {}", status);
        }
        id = null;
    }
}
