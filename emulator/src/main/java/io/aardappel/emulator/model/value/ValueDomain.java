package io.aardappel.emulator.model.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Which values a type holds, and the one form in which a value of several spellings is kept. */
public final class ValueDomain {
    /** Infinity as {@code Decimal} keeps it, whatever the precision; its negation is minus infinity. */
    public static final BigInteger DECIMAL_INFINITY = BigInteger.TEN.pow(35);
    /** Not-a-number as {@code Decimal} keeps it. */
    public static final BigInteger DECIMAL_NAN = DECIMAL_INFINITY.add(BigInteger.ONE);

    /** First day behind the narrow dates, 2106-01-01. */
    private static final long DATE_END = 49_673;

    private static final long SECONDS_OF_DAY = 86_400;
    private static final long MICROS = 1_000_000;
    /** Wide dates reach from 144169 BC to 148107 AD. */
    private static final long DATE32_MIN = -53_375_809;

    private static final long DATE32_MAX = 53_375_807;

    private ValueDomain() {}

    /** Why a present value is no value of the type, null when it is one. Its class must be the one that {@link Type} names. */
    public static @Nullable String violation(Type type, Object value) {
        if (type instanceof Type.Decimal decimal) {
            return fits(decimal, (BigInteger) value) ? null : "value is out of range for " + decimal;
        }
        if (type instanceof Type.Primitive primitive) {
            return violation(primitive, value);
        }
        return "a column cannot have type " + type;
    }

    /** Whether a number times 10^scale is a value of the decimal type. */
    public static boolean fits(Type.Decimal type, BigInteger unscaled) {
        return unscaled.abs().compareTo(BigInteger.TEN.pow(type.precision())) < 0
                || unscaled.abs().equals(DECIMAL_INFINITY)
                || unscaled.equals(DECIMAL_NAN);
    }

    /** The form in which a value is kept: equal DyNumbers and equal JsonDocuments become alike. */
    public static Object canonical(Type type, Object value) {
        if (type == Type.Primitive.DYNUMBER) {
            return canonicalDyNumber((BigDecimal) value);
        }
        return type == Type.Primitive.JSON_DOCUMENT ? JsonText.document((String) value) : value;
    }

    /** Without trailing zeros, and one zero. */
    public static BigDecimal canonicalDyNumber(BigDecimal value) {
        return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }

    /** Bytes that a value takes in a row, close to what YDB counts. */
    public static long size(@Nullable Object value) {
        if (value instanceof String text) {
            return utf8Length(text);
        }
        if (value instanceof Bytes bytes) {
            return bytes.array().length;
        }
        if (value instanceof BigInteger || value instanceof BigDecimal || value instanceof Uuid) {
            return 16;
        }
        return value == null ? 0 : 8;
    }

    private static long utf8Length(String text) {
        // Most texts are far below any limit: an upper bound is enough there and needs no pass over the characters.
        return text.length() < 1024 ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static @Nullable String violation(Type.Primitive type, Object value) {
        return switch (type) {
            case INT8 -> within(type, (Long) value, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case UINT8 -> within(type, (Long) value, 0, 0xFF);
            case INT16 -> within(type, (Long) value, Short.MIN_VALUE, Short.MAX_VALUE);
            case UINT16 -> within(type, (Long) value, 0, 0xFFFF);
            case INT32 -> within(type, (Long) value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case UINT32 -> within(type, (Long) value, 0, 0xFFFF_FFFFL);
            case DATE -> within(type, (Long) value, 0, DATE_END - 1);
            case DATETIME -> within(type, (Long) value, 0, DATE_END * SECONDS_OF_DAY - 1);
            case TIMESTAMP -> within(type, (Long) value, 0, DATE_END * SECONDS_OF_DAY * MICROS - 1);
            case INTERVAL -> {
                long bound = DATE_END * SECONDS_OF_DAY * MICROS - 1;
                yield within(type, (Long) value, -bound, bound);
            }
            case DATE32 -> within(type, (Long) value, DATE32_MIN, DATE32_MAX);
            case DATETIME64 ->
                within(type, (Long) value, DATE32_MIN * SECONDS_OF_DAY, (DATE32_MAX + 1) * SECONDS_OF_DAY - 1);
            case TIMESTAMP64 ->
                within(
                        type,
                        (Long) value,
                        DATE32_MIN * SECONDS_OF_DAY * MICROS,
                        (DATE32_MAX + 1) * SECONDS_OF_DAY * MICROS - 1);
            case TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> "a column cannot have type " + type;
            case INT64, UINT64, INTERVAL64 -> expect(type, value, Long.class);
            case BOOL -> expect(type, value, Boolean.class);
            case FLOAT -> expect(type, value, Float.class);
            case DOUBLE -> expect(type, value, Double.class);
            case STRING, YSON -> expect(type, value, Bytes.class);
            case UTF8 -> expect(type, value, String.class);
            case JSON, JSON_DOCUMENT -> JsonText.isValid((String) value) ? null : "value is not valid JSON";
            case UUID -> expect(type, value, Uuid.class);
            case DYNUMBER -> expect(type, value, BigDecimal.class);
        };
    }

    private static @Nullable String within(Type type, long value, long min, long max) {
        return value >= min && value <= max ? null : "value " + value + " is out of range for " + type;
    }

    private static @Nullable String expect(Type type, Object value, Class<?> expected) {
        return expected.isInstance(value)
                ? null
                : "a value of class " + value.getClass().getName() + " is no " + type;
    }
}
