package io.aardappel.e2e.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads text YSON into plain objects, so that two spellings of one value compare equal. A subset: no attributes. */
final class YsonText {
    private final String text;
    private int at;

    private YsonText(String text) {
        this.text = text;
    }

    /** Maps (by key), lists, strings, longs as text, booleans, and {@code #} as the string {@code #entity}. */
    static Object parse(String text) {
        YsonText parser = new YsonText(text);
        Object value = parser.value();
        parser.blanks();
        if (parser.at != text.length()) {
            throw new IllegalArgumentException("text after the end of YSON at " + parser.at + ": " + text);
        }
        return value;
    }

    private Object value() {
        blanks();
        char c = text.charAt(at);
        if (c == '{') {
            return map();
        }
        if (c == '[') {
            return list();
        }
        if (c == '#') {
            at++;
            return "#entity";
        }
        if (c == '%') {
            at++;
            return Boolean.valueOf(word());
        }
        if (c == '-' || c == '+' || Character.isDigit(c)) {
            return "number " + word();
        }
        return string();
    }

    private Map<String, Object> map() {
        Map<String, Object> map = new TreeMap<>();
        at++;
        while (!closed('}')) {
            String key = string();
            blanks();
            if (text.charAt(at++) != '=') {
                throw new IllegalArgumentException("no '=' at " + (at - 1) + ": " + text);
            }
            map.put(key, value());
            separator();
        }
        return map;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        at++;
        while (!closed(']')) {
            list.add(value());
            separator();
        }
        return list;
    }

    private boolean closed(char end) {
        blanks();
        if (text.charAt(at) == end) {
            at++;
            return true;
        }
        return false;
    }

    private void separator() {
        blanks();
        if (text.charAt(at) == ';') {
            at++;
        }
    }

    private String string() {
        blanks();
        if (text.charAt(at) != '"') {
            return word();
        }
        StringBuilder result = new StringBuilder();
        at++;
        while (text.charAt(at) != '"') {
            if (text.charAt(at) == '\\') {
                at++;
            }
            result.append(text.charAt(at++));
        }
        at++;
        return result.toString();
    }

    private String word() {
        int from = at;
        while (at < text.length() && "+-._".indexOf(text.charAt(at)) >= 0
                || at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
            at++;
        }
        if (from == at) {
            throw new IllegalArgumentException("unexpected '" + text.charAt(at) + "' at " + at + ": " + text);
        }
        return text.substring(from, at);
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }
}
