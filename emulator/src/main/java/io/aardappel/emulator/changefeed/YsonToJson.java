package io.aardappel.emulator.changefeed;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Rewrites YSON, text and binary scalars, as JSON. Attributes are written as {@code {"$attributes":..,"$value":..}}; a value
 * that cannot be read becomes a JSON string of its bytes, so that a record never breaks.
 */
final class YsonToJson {
    private static final int END = -1;

    private final byte[] yson;
    private final JsonBytes out;
    private int at;

    private YsonToJson(byte[] yson, JsonBytes out) {
        this.yson = yson;
        this.out = out;
    }

    static void write(JsonBytes out, byte[] yson) {
        JsonBytes converted = new JsonBytes();
        try {
            YsonToJson reader = new YsonToJson(yson, converted);
            reader.value();
            reader.expectEnd();
        } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
            out.string(new String(yson, StandardCharsets.UTF_8));
            return;
        }
        out.raw(converted.toBytes());
    }

    private void value() {
        int c = peek();
        switch (c) {
            case '<' -> attributed();
            case '{' -> map('{', '}');
            case '[' -> list();
            case '#' -> {
                at++;
                out.raw("null");
            }
            case '%' -> percent();
            case 0x01, '"' -> out.string(string());
            case 0x02 -> {
                at++;
                out.number(zigZag(varint()));
            }
            case 0x03 -> {
                at++;
                out.raw(real(doubleBits()));
            }
            case 0x04 -> literal(1, "false");
            case 0x05 -> literal(1, "true");
            case 0x06 -> {
                at++;
                out.unsigned(varint());
            }
            default -> bare(c);
        }
    }

    private void attributed() {
        out.raw("{\"$attributes\":");
        map('<', '>');
        out.raw(",\"$value\":");
        value();
        out.raw('}');
    }

    private void map(char open, char close) {
        expect(open);
        out.raw('{');
        for (boolean first = true; peek() != close; first = false) {
            out.raw(first ? "" : ",").string(string());
            expect('=');
            out.raw(':');
            value();
            skipSeparator();
        }
        expect(close);
        out.raw('}');
    }

    private void list() {
        expect('[');
        out.raw('[');
        for (boolean first = true; peek() != ']'; first = false) {
            out.raw(first ? "" : ",");
            value();
            skipSeparator();
        }
        expect(']');
        out.raw(']');
    }

    private void percent() {
        String word = word(1);
        switch (word) {
            case "true", "false" -> literal(1 + word.length(), word);
            case "nan", "inf", "-inf", "+inf" -> literal(1 + word.length(), "\"" + word.replace("+", "") + "\"");
            default -> throw new IllegalArgumentException("unknown literal %" + word);
        }
    }

    /** A number, or a string without quotes. */
    private void bare(int c) {
        if (c == '-' || c == '+' || (c >= '0' && c <= '9')) {
            number();
        } else {
            out.string(string());
        }
    }

    private void number() {
        String word = word(0);
        at += word.length();
        if (word.endsWith("u")) {
            out.unsigned(Long.parseUnsignedLong(word.substring(0, word.length() - 1)));
        } else if (word.chars().anyMatch(c -> c == '.' || c == 'e' || c == 'E')) {
            out.raw(real(Double.parseDouble(word)));
        } else {
            out.number(Long.parseLong(word));
        }
    }

    private static String real(double value) {
        if (Double.isNaN(value)) {
            return "\"nan\"";
        }
        return Double.isInfinite(value) ? (value > 0 ? "\"inf\"" : "\"-inf\"") : Double.toString(value);
    }

    private String string() {
        int c = peek();
        if (c == 0x01) {
            at++;
            int length = Math.toIntExact(zigZag(varint()));
            String text = new String(yson, at, length, StandardCharsets.UTF_8);
            at += length;
            return text;
        }
        if (c == '"') {
            return quoted();
        }
        String word = word(0);
        if (word.isEmpty()) {
            throw new IllegalArgumentException("no string at byte " + at);
        }
        at += word.length();
        return word;
    }

    private String quoted() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        at++;
        while (yson[at] != '"') {
            byte unit = yson[at++];
            text.write(unit == '\\' ? escape() : unit);
        }
        at++;
        return text.toString(StandardCharsets.UTF_8);
    }

    private int escape() {
        int c = yson[at++];
        switch (c) {
            case 'n' -> {
                return '\n';
            }
            case 't' -> {
                return '\t';
            }
            case 'r' -> {
                return '\r';
            }
            case 'x' -> {
                int value = Integer.parseInt(new String(yson, at, 2, StandardCharsets.US_ASCII), 16);
                at += 2;
                return value;
            }
            default -> {
                return c >= '0' && c <= '7' ? octal(c - '0') : c;
            }
        }
    }

    private int octal(int first) {
        int value = first;
        for (int i = 0; i < 2 && yson[at] >= '0' && yson[at] <= '7'; i++) {
            value = value * 8 + yson[at++] - '0';
        }
        return value;
    }

    /** Letters, digits and signs from a distance on; moves nothing. */
    private String word(int ahead) {
        int end = at + ahead;
        while (end < yson.length && isWord(yson[end])) {
            end++;
        }
        return new String(yson, at + ahead, end - at - ahead, StandardCharsets.UTF_8);
    }

    private static boolean isWord(byte c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '_'
                || c == '-'
                || c == '+'
                || c == '.'
                || c == '/';
    }

    private void literal(int width, String json) {
        at += width;
        out.raw(json);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte unit = yson[at++];
            value |= (long) (unit & 0x7F) << shift;
            if (unit >= 0) {
                return value;
            }
        }
    }

    private static long zigZag(long value) {
        return value >>> 1 ^ -(value & 1);
    }

    private double doubleBits() {
        double value = java.nio.ByteBuffer.wrap(yson, at, 8)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .getDouble();
        at += 8;
        return value;
    }

    private void skipSeparator() {
        if (peek() == ';') {
            at++;
        }
    }

    private void expect(char c) {
        if (peek() != c) {
            throw new IllegalArgumentException("expected " + c + " at byte " + at);
        }
        at++;
    }

    private void expectEnd() {
        if (peek() != END) {
            throw new IllegalArgumentException("more bytes behind the value");
        }
    }

    private int peek() {
        while (at < yson.length && (yson[at] == ' ' || yson[at] == '\n' || yson[at] == '\t' || yson[at] == '\r')) {
            at++;
        }
        return at < yson.length ? yson[at] : END;
    }
}
