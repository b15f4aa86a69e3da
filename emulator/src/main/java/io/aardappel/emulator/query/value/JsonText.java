package io.aardappel.emulator.query.value;

/** Whether a text is one JSON value; nothing is built. */
final class JsonText {
    /** Deeper nesting is refused, so that no text can exhaust the stack. */
    private static final int DEPTH_MAX = 512;

    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    static boolean isValid(String text) {
        JsonText reader = new JsonText(text);
        reader.space();
        if (!reader.value(0)) {
            return false;
        }
        reader.space();
        return reader.at == text.length();
    }

    private boolean value(int depth) {
        if (depth > DEPTH_MAX || at >= text.length()) {
            return false;
        }
        return switch (text.charAt(at)) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        };
    }

    private boolean object(int depth) {
        at++;
        space();
        if (take('}')) {
            return true;
        }
        do {
            space();
            if (!string()) {
                return false;
            }
            space();
            if (!take(':')) {
                return false;
            }
            space();
            if (!value(depth + 1)) {
                return false;
            }
            space();
        } while (take(','));
        return take('}');
    }

    private boolean array(int depth) {
        at++;
        space();
        if (take(']')) {
            return true;
        }
        do {
            space();
            if (!value(depth + 1)) {
                return false;
            }
            space();
        } while (take(','));
        return take(']');
    }

    private boolean string() {
        if (!take('"')) {
            return false;
        }
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return true;
            }
            if (c < ' ' || (c == '\\' && !escape())) {
                return false;
            }
        }
        return false;
    }

    private boolean escape() {
        if (at >= text.length()) {
            return false;
        }
        char c = text.charAt(at++);
        if (c != 'u') {
            return "\"\\/bfnrt".indexOf(c) >= 0;
        }
        for (int i = 0; i < 4; i++, at++) {
            if (at >= text.length() || Character.digit(text.charAt(at), 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private boolean number() {
        take('-');
        if (!take('0') && !digits()) {
            return false;
        }
        if (take('.') && !digits()) {
            return false;
        }
        if (take('e') || take('E')) {
            if (!take('+')) {
                take('-');
            }
            return digits();
        }
        return true;
    }

    private boolean digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at > start;
    }

    private boolean word(String word) {
        boolean there = text.startsWith(word, at);
        at += there ? word.length() : 0;
        return there;
    }

    private boolean take(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }
}
