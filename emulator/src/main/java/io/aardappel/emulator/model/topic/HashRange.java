package io.aardappel.emulator.model.topic;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key hashes that a partition takes: from inclusive, to exclusive, both between 0 and 2<sup>128</sup>; a null bound is open.
 */
public record HashRange(@Nullable BigInteger from, @Nullable BigInteger to) {
    public static final HashRange ALL = new HashRange(null, null);

    private static final BigInteger LIMIT = BigInteger.ONE.shiftLeft(128);

    /** Cuts all hashes into ranges of equal size; the last one takes what is left over. */
    public static List<HashRange> equal(int count) {
        BigInteger slice = LIMIT.subtract(BigInteger.ONE).divide(BigInteger.valueOf(count));
        List<HashRange> ranges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            BigInteger from = i == 0 ? null : slice.multiply(BigInteger.valueOf(i));
            BigInteger to = i == count - 1 ? null : slice.multiply(BigInteger.valueOf(i + 1L));
            ranges.add(new HashRange(from, to));
        }
        return ranges;
    }

    /** Where the text belongs: its MD5 read as a big-endian number. */
    public static BigInteger hash(String text) {
        try {
            return new BigInteger(1, MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    public boolean contains(BigInteger hash) {
        return (from == null || hash.compareTo(from) >= 0) && (to == null || hash.compareTo(to) < 0);
    }

    /** The middle of the range, where a split without a given boundary cuts. */
    public BigInteger middle() {
        return lower().add(upper()).shiftRight(1);
    }

    public BigInteger size() {
        return upper().subtract(lower());
    }

    HashRange below(BigInteger boundary) {
        return new HashRange(from, boundary);
    }

    HashRange above(BigInteger boundary) {
        return new HashRange(boundary, to);
    }

    /** True when the other range begins where this one ends. */
    boolean touches(HashRange next) {
        return to != null && to.equals(next.from);
    }

    BigInteger lower() {
        return from == null ? BigInteger.ZERO : from;
    }

    private BigInteger upper() {
        return to == null ? LIMIT : to;
    }

    /** A bound as the protocol shows it: 16 bytes, big-endian. */
    public static byte[] bytes(BigInteger bound) {
        byte[] number = bound.toByteArray();
        byte[] bytes = new byte[16];
        int length = Math.min(number.length, bytes.length);
        System.arraycopy(number, number.length - length, bytes, bytes.length - length, length);
        return bytes;
    }
}
