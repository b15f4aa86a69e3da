package io.aardappel.emulator.changefeed;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds compact JSON as UTF-8 bytes. It does not check the structure. */
final class JsonBytes {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[256];
    private int length;

    JsonBytes raw(byte[] piece) {
        reserve(piece.length);
        System.arraycopy(piece, 0, bytes, length, piece.length);
        length += piece.length;
        return this;
    }

    /** ASCII text as it is. */
    JsonBytes raw(String ascii) {
        int count = ascii.length();
        reserve(count);
        for (int i = 0; i < count; i++) {
            bytes[length++] = (byte) ascii.charAt(i);
        }
        return this;
    }

    JsonBytes raw(char ascii) {
        reserve(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    JsonBytes number(long value) {
        return raw(Long.toString(value));
    }

    JsonBytes unsigned(long value) {
        return raw(value >= 0 ? Long.toString(value) : Long.toUnsignedString(value));
    }

    /** A JSON string. */
    JsonBytes string(String text) {
        raw('"');
        int count = text.length();
        reserve(count);
        for (int i = 0; i < count; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return rest(text, i);
            }
            ascii(c);
        }
        return raw('"');
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** From the first character outside ASCII on. */
    private JsonBytes rest(String text, int from) {
        for (byte unit : text.substring(from).getBytes(StandardCharsets.UTF_8)) {
            if (unit < 0) {
                reserve(1);
                bytes[length++] = unit;
            } else {
                ascii((char) unit);
            }
        }
        return raw('"');
    }

    private void ascii(char c) {
        if (c >= 0x20 && c != '"' && c != '\\') {
            raw(c);
            return;
        }
        switch (c) {
            case '"' -> raw("\\\"");
            case '\\' -> raw("\\\\");
            case '\n' -> raw("\\n");
            case '\r' -> raw("\\r");
            case '\t' -> raw("\\t");
            case '\b' -> raw("\\b");
            case '\f' -> raw("\\f");
            default -> {
                raw("\\u00");
                reserve(2);
                bytes[length++] = HEX[c >> 4];
                bytes[length++] = HEX[c & 0xF];
            }
        }
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
