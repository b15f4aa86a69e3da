package io.aardappel.program.http;

import java.util.function.Supplier;

/**
 * One page.
 *
 * @param path where it is, such as {@code /metrics}
 * @param content asked for each request, in threads of the server
 */
public record Page(String path, Supplier<Content> content) {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    /**
     * What is answered.
     *
     * @param code of HTTP
     * @param type its content type
     */
    public record Content(int code, String type, String body) {
        static final String PLAIN = "text/plain; charset=utf-8";
    }

    /** One that is always there. */
    public static Page of(String path, String type, Supplier<String> body) {
        return new Page(path, () -> new Content(OK, type, body.get()));
    }

    /** One that tells whether something is so, by its code as well. */
    public static Page probe(String path, Supplier<Answer> answer) {
        return new Page(path, () -> {
            Answer now = answer.get();
            return new Content(now.ok() ? OK : UNAVAILABLE, Content.PLAIN, now.text() + "\n");
        });
    }
}
