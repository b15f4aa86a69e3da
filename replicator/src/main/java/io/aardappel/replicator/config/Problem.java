package io.aardappel.replicator.config;

import org.jspecify.annotations.Nullable;

/**
 * One thing wrong with the file.
 *
 * @param path YAML path of the value, such as {@code streams[2].dst_table}; empty for the file as a whole
 * @param line 1-based line in the file, 0 where there is none (a key that is missing)
 * @param column 1-based column, 0 where there is none
 * @param value what the file says, in quotes only where it stands in quotes; null where it says nothing or where it is a secret
 * @param fault what is wrong with it
 * @param remedy what to write instead
 */
public record Problem(
        String path, int line, int column, @Nullable String value, String fault, String remedy) {
    /** One line for a person: place, path, value, fault, remedy. Never holds a secret. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (line > 0) {
            text.append("line ").append(line).append(':').append(column).append(": ");
        }
        if (!path.isEmpty()) {
            text.append(path);
            if (value != null) {
                text.append(" = ").append(inALine(value));
            }
            text.append(": ");
        }
        return text.append(fault).append("; ").append(remedy).toString();
    }

    private static String inALine(String value) {
        String shown = value.length() > 120 ? value.substring(0, 117) + "..." : value;
        StringBuilder line = new StringBuilder();
        shown.chars().forEach(c -> {
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                default -> line.append(Character.isISOControl(c) ? "\\x%02x".formatted(c) : String.valueOf((char) c));
            }
        });
        return line.toString();
    }
}
