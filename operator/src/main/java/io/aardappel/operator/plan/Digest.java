package io.aardappel.operator.plan;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Short names for texts: equal texts have equal ones. Pure. */
public final class Digest {
    private Digest() {}

    /**
     * The first hexadecimal digits of the SHA-256 of a text.
     *
     * @param digits 1 to 64
     */
    public static String of(String text, int digits) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, digits);
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every Java runtime has SHA-256", absent);
        }
    }
}
