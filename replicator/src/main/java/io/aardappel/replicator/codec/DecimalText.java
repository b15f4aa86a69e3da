package io.aardappel.replicator.codec;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The feed's spelling of Decimal: plain digits with an optional point, {@code nan}, {@code inf}, {@code -inf}. */
final class DecimalText {
    /** What fits a long whatever its digits are. */
    private static final int LONG_DIGITS = 18;

    /** The server's infinity, one above every Decimal; not-a-number is the next. */
    private static final BigInteger INFINITY = BigInteger.TEN.pow(35);

    private static final Int128 POSITIVE_INFINITY = int128(INFINITY);
    private static final Int128 NEGATIVE_INFINITY = int128(INFINITY.negate());
    private static final Int128 NOT_A_NUMBER = int128(INFINITY.add(BigInteger.ONE));

    private DecimalText() {}

    /** The value times 10^scale as an {@link Int128}, or a {@link Misfit}. */
    static Object parse(String text, YdbType type) {
        return switch (text) {
            case "nan" -> NOT_A_NUMBER;
            case "inf" -> POSITIVE_INFINITY;
            case "-inf" -> NEGATIVE_INFINITY;
            default -> number(text, type);
        };
    }

    /** The word for a value that is no number, null for one that is. */
    static @Nullable String special(BigInteger value) {
        if (value.equals(INFINITY)) {
            return "inf";
        }
        if (value.equals(INFINITY.negate())) {
            return "-inf";
        }
        return value.equals(INFINITY.add(BigInteger.ONE)) ? "nan" : null;
    }

    private static Object number(String text, YdbType type) {
        boolean negative = text.startsWith("-");
        int from = negative ? 1 : 0;
        int point = text.indexOf('.');
        String whole = text.substring(from, point < 0 ? text.length() : Math.max(point, from));
        String fraction = point < 0 ? "" : trimmed(text.substring(point + 1));
        if (whole.isEmpty() || !areDigits(whole) || !areDigits(fraction)) {
            return Misfit.MALFORMED;
        }
        if (fraction.length() > type.scale()) {
            return Misfit.INEXACT;
        }
        String digits = whole + fraction + "0".repeat(type.scale() - fraction.length());
        int leading = leadingZeros(digits);
        if (digits.length() - leading > type.precision()) {
            return Misfit.OUT_OF_RANGE;
        }
        return signed(digits.substring(leading), negative);
    }

    private static Int128 signed(String digits, boolean negative) {
        if (digits.length() <= LONG_DIGITS) {
            long magnitude = digits.isEmpty() ? 0 : Long.parseLong(digits);
            long value = negative ? -magnitude : magnitude;
            return new Int128(value >> 63, value);
        }
        BigInteger magnitude = new BigInteger(digits);
        return int128(negative ? magnitude.negate() : magnitude);
    }

    private static Int128 int128(BigInteger value) {
        return new Int128(value.shiftRight(Long.SIZE).longValue(), value.longValue());
    }

    private static String trimmed(String fraction) {
        int end = fraction.length();
        while (end > 0 && fraction.charAt(end - 1) == '0') {
            end--;
        }
        return fraction.substring(0, end);
    }

    private static int leadingZeros(String digits) {
        int zeros = 0;
        while (zeros < digits.length() && digits.charAt(zeros) == '0') {
            zeros++;
        }
        return zeros;
    }

    static boolean areDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
