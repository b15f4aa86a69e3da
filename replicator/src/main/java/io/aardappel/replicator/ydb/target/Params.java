package io.aardappel.replicator.ydb.target;

import com.google.protobuf.ByteString;
import com.google.protobuf.NullValue;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos.ListType;
import tech.ydb.proto.ValueProtos.OptionalType;
import tech.ydb.proto.ValueProtos.StructType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;

/** Parameters of the statements about lock, state and our rows. */
final class Params {
    static final Type UTF8 = Type.newBuilder().setTypeId(PrimitiveTypeId.UTF8).build();
    static final Type UINT64 =
            Type.newBuilder().setTypeId(PrimitiveTypeId.UINT64).build();
    static final Type STRING =
            Type.newBuilder().setTypeId(PrimitiveTypeId.STRING).build();
    private static final Type INTERVAL =
            Type.newBuilder().setTypeId(PrimitiveTypeId.INTERVAL).build();

    private Params() {}

    static TypedValue utf8(String text) {
        return TypedValue.newBuilder()
                .setType(UTF8)
                .setValue(Value.newBuilder().setTextValue(text))
                .build();
    }

    static TypedValue utf8s(List<String> texts) {
        return TypedValue.newBuilder()
                .setType(Type.newBuilder().setListType(ListType.newBuilder().setItem(UTF8)))
                .setValue(Value.newBuilder()
                        .addAllItems(texts.stream().map(Params::text).toList()))
                .build();
    }

    static TypedValue uint64(long bits) {
        return TypedValue.newBuilder()
                .setType(UINT64)
                .setValue(Value.newBuilder().setUint64Value(bits))
                .build();
    }

    static TypedValue bytes(ByteString bytes) {
        return TypedValue.newBuilder()
                .setType(STRING)
                .setValue(Value.newBuilder().setBytesValue(bytes))
                .build();
    }

    static TypedValue interval(Duration duration) {
        long micros = Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1_000);
        return TypedValue.newBuilder()
                .setType(INTERVAL)
                .setValue(Value.newBuilder().setInt64Value(micros))
                .build();
    }

    /** A list of structs. */
    static TypedValue rows(StructType.Builder row, List<Value> rows) {
        return TypedValue.newBuilder()
                .setType(listOf(row))
                .setValue(Value.newBuilder().addAllItems(rows))
                .build();
    }

    static Type listOf(StructType.Builder row) {
        return Type.newBuilder()
                .setListType(ListType.newBuilder().setItem(Type.newBuilder().setStructType(row)))
                .build();
    }

    static Type optional(Type type) {
        return Type.newBuilder()
                .setOptionalType(OptionalType.newBuilder().setItem(type))
                .build();
    }

    static Value text(@Nullable String text) {
        return text == null
                ? Value.newBuilder().setNullFlagValue(NullValue.NULL_VALUE).build()
                : Value.newBuilder().setTextValue(text).build();
    }

    static Value number(long bits) {
        return Value.newBuilder().setUint64Value(bits).build();
    }
}
