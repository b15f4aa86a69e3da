package io.aardappel.bench.drain;

import com.google.protobuf.InvalidProtocolBufferException;
import io.aardappel.bench.bare.BareReading;
import io.aardappel.bench.process.Await;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.util.List;
import java.util.Map;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.ListType;
import tech.ydb.proto.ValueProtos.OptionalType;
import tech.ydb.proto.ValueProtos.StructMember;
import tech.ydb.proto.ValueProtos.StructType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.table.YdbTable.CreateSessionRequest;
import tech.ydb.proto.table.YdbTable.CreateSessionResult;
import tech.ydb.proto.table.YdbTable.ExecuteDataQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteSchemeQueryRequest;
import tech.ydb.proto.table.YdbTable.Query;
import tech.ydb.proto.table.YdbTable.QueryCachePolicy;
import tech.ydb.proto.table.YdbTable.SerializableModeSettings;
import tech.ydb.proto.table.YdbTable.TransactionControl;
import tech.ydb.proto.table.YdbTable.TransactionSettings;
import tech.ydb.proto.table.v1.TableServiceGrpc;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/** A database over gRPC's stubs, with nothing of a client library between. Not thread-safe. */
final class BareYdb implements AutoCloseable {
    private static final int MESSAGE_BYTES_MAX = 64 << 20;
    private static final Type ROWS = Type.newBuilder()
            .setListType(ListType.newBuilder()
                    .setItem(Type.newBuilder()
                            .setStructType(StructType.newBuilder()
                                    .addMembers(member("id", type(PrimitiveTypeId.UINT64)))
                                    .addMembers(member("tenant", type(PrimitiveTypeId.UTF8)))
                                    .addMembers(member("amount", optional(PrimitiveTypeId.INT64)))
                                    .addMembers(member("changed", optional(PrimitiveTypeId.TIMESTAMP)))
                                    .addMembers(member("name", optional(PrimitiveTypeId.UTF8)))
                                    .addMembers(member("note", optional(PrimitiveTypeId.UTF8)))
                                    .addMembers(member("open", optional(PrimitiveTypeId.BOOL))))))
            .build();

    private static final TransactionControl WHOLE = TransactionControl.newBuilder()
            .setBeginTx(TransactionSettings.newBuilder()
                    .setSerializableReadWrite(SerializableModeSettings.getDefaultInstance()))
            .setCommitTx(true)
            .build();

    private final ManagedChannel channel;
    private final TableServiceGrpc.TableServiceBlockingStub tables;
    private final String session;

    BareYdb(String host, int port) {
        channel = NettyChannelBuilder.forAddress(host, port)
                .usePlaintext()
                .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                .build();
        tables = TableServiceGrpc.newBlockingStub(channel);
        Operation made =
                tables.createSession(CreateSessionRequest.getDefaultInstance()).getOperation();
        require(made, "a session");
        try {
            session = made.getResult().unpack(CreateSessionResult.class).getSessionId();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("no session", e);
        }
    }

    private static StructMember member(String name, Type type) {
        return StructMember.newBuilder().setName(name).setType(type).build();
    }

    private static Type type(PrimitiveTypeId id) {
        return Type.newBuilder().setTypeId(id).build();
    }

    private static Type optional(PrimitiveTypeId id) {
        return Type.newBuilder()
                .setOptionalType(OptionalType.newBuilder().setItem(type(id)))
                .build();
    }

    private static void require(Operation operation, String what) {
        if (operation.getStatus() != StatusCode.SUCCESS) {
            throw new IllegalStateException(what + " was refused: " + operation);
        }
    }

    void define(String statement) {
        require(
                tables.executeSchemeQuery(ExecuteSchemeQueryRequest.newBuilder()
                                .setSessionId(session)
                                .setYqlText(statement)
                                .build())
                        .getOperation(),
                statement);
    }

    /** One transaction in one call. */
    void upsert(Map<String, List<Row>> rowsByTable) {
        StringBuilder text = new StringBuilder();
        ExecuteDataQueryRequest.Builder request = ExecuteDataQueryRequest.newBuilder()
                .setSessionId(session)
                .setTxControl(WHOLE)
                .setQueryCachePolicy(QueryCachePolicy.newBuilder().setKeepInCache(true));
        rowsByTable.forEach((table, rows) -> {
            String parameter = "$p" + request.getParametersCount();
            text.append("UPSERT INTO ")
                    .append(table)
                    .append(" (" + Row.COLUMNS + ") SELECT " + Row.COLUMNS + " FROM AS_TABLE(")
                    .append(parameter)
                    .append(");\n");
            request.putParameters(parameter, parameter(rows));
        });
        request.setQuery(Query.newBuilder().setYqlText(text.toString()));
        require(tables.executeDataQuery(request.build()).getOperation(), text.toString());
    }

    private static TypedValue parameter(List<Row> rows) {
        Value.Builder list = Value.newBuilder();
        for (Row row : rows) {
            list.addItems(value(row));
        }
        return TypedValue.newBuilder().setType(ROWS).setValue(list).build();
    }

    private static Value value(Row row) {
        return Value.newBuilder()
                .addItems(Value.newBuilder().setUint64Value(row.id()))
                .addItems(Value.newBuilder().setTextValue(row.tenant()))
                .addItems(Value.newBuilder().setInt64Value(row.amount()))
                .addItems(Value.newBuilder().setUint64Value(row.changed()))
                .addItems(Value.newBuilder().setTextValue(row.name()))
                .addItems(Value.newBuilder().setTextValue(row.note()))
                .addItems(Value.newBuilder().setBoolValue(row.open()))
                .build();
    }

    /** Reads topics for a consumer until so many messages have come. */
    void read(List<String> topics, String consumer, long messages) {
        Await.end(BareReading.begin(TopicServiceGrpc.newStub(channel), topics, consumer, messages));
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
