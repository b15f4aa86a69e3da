package io.aardappel.emulator.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.model.value.Type;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.auth.v1.AuthServiceGrpc;
import tech.ydb.proto.discovery.v1.DiscoveryServiceGrpc;
import tech.ydb.proto.query.YdbQuery;
import tech.ydb.proto.query.v1.QueryServiceGrpc;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.v1.TableServiceGrpc;

/** An emulator and a client that speaks the bare protocol, for what SDKs hide. */
final class RawYdb implements AutoCloseable {
    private static final long CALL_SECONDS_MAX = 20;

    final YdbEmulator emulator;
    private final ManagedChannel channel;

    RawYdb(YdbEmulator.Builder builder) {
        this.emulator = builder.start();
        this.channel = NettyChannelBuilder.forTarget(emulator.endpoint())
                .usePlaintext()
                .maxInboundMessageSize(64 << 20)
                .build();
    }

    static RawYdb start() {
        return new RawYdb(YdbEmulator.builder());
    }

    @Override
    public void close() {
        channel.shutdownNow();
        emulator.close();
    }

    Channel channel() {
        return channel;
    }

    /** The channel with a header on every call. */
    Channel with(String header, String value) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER), value);
        ClientInterceptor interceptor = MetadataUtils.newAttachHeadersInterceptor(headers);
        return ClientInterceptors.intercept(channel, interceptor);
    }

    TableServiceGrpc.TableServiceBlockingStub tables() {
        return TableServiceGrpc.newBlockingStub(channel).withDeadlineAfter(CALL_SECONDS_MAX, TimeUnit.SECONDS);
    }

    QueryServiceGrpc.QueryServiceBlockingStub queries() {
        return QueryServiceGrpc.newBlockingStub(channel).withDeadlineAfter(CALL_SECONDS_MAX, TimeUnit.SECONDS);
    }

    SchemeServiceGrpc.SchemeServiceBlockingStub scheme() {
        return SchemeServiceGrpc.newBlockingStub(channel).withDeadlineAfter(CALL_SECONDS_MAX, TimeUnit.SECONDS);
    }

    DiscoveryServiceGrpc.DiscoveryServiceBlockingStub discovery() {
        return DiscoveryServiceGrpc.newBlockingStub(channel).withDeadlineAfter(CALL_SECONDS_MAX, TimeUnit.SECONDS);
    }

    AuthServiceGrpc.AuthServiceBlockingStub auth() {
        return AuthServiceGrpc.newBlockingStub(channel).withDeadlineAfter(CALL_SECONDS_MAX, TimeUnit.SECONDS);
    }

    static CallOptions options() {
        return CallOptions.DEFAULT.withDeadlineAfter(CALL_SECONDS_MAX, TimeUnit.SECONDS);
    }

    static <M extends Message> M result(Operation operation, Class<M> type) {
        if (operation.getStatus() != StatusCode.SUCCESS) {
            throw new AssertionError(operation.getStatus() + " " + operation.getIssuesList());
        }
        try {
            return operation.getResult().unpack(type);
        } catch (InvalidProtocolBufferException other) {
            throw new AssertionError("the result is no " + type, other);
        }
    }

    // ---- table service

    String session() {
        Operation operation = tables().createSession(YdbTable.CreateSessionRequest.getDefaultInstance())
                .getOperation();
        return result(operation, YdbTable.CreateSessionResult.class).getSessionId();
    }

    StatusCode schemeQuery(String session, String text) {
        return tables().executeSchemeQuery(YdbTable.ExecuteSchemeQueryRequest.newBuilder()
                        .setSessionId(session)
                        .setYqlText(text)
                        .build())
                .getOperation()
                .getStatus();
    }

    Operation dataQuery(String session, YdbTable.TransactionControl control, String text) {
        return tables().executeDataQuery(YdbTable.ExecuteDataQueryRequest.newBuilder()
                        .setSessionId(session)
                        .setTxControl(control)
                        .setQuery(YdbTable.Query.newBuilder().setYqlText(text))
                        .build())
                .getOperation();
    }

    static YdbTable.TransactionControl begin(boolean commit) {
        return YdbTable.TransactionControl.newBuilder()
                .setBeginTx(YdbTable.TransactionSettings.newBuilder()
                        .setSerializableReadWrite(YdbTable.SerializableModeSettings.getDefaultInstance()))
                .setCommitTx(commit)
                .build();
    }

    static YdbTable.TransactionControl in(String txId) {
        return YdbTable.TransactionControl.newBuilder().setTxId(txId).build();
    }

    Operation commit(String session, String txId) {
        return tables().commitTransaction(YdbTable.CommitTransactionRequest.newBuilder()
                        .setSessionId(session)
                        .setTxId(txId)
                        .build())
                .getOperation();
    }

    /** Number of rows of a table, by a query of its own. */
    long count(String table) {
        Operation operation = dataQuery(session(), begin(true), "SELECT COUNT(*) AS n FROM `" + table + "`;");
        return result(operation, YdbTable.ExecuteQueryResult.class)
                .getResultSets(0)
                .getRows(0)
                .getItems(0)
                .getUint64Value();
    }

    // ---- query service

    String querySession() {
        YdbQuery.CreateSessionResponse response =
                queries().createSession(YdbQuery.CreateSessionRequest.getDefaultInstance());
        if (response.getStatus() != StatusCode.SUCCESS) {
            throw new AssertionError(response);
        }
        return response.getSessionId();
    }

    List<YdbQuery.ExecuteQueryResponsePart> query(YdbQuery.ExecuteQueryRequest.Builder request) {
        List<YdbQuery.ExecuteQueryResponsePart> parts = new ArrayList<>();
        Iterator<YdbQuery.ExecuteQueryResponsePart> stream = queries().executeQuery(request.build());
        stream.forEachRemaining(parts::add);
        return parts;
    }

    static YdbQuery.ExecuteQueryRequest.Builder query(String session, String text) {
        return YdbQuery.ExecuteQueryRequest.newBuilder()
                .setSessionId(session)
                .setExecMode(YdbQuery.ExecMode.EXEC_MODE_EXECUTE)
                .setQueryContent(YdbQuery.QueryContent.newBuilder()
                        .setSyntax(YdbQuery.Syntax.SYNTAX_YQL_V1)
                        .setText(text));
    }

    static YdbQuery.TransactionSettings serializable() {
        return YdbQuery.TransactionSettings.newBuilder()
                .setSerializableReadWrite(YdbQuery.SerializableModeSettings.getDefaultInstance())
                .build();
    }

    static TypedValue typed(Type type, Value value) {
        return TypedValue.newBuilder()
                .setType(io.aardappel.emulator.grpc.value.TypeCodec.encode(type))
                .setValue(value)
                .build();
    }
}
