package io.aardappel.access.auth;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What others may write anew at any time: a file, or a Secret's value that is held in memory. Whoever needs it reads
 * it anew each time. Thread-safe.
 */
public interface Content {
    /** By which people find it, such as {@code src_oauth2_file = "/etc/credentials.json"}; never what it holds. */
    String name();

    /**
     * What it holds now; the caller owns the array. May wait a few seconds.
     *
     * @throws IssueException naming it, when it cannot be read
     */
    byte[] bytes() throws IssueException;

    /**
     * The same as text.
     *
     * @throws IssueException naming it, when it cannot be read or is no text in UTF-8
     */
    default String text() throws IssueException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes()))
                    .toString();
        } catch (CharacterCodingException binary) {
            throw IssueException.passing(name() + ": it is no text in UTF-8", "Write it as text");
        }
    }

    /**
     * A file that others may write at any time, so that one which is not there may come.
     *
     * @param key the place of a configuration that names it
     * @param kind what it is, such as {@code token file}
     */
    static Content file(String key, Path file, String kind) {
        return new FileContent(key + " = \"" + file + "\"", file, kind, true);
    }
}
