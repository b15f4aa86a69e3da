package io.aardappel.contract;

import java.util.Optional;

/**
 * Judges texts that name an object of a database or a consumer, before a server is asked: what it finds would be refused
 * there too, and less plainly. Stateless.
 */
public final class PathText {
    /** Characters of a path at most. */
    public static final int LONGEST = 1_024;

    /** Characters of a consumer's name at most. */
    public static final int LONGEST_CONSUMER = 256;

    private PathText() {}

    /**
     * What is wrong with a path, absolute or relative, as a predicate for a person that does not quote it; empty when
     * nothing is.
     */
    public static Optional<String> fault(String path) {
        return tooLong(path, LONGEST).or(() -> formFault(path));
    }

    /** The same whatever its length: that of an absolute path may be above the bound of what is written. */
    static Optional<String> formFault(String path) {
        if (path.isEmpty() || path.equals("/")) {
            return Optional.of("is empty");
        }
        return strangeCharacter(path)
                .or(() -> path.endsWith("/") || path.contains("//")
                        ? Optional.of("has an empty part between slashes")
                        : Optional.empty());
    }

    /** The same of a consumer's name. */
    public static Optional<String> consumerFault(String name) {
        return name.isEmpty()
                ? Optional.of("is empty")
                : tooLong(name, LONGEST_CONSUMER).or(() -> strangeCharacter(name));
    }

    private static Optional<String> tooLong(String text, int longest) {
        return text.length() > longest
                ? Optional.of("has " + text.length() + " characters, more than " + longest)
                : Optional.empty();
    }

    private static Optional<String> strangeCharacter(String text) {
        for (int at = 0; at < text.length(); at++) {
            String name = strange(text.charAt(at));
            if (!name.isEmpty()) {
                return Optional.of("holds %s, which no name may hold, as character %d".formatted(name, at + 1));
            }
        }
        return Optional.empty();
    }

    /** Statements quote names by back-quotes, in which a backslash escapes; the others no server takes. */
    private static String strange(char c) {
        if (c == '`') {
            return "a back-quote";
        }
        if (c == '\\') {
            return "a backslash";
        }
        if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
            return "a blank";
        }
        return Character.isISOControl(c) ? "a control character" : "";
    }
}
