package io.aardappel.replicator.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Keys and columns as compact JSON, spelled as the feed spells them, for people and for other programs. Stateless. */
public final class RecordJson {
    private static final JsonFactory JSON = MessageJson.factory();
    private static final DateTimeFormatter UTC = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final long SECONDS_A_DAY = 86_400;
    private static final long MICROS_A_SECOND = 1_000_000;

    private RecordJson() {}

    /** An array with one element for each key column. */
    public static String key(Key key, TableShape shape) {
        StringBuilder text = new StringBuilder("[");
        List<Integer> ordinals = shape.keyOrdinals();
        for (int part = 0; part < key.size(); part++) {
            text.append(part == 0 ? "" : ",");
            value(text, shape.column(ordinals.get(part)).type(), key.part(part));
        }
        return text.append(']').toString();
    }

    /** Keys as {@link #key} spells them for the table. */
    public static Key.Spelling spelling(TableShape shape) {
        return key -> key(key, shape);
    }

    /** An object with one member for each carried column. */
    public static String columns(Columns columns, TableShape shape) {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < columns.ordinals().length; i++) {
            TableShape.Column column = shape.column(columns.ordinals()[i]);
            text.append(i == 0 ? "" : ",");
            quote(text, column.name());
            text.append(':');
            value(text, column.type(), columns.values()[i]);
        }
        return text.append('}').toString();
    }

    /** A text as a JSON string; {@code <}, {@code >} and {@code &} are escaped, as the Go program does. */
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2);
        quote(quoted, text);
        return quoted.toString();
    }

    /**
     * Whether two JSON texts say the same: blanks and escapes aside, token for token. Numbers must be spelled alike. A text
     * that is no JSON is the same as none.
     */
    public static boolean same(String one, String other) {
        try (JsonParser left = JSON.createParser(one);
                JsonParser right = JSON.createParser(other)) {
            JsonToken token = left.nextToken();
            while (token != null) {
                if (token != right.nextToken() || !left.getText().equals(right.getText())) {
                    return false;
                }
                token = left.nextToken();
            }
            return right.nextToken() == null;
        } catch (IOException malformed) {
            return false;
        }
    }

    private static void value(StringBuilder text, YdbType type, @Nullable Object cell) {
        if (cell == null) {
            text.append("null");
            return;
        }
        switch (type.kind()) {
            case BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32 -> text.append(cell);
            case INTERVAL, DATE32, DATETIME64, TIMESTAMP64, INTERVAL64 -> text.append(cell);
            case UINT64 -> text.append(Long.toUnsignedString((Long) cell));
            case FLOAT, DOUBLE -> number(text, ((Number) cell).doubleValue(), cell.toString());
            case DATE -> utc(text, Math.multiplyExact((Long) cell, SECONDS_A_DAY * MICROS_A_SECOND));
            case DATETIME -> utc(text, Math.multiplyExact((Long) cell, MICROS_A_SECOND));
            case TIMESTAMP -> utc(text, (Long) cell);
            case STRING -> quote(text, Base64.getEncoder().encodeToString(((ByteString) cell).toByteArray()));
            case JSON, JSON_DOCUMENT -> text.append(((ByteString) cell).toStringUtf8());
            case YSON -> quote(text, ((ByteString) cell).toStringUtf8());
            case DECIMAL -> decimal(text, (Int128) cell, type.scale());
            case UTF8, DYNUMBER, UUID, PG, OTHER -> quote(text, cell.toString());
        }
    }

    private static void number(StringBuilder text, double value, String digits) {
        if (Double.isNaN(value)) {
            text.append("\"nan\"");
        } else if (Double.isInfinite(value)) {
            text.append(value > 0 ? "\"inf\"" : "\"-inf\"");
        } else {
            text.append(digits);
        }
    }

    private static void utc(StringBuilder text, long micros) {
        Instant at = Instant.ofEpochSecond(
                Math.floorDiv(micros, MICROS_A_SECOND), Math.floorMod(micros, MICROS_A_SECOND) * 1_000);
        text.append('"').append(UTC.format(at)).append('"');
    }

    private static void decimal(StringBuilder text, Int128 cell, int scale) {
        BigInteger low = new BigInteger(Long.toUnsignedString(cell.low()));
        BigInteger value = BigInteger.valueOf(cell.high()).shiftLeft(Long.SIZE).add(low);
        String special = DecimalText.special(value);
        BigDecimal number = new BigDecimal(value, scale);
        String digits = number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
        text.append('"').append(special == null ? digits : special).append('"');
    }

    private static void quote(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> text.append('\\').append(c);
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < ' ' || c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029') {
                        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
