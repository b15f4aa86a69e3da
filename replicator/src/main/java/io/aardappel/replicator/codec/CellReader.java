package io.aardappel.replicator.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON value at which a parser stands into the cell of a column. What does not fit is answered with a
 * {@link Misfit} in place of the cell; malformed JSON is the parser's exception. Stateless.
 */
final class CellReader {
    /** Ends of the ranges of wide dates, in their own units: years -144169 to 148107. */
    private static final long MIN_DATE32 = -53_375_809;

    private static final long MAX_DATE32 = 53_375_807;
    private static final long SECONDS_A_DAY = 86_400;
    private static final long MICROS_A_SECOND = 1_000_000;
    private static final long MIN_DATETIME64 = MIN_DATE32 * SECONDS_A_DAY;
    private static final long MAX_DATETIME64 = (MAX_DATE32 + 1) * SECONDS_A_DAY - 1;
    private static final long MIN_TIMESTAMP64 = MIN_DATETIME64 * MICROS_A_SECOND;
    private static final long MAX_TIMESTAMP64 = (MAX_DATETIME64 + 1) * MICROS_A_SECOND - 1;
    private static final long MAX_INTERVAL64 = MAX_TIMESTAMP64 - MIN_TIMESTAMP64;
    private static final long MAX_INTERVAL = UtcText.END_OF_DATES * SECONDS_A_DAY * MICROS_A_SECOND - 1;

    /** More digits than this are above 2^64. */
    private static final int UINT64_DIGITS = 20;

    private static final int UUID_CHARS = 36;
    private static final ByteString JSON_NULL = ByteString.copyFromUtf8("null");

    private CellReader() {}

