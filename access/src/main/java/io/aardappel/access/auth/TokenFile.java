package io.aardappel.access.auth;

import java.nio.file.Path;
import java.time.Duration;

/** A token that is sent as it stands in a file or elsewhere; others may write it anew at any time. Thread-safe. */
public final class TokenFile implements Issuer {
    /** Twice the time within which another token is noticed. */
    private static final Duration LIFETIME = Duration.ofSeconds(10);

    private final Content content;

    /** @param content what holds the token, and nothing but blanks and line ends around it */
    public TokenFile(Content content) {
        this.content = content;
    }

    /** @param key the configuration's key with the file, for messages */
    public TokenFile(String key, Path file) {
        this(Content.file(key, file, "token file"));
    }

    @Override
    public Issued issue(Duration within) throws IssueException {
        String token = read(content);
        if (!token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw IssueException.passing(
                    content.name() + ": the token holds a blank, a line end or another character that cannot be sent",
                    "Write the token alone there");
        }
        return new Issued(token, LIFETIME);
    }

    /**
     * What is there, without the blanks and line ends around it.
     *
     * @throws IssueException when it cannot be read, or holds nothing; that may pass
     */
    static String read(Content content) throws IssueException {
        String token = content.text().strip();
        if (token.isEmpty()) {
            throw IssueException.passing(content.name() + ": there is no token in it", "See that it holds the token");
        }
        return token;
    }
}
