package io.aardappel.operator.plan;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Texts as a status may hold them. */
final class Texts {
    /** Of the note of an Event: more the API server does not take. */
    static final int NOTE_BYTES_MAX = 1_000;

    /** Of a message in a status, in characters. */
    private static final int LENGTH_MAX = 1_024;

    private Texts() {}

    /** As UTF-8. */
    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Null for an empty text; a long one loses its end. */
    static @Nullable String cut(String text) {
        if (text.isEmpty()) {
            return null;
        }
        return text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX - 1) + "…";
    }
}