    /**
     * Reads one value and leaves the parser at its last token.
     *
     * @param message the bytes that the parser reads from
     * @param start where in them the parser began
     * @return the cell, null for NULL, or a {@link Misfit}
     */
    static @Nullable Object read(JsonParser json, TableShape.Column column, byte[] message, int start)
            throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return nullCell(column);
        }
        return switch (column.type().kind()) {
            case BOOL -> bool(json);
            case INT8 -> integer(json, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case UINT8 -> integer(json, 0, 0xff);
            case INT16 -> integer(json, Short.MIN_VALUE, Short.MAX_VALUE);
            case UINT16 -> integer(json, 0, 0xffff);
            case INT32 -> integer(json, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case UINT32 -> integer(json, 0, 0xffff_ffffL);
            case INT64 -> integer(json, Long.MIN_VALUE, Long.MAX_VALUE);
            case UINT64 -> unsigned(json);
            case INTERVAL -> integer(json, -MAX_INTERVAL, MAX_INTERVAL);
            case DATE32 -> integer(json, MIN_DATE32, MAX_DATE32);
            case DATETIME64 -> integer(json, MIN_DATETIME64, MAX_DATETIME64);
            case TIMESTAMP64 -> integer(json, MIN_TIMESTAMP64, MAX_TIMESTAMP64);
            case INTERVAL64 -> integer(json, -MAX_INTERVAL64, MAX_INTERVAL64);
            case FLOAT -> single(json);
            case DOUBLE -> twice(json);
            case DATE -> utc(json, SECONDS_A_DAY * MICROS_A_SECOND);
            case DATETIME -> utc(json, MICROS_A_SECOND);
            case TIMESTAMP -> utc(json, 1);
            case STRING -> bytes(json);
            case UTF8 -> text(json);
            case DYNUMBER -> isString(json) ? DyNumberText.canonical(json.getText()) : misfit(json);
            case DECIMAL -> isString(json) ? DecimalText.parse(json.getText(), column.type()) : misfit(json);
            case UUID -> uuid(json);
            case JSON, JSON_DOCUMENT -> document(json, message, start);
            case YSON -> YsonText.of(json);
            case PG, OTHER -> skipped(json, Misfit.NOT_CONVERTIBLE);
        };
    }

    /**
     * The feed writes NULL and a document that is JSON's null alike. A column that refuses NULL can only have meant the
     * document; elsewhere NULL is taken, as the one that people mean.
     */
    private static @Nullable Object nullCell(TableShape.Column column) {
        if (!column.notNull()) {
            return null;
        }
        return switch (column.type().kind()) {
            case JSON, JSON_DOCUMENT -> JSON_NULL;
            case YSON -> YsonText.ENTITY;
            default -> Misfit.NULL_REFUSED;
        };
    }

    /** A 64-bit unsigned integer by its bits, or a {@link Misfit}. */
    static Object unsigned(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            return misfit(json);
        }
        if (json.getNumberType() != NumberType.BIG_INTEGER) {
            long value = json.getLongValue();
            return value >= 0 ? (Object) value : Misfit.OUT_OF_RANGE;
        }
        if (json.getTextLength() > UINT64_DIGITS) {
            return Misfit.OUT_OF_RANGE;
        }
        BigInteger value = json.getBigIntegerValue();
        return value.signum() >= 0 && value.bitLength() <= Long.SIZE ? (Object) value.longValue() : Misfit.OUT_OF_RANGE;
    }

    private static Object integer(JsonParser json, long min, long max) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            return misfit(json);
        }
        if (json.getNumberType() == NumberType.BIG_INTEGER) {
            return Misfit.OUT_OF_RANGE;
        }
        long value = json.getLongValue();
        return min <= value && value <= max ? (Object) value : Misfit.OUT_OF_RANGE;
    }

    private static Object bool(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> misfit(json);
        };
    }

    private static Object single(JsonParser json) throws IOException {
        if (isString(json)) {
            Object special = special(json.getText());
            return special instanceof Double number ? (Object) number.floatValue() : special;
        }
        if (!json.currentToken().isNumeric()) {
            return misfit(json);
        }
        float value = json.getFloatValue();
        boolean vanished = value == 0 && Double.parseDouble(json.getText()) != 0;
        return Float.isInfinite(value) || vanished ? Misfit.OUT_OF_RANGE : (Object) value;
    }

    private static Object twice(JsonParser json) throws IOException {
        if (isString(json)) {
            return special(json.getText());
        }
        if (!json.currentToken().isNumeric()) {
            return misfit(json);
        }
        double value = json.getDoubleValue();
        return Double.isInfinite(value) ? Misfit.OUT_OF_RANGE : (Object) value;
    }

    /** What JSON has no number for comes as text. */
    private static Object special(String text) {
        return switch (text) {
            case "nan" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Misfit.MALFORMED;
        };
    }

    private static Object utc(JsonParser json, long microsAUnit) throws IOException {
        if (!isString(json)) {
            return misfit(json);
        }
        long micros = UtcText.parse(json.getTextCharacters(), json.getTextOffset(), json.getTextLength());
        if (micros == UtcText.MALFORMED) {
            return Misfit.MALFORMED;
        }
        if (micros == UtcText.OUT_OF_RANGE) {
            return Misfit.OUT_OF_RANGE;
        }
        long units = micros / microsAUnit;
        return units * microsAUnit == micros ? (Object) units : Misfit.INEXACT;
    }

    private static Object bytes(JsonParser json) throws IOException {
        if (!isString(json)) {
            return misfit(json);
        }
        String text = json.getText();
        if (text.length() % 4 != 0) {
            return Misfit.MALFORMED;
        }
        try {
            return wrap(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException notBase64) {
            return Misfit.MALFORMED;
        }
    }

    private static Object uuid(JsonParser json) throws IOException {
        if (!isString(json)) {
            return misfit(json);
        }
        String text = json.getText();
        if (text.length() != UUID_CHARS) {
            return Misfit.MALFORMED;
        }
        try {
            UUID uuid = UUID.fromString(text);
            return uuid.toString().equalsIgnoreCase(text) ? uuid : Misfit.MALFORMED;
        } catch (IllegalArgumentException notUuid) {
            return Misfit.MALFORMED;
        }
    }

    /** A lone surrogate has no UTF-8: the driver would write a question mark in its place. */
    private static Object text(JsonParser json) throws IOException {
        if (!isString(json)) {
            return misfit(json);
        }
        return isUnicode(json.getTextCharacters(), json.getTextOffset(), json.getTextLength())
                ? json.getText()
                : Misfit.MALFORMED;
    }

    /** Whether every surrogate is one of a pair. */
    static boolean isUnicode(char[] text, int offset, int length) {
        int end = offset + length;
        int seen = 0;
        for (int i = offset; i < end; i++) {
            seen |= text[i];
        }
        return seen < Character.MIN_SURROGATE || surrogatesArePaired(text, offset, end);
    }

    private static boolean surrogatesArePaired(char[] text, int offset, int end) {
        for (int i = offset; i < end; i++) {
            if (Character.isSurrogate(text[i])) {
                boolean pair = i + 1 < end && Character.isSurrogatePair(text[i], text[i + 1]);
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /** The document as it stands in the message, byte for byte: to write it anew would respell its numbers. */
    private static Object document(JsonParser json, byte[] message, int start) throws IOException {
        int from = start + (int) json.currentTokenLocation().getByteOffset();
        json.skipChildren();
        json.finishToken();
        int to = start + (int) json.currentLocation().getByteOffset();
        ByteString text = ByteString.copyFrom(message, from, to - from);
        return text.isValidUtf8() ? text : Misfit.MALFORMED;
    }

    private static boolean isString(JsonParser json) {
        return json.currentToken() == JsonToken.VALUE_STRING;
    }

    private static Misfit misfit(JsonParser json) throws IOException {
        return skipped(json, Misfit.WRONG_KIND);
    }

    private static Misfit skipped(JsonParser json, Misfit misfit) throws IOException {
        json.skipChildren();
        return misfit;
    }

    /** For people: what the feed carried, by its shape alone. */
    static String shape(JsonToken token) {
        return switch (token) {
            case START_OBJECT -> "a JSON object";
            case START_ARRAY -> "a JSON array";
            case VALUE_STRING -> "a JSON string";
            case VALUE_NUMBER_INT -> "a JSON integer";
            case VALUE_NUMBER_FLOAT -> "a JSON number";
            case VALUE_TRUE, VALUE_FALSE -> "a JSON boolean";
            case VALUE_NULL -> "NULL";
            default -> "an unexpected token";
        };
    }

    /** An empty byte string is shared. */
    static ByteString wrap(byte[] bytes) {
        return bytes.length == 0 ? ByteString.EMPTY : UnsafeByteOperations.unsafeWrap(bytes);
    }
}
