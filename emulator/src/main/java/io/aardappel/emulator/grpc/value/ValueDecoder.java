package io.aardappel.emulator.grpc.value;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Just;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.model.value.Uuid;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.ValueProtos.Value.ValueCase;

/**
 * Reads values of one type. Made once for a type and used for all its values, so that a list of structs costs one lookup
 * per member, not per value. Thread-safe. Throws {@link InvalidValueException} for a value that the type does not hold.
 */
@FunctionalInterface
public interface ValueDecoder {
    @Nullable
    Object decode(Value value);

    /** The decoder of a type. */
    static ValueDecoder of(Type type) {
        if (type instanceof Primitive primitive) {
            return ofPrimitive(primitive);
        }
        if (type instanceof Type.Optional optional) {
            return ofOptional(optional);
        }
        if (type instanceof Type.Decimal decimal) {
            return value -> decimal(decimal, value);
        }
        if (type instanceof Type.ListOf list) {
            return ofList(of(list.item()));
        }
        if (type instanceof Type.Struct struct) {
            return ofItems(
                    "struct", struct.members().stream().map(Type.Member::type).toList());
        }
        if (type instanceof Type.Tuple tuple) {
            return ofItems("tuple", tuple.items());
        }
        if (type instanceof Type.Dict dict) {
            return ofDict(of(dict.key()), of(dict.payload()));
        }
        if (type instanceof Type.Unit unit) {
            return ofUnit(unit);
        }
        throw new IllegalArgumentException("no decoder of type " + type);
    }

    private static ValueDecoder ofPrimitive(Primitive type) {
        return switch (type) {
            case BOOL -> value -> expect(value, ValueCase.BOOL_VALUE, type).getBoolValue();
            case INT8, INT16, INT32, DATE32 ->
                value -> ValueRanges.check(
                        type, expect(value, ValueCase.INT32_VALUE, type).getInt32Value());
            case UINT8, UINT16, UINT32, DATE, DATETIME ->
                value -> ValueRanges.check(
                        type,
                        Integer.toUnsignedLong(
                                expect(value, ValueCase.UINT32_VALUE, type).getUint32Value()));
            case INT64, INTERVAL, DATETIME64, TIMESTAMP64, INTERVAL64 ->
                value -> ValueRanges.check(
                        type, expect(value, ValueCase.INT64_VALUE, type).getInt64Value());
            case UINT64, TIMESTAMP ->
                value -> ValueRanges.check(
                        type, expect(value, ValueCase.UINT64_VALUE, type).getUint64Value());
            case FLOAT -> value -> expect(value, ValueCase.FLOAT_VALUE, type).getFloatValue();
            case DOUBLE -> value -> expect(value, ValueCase.DOUBLE_VALUE, type).getDoubleValue();
            case STRING, YSON ->
                value -> new Bytes(expect(value, ValueCase.BYTES_VALUE, type)
                        .getBytesValue()
                        .toByteArray());
            case UTF8, TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP ->
                value -> expect(value, ValueCase.TEXT_VALUE, type).getTextValue();
            case JSON, JSON_DOCUMENT ->
                value -> json(type, expect(value, ValueCase.TEXT_VALUE, type).getTextValue());
            case DYNUMBER ->
                value -> dyNumber(expect(value, ValueCase.TEXT_VALUE, type).getTextValue());
            case UUID ->
                value -> new Uuid(expect(value, ValueCase.LOW_128, type).getLow128(), value.getHigh128());
        };
    }

    private static Value expect(Value value, ValueCase expected, Object type) {
        if (value.getValueCase() != expected) {
            throw new InvalidValueException("a value of type " + type + " comes as " + word(expected) + ", not as "
                    + word(value.getValueCase()));
        }
        return value;
    }

    private static String word(ValueCase valueCase) {
        return valueCase.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static String json(Primitive type, String text) {
        try (JsonParser parser = Json.FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new InvalidValueException("an empty text is not " + type);
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw new InvalidValueException("text goes on after the end of a " + type);
            }
            return text;
        } catch (IOException malformed) {
            throw new InvalidValueException("not a valid " + type + ": " + firstLine(malformed));
        }
    }

    private static String firstLine(Exception failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("unreadable");
    }

    private static BigDecimal dyNumber(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException malformed) {
            throw new InvalidValueException("'" + text + "' is not a DyNumber");
        }
    }

    private static BigInteger decimal(Type.Decimal type, Value value) {
        long low = expect(value, ValueCase.LOW_128, type).getLow128();
        byte[] bigEndian =
                ByteBuffer.allocate(16).putLong(value.getHigh128()).putLong(low).array();
        return ValueRanges.checkDecimal(type.precision(), new BigInteger(bigEndian));
    }

    private static ValueDecoder ofOptional(Type.Optional type) {
        ValueDecoder item = of(type.item());
        boolean wraps = type.item() instanceof Type.Optional;
        return value -> {
            if (value.getValueCase() == ValueCase.NULL_FLAG_VALUE) {
                return null;
            }
            Object inner = item.decode(value.getValueCase() == ValueCase.NESTED_VALUE ? value.getNestedValue() : value);
            return wraps ? new Just(inner) : inner;
        };
    }

    private static ValueDecoder ofList(ValueDecoder item) {
        return value -> {
            List<@Nullable Object> items = new ArrayList<>(value.getItemsCount());
            for (Value each : value.getItemsList()) {
                items.add(item.decode(each));
            }
            return items;
        };
    }

    private static ValueDecoder ofItems(String kind, List<Type> types) {
        ValueDecoder[] decoders = types.stream().map(ValueDecoder::of).toArray(ValueDecoder[]::new);
        return value -> {
            if (value.getItemsCount() != decoders.length) {
                throw new InvalidValueException(
                        "a " + kind + " of " + decoders.length + " members has " + value.getItemsCount() + " values");
            }
            @Nullable Object[] items = new Object[decoders.length];
            for (int i = 0; i < decoders.length; i++) {
                items[i] = decoders[i].decode(value.getItems(i));
            }
            return Arrays.asList(items);
        };
    }

    private static ValueDecoder ofDict(ValueDecoder key, ValueDecoder payload) {
        return value -> {
            Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
            value.getPairsList()
                    .forEach(pair -> entries.put(key.decode(pair.getKey()), payload.decode(pair.getPayload())));
            return entries;
        };
    }

    private static ValueDecoder ofUnit(Type.Unit unit) {
        return switch (unit) {
            case VOID, NULL -> value -> null;
            case EMPTY_LIST -> value -> List.of();
            case EMPTY_DICT -> value -> Map.of();
        };
    }

    /** Holds the parser factory: an interface's own fields would be public. */
    final class Json {
        private static final JsonFactory FACTORY = new JsonFactory();

        private Json() {}
    }
}
