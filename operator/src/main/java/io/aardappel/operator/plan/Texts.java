package io.aardappel.operator.plan;

import org.jspecify.annotations.Nullable;

/** Texts as a status may hold them. */
final class Texts {
    /** Of a message in a status, in characters. */
    private static final int LENGTH_MAX = 1_024;

    private Texts() {}

    /** Null for an empty text; a long one loses its end. */
    static @Nullable String cut(String text) {
        if (text.isEmpty()) {
            return null;
        }
        return text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX - 1) + "…";
    }
}
