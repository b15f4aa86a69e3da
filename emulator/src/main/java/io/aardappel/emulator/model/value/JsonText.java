package io.aardappel.emulator.model.value;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Reads JSON (RFC 8259) strictly and writes it again without white space. Numbers keep their digits. */
public final class JsonText {
    /** Nesting that is still read; deeper text is refused. */
    private static final int DEPTH_MAX = 512;

    private final String text;
    private final boolean sorted;
    private int at;
    private int depth;

    private JsonText(String text, boolean sorted) {
        this.text = text;
        this.sorted = sorted;
    }

    /** Without white space; IllegalArgumentException when the text is not one JSON value. */
    public static String compact(String text) {
        return new JsonText(text, false).whole();
    }

    /** As JsonDocument keeps it: members sorted by name, the last of equal names, no white space. */
    public static String document(String text) {
        return new JsonText(text, true).whole();
    }

    /** Whether the text is one JSON value. */
    public static boolean isValid(String text) {
        try {
            compact(text);
            return true;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private String whole() {
        StringBuilder out = new StringBuilder(text.length());
        value(out);
        skipSpace();
        if (at < text.length()) {
            throw malformed();
        }
        return out.toString();
    }

    private void value(StringBuilder out) {
        skipSpace();
        switch (peek()) {
            case '{' -> nested(out, this::object);
            case '[' -> nested(out, this::array);
            case '"' -> string(out);
            case 't' -> word(out, "true");
            case 'f' -> word(out, "false");
            case 'n' -> word(out, "null");
            default -> number(out);
        }
    }

    private void nested(StringBuilder out, java.util.function.Consumer<StringBuilder> body) {
        if (++depth > DEPTH_MAX) {
            throw malformed();
        }
        body.accept(out);
        depth--;
    }

    private void object(StringBuilder out) {
        at++;
        Map<String, String> members = sorted ? new TreeMap<>(ValueOrder::compareText) : new LinkedHashMap<>();
        for (boolean first = true; more('}', first); first = false) {
            StringBuilder name = new StringBuilder();
            skipSpace();
            string(name);
            skipSpace();
            expect(':');
            StringBuilder member = new StringBuilder();
            value(member);
            members.put(name.toString(), member.toString());
        }
        String comma = "{";
        for (Map.Entry<String, String> member : members.entrySet()) {
            out.append(comma).append(member.getKey()).append(':').append(member.getValue());
            comma = ",";
        }
        out.append(members.isEmpty() ? "{}" : "}");
    }

    private void array(StringBuilder out) {
        at++;
        out.append('[');
        for (boolean first = true; more(']', first); first = false) {
            out.append(first ? "" : ",");
            value(out);
        }
        out.append(']');
    }

    /** Whether another element comes; steps over the comma before it, or over the end. */
    private boolean more(char end, boolean first) {
        skipSpace();
        if (peek() == end) {
            at++;
            return false;
        }
        if (!first) {
            expect(',');
        }
        return true;
    }

    private void string(StringBuilder out) {
        int start = at;
        expect('"');
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c < 0x20) {
                throw malformed();
            }
            if (c == '\\') {
                escape();
            }
        }
        at++;
        out.append(text, start, at);
    }

    private void escape() {
        char c = peek();
        at++;
        if (c == 'u') {
            for (int i = 0; i < 4; i++) {
                if (Character.digit(peek(), 16) < 0) {
                    throw malformed();
                }
                at++;
            }
        } else if ("\"\\/bfnrt".indexOf(c) < 0) {
            throw malformed();
        }
    }

    private void word(StringBuilder out, String word) {
        if (!text.startsWith(word, at)) {
            throw malformed();
        }
        at += word.length();
        out.append(word);
    }

    private void number(StringBuilder out) {
        int start = at;
        skip('-');
        if (!skip('0')) {
            digits();
        }
        if (skip('.')) {
            digits();
        }
        if (skip('e') || skip('E')) {
            if (!skip('-')) {
                skip('+');
            }
            digits();
        }
        out.append(text, start, at);
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw malformed();
        }
    }

    private boolean skip(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char c) {
        if (!skip(c)) {
            throw malformed();
        }
    }

    private void skipSpace() {
        while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw malformed();
        }
        return text.charAt(at);
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("not JSON from character " + at + " on");
    }
}
