package io.aardappel.emulator.grpc.value;

import com.google.protobuf.NullValue;
import com.google.protobuf.UnsafeByteOperations;
import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Just;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.model.value.Uuid;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.ValueProtos.Value.ValueCase;

/** Writes values of one type. Made once for a type and used for all its values. Thread-safe. */
@FunctionalInterface
public interface ValueEncoder {
    Value encode(@Nullable Object value);

    /** Null as the protocol writes it. */
    Value NULL = Value.newBuilder().setNullFlagValue(NullValue.NULL_VALUE).build();

    /** The encoder of a type. */
    static ValueEncoder of(Type type) {
        if (type instanceof Primitive primitive) {
            return ofPrimitive(primitive);
        }
        if (type instanceof Type.Optional optional) {
            return ofOptional(optional);
        }
        if (type instanceof Type.Decimal) {
            return value -> decimal((BigInteger) present(value));
        }
        if (type instanceof Type.ListOf list) {
            ValueEncoder item = of(list.item());
            return value -> list(item, (List<?>) present(value));
        }
        if (type instanceof Type.Struct struct) {
            return ofItems(struct.members().stream().map(Type.Member::type).toList());
        }
        if (type instanceof Type.Tuple tuple) {
            return ofItems(tuple.items());
        }
        if (type instanceof Type.Dict dict) {
            ValueEncoder key = of(dict.key());
            ValueEncoder payload = of(dict.payload());
            return value -> dict(key, payload, (Map<?, ?>) present(value));
        }
        if (type instanceof Type.Unit unit) {
            return ofUnit(unit);
        }
        throw new IllegalArgumentException("no encoder of type " + type);
    }

    private static Object present(@Nullable Object value) {
        return Objects.requireNonNull(value, "null in a type that is not optional");
    }

    private static ValueEncoder ofPrimitive(Primitive type) {
        return switch (type) {
            case BOOL ->
                value -> Value.newBuilder()
                        .setBoolValue((Boolean) present(value))
                        .build();
            case INT8, INT16, INT32, DATE32, UINT8, UINT16, UINT32, DATE, DATETIME -> ofInteger(type);
            case INT64, INTERVAL, DATETIME64, TIMESTAMP64, INTERVAL64 ->
                value -> Value.newBuilder().setInt64Value((Long) present(value)).build();
            case UINT64, TIMESTAMP ->
                value ->
                        Value.newBuilder().setUint64Value((Long) present(value)).build();
            case FLOAT ->
                value ->
                        Value.newBuilder().setFloatValue((Float) present(value)).build();
            case DOUBLE ->
                value -> Value.newBuilder()
                        .setDoubleValue((Double) present(value))
                        .build();
            case STRING, YSON ->
                value -> Value.newBuilder()
                        .setBytesValue(UnsafeByteOperations.unsafeWrap(((Bytes) present(value)).array()))
                        .build();
            case UTF8, JSON, JSON_DOCUMENT, TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP ->
                value ->
                        Value.newBuilder().setTextValue((String) present(value)).build();
            case DYNUMBER ->
                value -> Value.newBuilder()
                        .setTextValue(DyNumberText.of((BigDecimal) present(value)))
                        .build();
            case UUID ->
                value -> {
                    Uuid uuid = (Uuid) present(value);
                    return Value.newBuilder()
                            .setLow128(uuid.low())
                            .setHigh128(uuid.high())
                            .build();
                };
        };
    }

    /** Types of at most 32 bits, which come as a signed or an unsigned number of that size. */
    private static ValueEncoder ofInteger(Primitive type) {
        return switch (type) {
            case INT8, INT16, INT32, DATE32 ->
                value -> Value.newBuilder()
                        .setInt32Value(((Long) present(value)).intValue())
                        .build();
            default ->
                value -> Value.newBuilder()
                        .setUint32Value(((Long) present(value)).intValue())
                        .build();
        };
    }

    private static Value decimal(BigInteger value) {
        return Value.newBuilder()
                .setLow128(value.longValue())
                .setHigh128(value.shiftRight(64).longValue())
                .build();
    }

    private static ValueEncoder ofOptional(Type.Optional type) {
        ValueEncoder item = of(type.item());
        if (!(type.item() instanceof Type.Optional)) {
            return value -> value == null ? NULL : item.encode(value);
        }
        return value -> {
            if (value == null) {
                return NULL;
            }
            Value inner = item.encode(((Just) value).value());
            boolean ambiguous =
                    inner.getValueCase() == ValueCase.NULL_FLAG_VALUE || inner.getValueCase() == ValueCase.NESTED_VALUE;
            return ambiguous ? Value.newBuilder().setNestedValue(inner).build() : inner;
        };
    }

    private static Value list(ValueEncoder item, List<?> values) {
        Value.Builder wire = Value.newBuilder();
        for (Object value : values) {
            wire.addItems(item.encode(value));
        }
        return wire.build();
    }

    private static ValueEncoder ofItems(List<Type> types) {
        ValueEncoder[] encoders = types.stream().map(ValueEncoder::of).toArray(ValueEncoder[]::new);
        return value -> {
            List<?> items = (List<?>) present(value);
            Value.Builder wire = Value.newBuilder();
            for (int i = 0; i < encoders.length; i++) {
                wire.addItems(encoders[i].encode(items.get(i)));
            }
            return wire.build();
        };
    }

    private static Value dict(ValueEncoder key, ValueEncoder payload, Map<?, ?> entries) {
        Value.Builder wire = Value.newBuilder();
        entries.forEach((each, of) -> wire.addPairs(
                ValueProtos.ValuePair.newBuilder().setKey(key.encode(each)).setPayload(payload.encode(of))));
        return wire.build();
    }

    private static ValueEncoder ofUnit(Type.Unit unit) {
        return switch (unit) {
            case VOID, NULL -> value -> NULL;
            case EMPTY_LIST, EMPTY_DICT -> value -> Value.getDefaultInstance();
        };
    }
}
