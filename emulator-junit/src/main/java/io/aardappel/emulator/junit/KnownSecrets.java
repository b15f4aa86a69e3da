package io.aardappel.emulator.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The secrets that tests give to a program which must keep them. Every one of them is noted in {@value #LIST}, a line each, so
 * that after all tests everything that was written can be searched for them. Thread-safe.
 */
public final class KnownSecrets {
    /** Part of every secret that a test chooses. */
    public static final String MARKER = "hunter2";

    /** The file, in the folder where the tests run. */
    public static final String LIST = "target/known-secrets.txt";

    /** Shorter lines of a text may stand anywhere by chance. */
    private static final int LENGTH_MIN = 12;

    private static final Set<String> NOTED = ConcurrentHashMap.newKeySet();

    private KnownSecrets() {}

    /**
     * A secret for a test.
     *
     * @param kind what it is and whose, such as {@code source-token}; the same kind gives the same secret
     */
    public static String secret(String kind) {
        return note(MARKER + "-is-the-" + kind);
    }

    /**
     * Notes a secret that came about otherwise, such as the text of a private key or a ticket that was issued: each line of it
     * that is long enough, in Base64 too.
     *
     * @return the same text
     */
    public static String note(String secret) {
        secret.lines()
                .filter(line -> line.length() >= LENGTH_MIN && !line.startsWith("-----"))
                .forEach(KnownSecrets::noteLine);
        return secret;
    }

    private static void noteLine(String line) {
        if (NOTED.add(line)) {
            String encoded = Base64.getEncoder().withoutPadding().encodeToString(line.getBytes(StandardCharsets.UTF_8));
            append(line + "\n" + encoded + "\n");
        }
    }

    private static synchronized void append(String lines) {
        Path list = Path.of(LIST);
        try {
            Files.createDirectories(list.getParent());
            Files.writeString(list, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot note a secret in " + list.toAbsolutePath(), e);
        }
    }
}
