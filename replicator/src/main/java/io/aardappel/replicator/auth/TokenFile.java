package io.aardappel.replicator.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The token that stands in a file, as it is; others may write the file anew at any time. Thread-safe. */
public final class TokenFile implements Issuer {
    /** Twice the time within which another token in the file is noticed. */
    private static final Duration LIFETIME = Duration.ofSeconds(10);

    private final String key;
    private final Path file;

    /** @param key the configuration's key with the file, for messages */
    public TokenFile(String key, Path file) {
        this.key = key;
        this.file = file;
    }

    @Override
    public Issued issue(Duration within) throws IssueException {
        String token = read(key, file);
        if (!token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw IssueException.passing(
                    key + " = \"" + file + "\": the token holds a blank, a line end or another character that cannot be"
                            + " sent",
                    "Write the token alone into the file");
        }
        return new Issued(token, LIFETIME);
    }

    /**
     * What the file holds, without the blanks and line ends around it.
     *
     * @param key the place of a configuration that names it, for messages
     * @throws IssueException when it cannot be read, or holds nothing; that may pass
     */
    static String read(String key, Path file) throws IssueException {
        String token;
        try {
            token = Files.readString(file).strip();
        } catch (IOException unreadable) {
            throw IssueException.passing(
                    key + " = \"" + file + "\": the token file cannot be read ("
                            + unreadable.getClass().getSimpleName() + ")",
                    "See that it is there, and that this user may read it");
        }
        if (token.isEmpty()) {
            throw IssueException.passing(
                    key + " = \"" + file + "\": the token file is empty", "See that it holds the token");
        }
        return token;
    }
}
