package io.aardappel.emulator.query.value;

import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.model.value.Uuid;
import io.aardappel.emulator.model.value.ValueDomain;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text of a value, as in {@code CAST} and in literals such as {@code Date('2024-02-29')}. */
public final class TextForm {
    private static final Pattern UUID =
            Pattern.compile("\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}");
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,20}");
    private static final Pattern REAL = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    private TextForm() {}

    /** The value that the text stands for, null when it is none of the type. */
    public static @Nullable Object parse(Type type, String text) {
        if (type instanceof Type.Decimal decimal) {
            return Decimals.parse(decimal, text);
        }
        if (!(type instanceof Primitive primitive)) {
            return null;
        }
        Object value = parse(primitive, text);
        return value == null || ValueDomain.violation(type, value) != null ? null : value;
    }

    private static @Nullable Object parse(Primitive type, String text) {
        return switch (type) {
            case BOOL -> parseBool(text);
            case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64 -> parseInteger(type, text);
            case FLOAT -> parseFloat(text);
            case DOUBLE -> parseDouble(text);
            case DATE, DATETIME, TIMESTAMP, DATE32, DATETIME64, TIMESTAMP64 -> Dates.parsePoint(type, text);
            case INTERVAL, INTERVAL64 -> Dates.parseInterval(text);
            case TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> null;
            case STRING, YSON -> new Bytes(text.getBytes(StandardCharsets.UTF_8));
            case UTF8 -> text;
            case JSON, JSON_DOCUMENT -> JsonText.isValid(text) ? text : null;
            case UUID -> parseUuid(text);
            case DYNUMBER -> parseDyNumber(text);
        };
    }

    /** The text of a present value. */
    public static String print(Type type, Object value) {
        if (type instanceof Type.Decimal decimal) {
            return Decimals.print(decimal, (BigInteger) value);
        }
        if (!(type instanceof Primitive primitive)) {
            throw new IllegalArgumentException(Types.show(type) + " has no text form");
        }
        return switch (primitive) {
            case UINT64 -> Long.toUnsignedString((Long) value);
            case FLOAT -> printReal((Float) value, Float.toString((Float) value));
            case DOUBLE -> printReal((Double) value, Double.toString((Double) value));
            case DATE, DATETIME, TIMESTAMP, DATE32, DATETIME64, TIMESTAMP64 ->
                Dates.printPoint(primitive, (Long) value);
            case INTERVAL, INTERVAL64 -> Dates.printInterval((Long) value);
            case STRING, YSON -> new String(((Bytes) value).array(), StandardCharsets.UTF_8);
            case UUID -> printUuid((Uuid) value);
            case DYNUMBER -> printDyNumber((BigDecimal) value);
            default -> value.toString();
        };
    }

    private static @Nullable Object parseBool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> null;
        };
    }

    private static @Nullable Object parseInteger(Primitive type, String text) {
        return INTEGER.matcher(text).matches() ? Numbers.exact(type, new BigInteger(text)) : null;
    }

    private static @Nullable Double parseDouble(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "nan" -> Double.NaN;
            case "inf", "+inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> REAL.matcher(text).matches() ? Double.valueOf(text) : null;
        };
    }

    private static @Nullable Object parseFloat(String text) {
        Double value = parseDouble(text);
        // Rounded once, from the text: by way of double some values would be rounded twice.
        return value == null ? null : Double.isFinite(value) ? Float.valueOf(text) : (Object) value.floatValue();
    }

    private static String printReal(double value, String text) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        String plain = text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
        return plain.replace(".0E", "e").replace('E', 'e');
    }

    private static @Nullable Object parseDyNumber(String text) {
        if (!REAL.matcher(text).matches()) {
            return null;
        }
        BigDecimal value = ValueDomain.canonicalDyNumber(new BigDecimal(text));
        int exponent = value.precision() - value.scale();
        boolean fits = value.signum() == 0 || (value.precision() <= 38 && exponent >= -129 && exponent <= 126);
        return fits ? value : null;
    }

    /** {@code [-].digits[e exponent]}, the normal form of DyNumber. */
    private static String printDyNumber(BigDecimal value) {
        if (value.signum() == 0) {
            return "0";
        }
        BigDecimal stripped = value.stripTrailingZeros();
        int exponent = stripped.precision() - stripped.scale();
        String digits = stripped.unscaledValue().abs().toString();
        return (value.signum() < 0 ? "-." : ".") + digits + (exponent == 0 ? "" : "e" + exponent);
    }

    private static @Nullable Object parseUuid(String text) {
        if (!UUID.matcher(text).matches()) {
            return null;
        }
        java.util.UUID uuid = java.util.UUID.fromString(text);
        return ofJava(uuid);
    }

    /** The stored halves of a Uuid of Java. */
    static Uuid ofJava(java.util.UUID uuid) {
        long most = uuid.getMostSignificantBits();
        long low = (most >>> 32) | ((most >>> 16) & 0xFFFFL) << 32 | (most & 0xFFFFL) << 48;
        return new Uuid(low, Long.reverseBytes(uuid.getLeastSignificantBits()));
    }

    /** A Uuid of version 4 out of 128 random bits. */
    public static Uuid randomUuid(long most, long least) {
        return ofJava(new java.util.UUID(
                (most & 0xFFFF_FFFF_FFFF_0FFFL) | 0x4000L, (least & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L));
    }

    private static String printUuid(Uuid value) {
        long low = value.low();
        long most = (low & 0xFFFF_FFFFL) << 32 | ((low >>> 32) & 0xFFFFL) << 16 | low >>> 48;
        return new java.util.UUID(most, Long.reverseBytes(value.high())).toString();
    }
}
