package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.ChangefeedText;
import io.aardappel.emulator.model.value.JsonText;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Uuid;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Writes values of one type as changefeeds do, in keys and in columns alike. */
@FunctionalInterface
interface ValueWriter {
    void write(JsonBytes out, Object value);

    /** Writes null too. */
    default void writeNullable(JsonBytes out, @Nullable Object value) {
        if (value == null) {
            out.raw("null");
        } else {
            write(out, value);
        }
    }

    static ValueWriter of(Type type) {
        if (type instanceof Type.Decimal decimal) {
            return (out, value) -> out.string(ChangefeedText.decimal(decimal, (BigInteger) value));
        }
        if (type instanceof Type.Primitive primitive) {
            return of(primitive);
        }
        throw new IllegalArgumentException("no column has type " + type);
    }

    private static ValueWriter of(Type.Primitive type) {
        return switch (type) {
            case BOOL -> (out, value) -> out.raw((Boolean) value ? "true" : "false");
            case UINT64 -> (out, value) -> out.unsigned((Long) value);
            case INT8,
                    UINT8,
                    INT16,
                    UINT16,
                    INT32,
                    UINT32,
                    INT64,
                    INTERVAL,
                    DATE32,
                    DATETIME64,
                    TIMESTAMP64,
                    INTERVAL64 -> (out, value) -> out.number((Long) value);
            case FLOAT -> (out, value) -> real(out, (Float) value, Float.toString((Float) value));
            case DOUBLE -> (out, value) -> real(out, (Double) value, Double.toString((Double) value));
            case DATE -> (out, value) -> out.string(ChangefeedText.date((Long) value));
            case DATETIME -> (out, value) -> out.string(ChangefeedText.datetime((Long) value));
            case TIMESTAMP -> (out, value) -> out.string(ChangefeedText.timestamp((Long) value));
            case STRING ->
                (out, value) -> out.raw('"')
                        .raw(Base64.getEncoder().encode(((Bytes) value).array()))
                        .raw('"');
            case UTF8, TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> (out, value) -> out.string((String) value);
            case JSON, JSON_DOCUMENT ->
                (out, value) -> out.raw(JsonText.compact((String) value).getBytes(StandardCharsets.UTF_8));
            case YSON -> (out, value) -> YsonToJson.write(out, ((Bytes) value).array());
            case UUID -> (out, value) -> out.string(ChangefeedText.uuid((Uuid) value));
            case DYNUMBER -> (out, value) -> out.string(ChangefeedText.dyNumber((BigDecimal) value));
        };
    }

    private static void real(JsonBytes out, double value, String text) {
        if (Double.isNaN(value)) {
            out.raw("\"nan\"");
        } else if (Double.isInfinite(value)) {
            out.raw(value > 0 ? "\"inf\"" : "\"-inf\"");
        } else {
            out.raw(text);
        }
    }
}
