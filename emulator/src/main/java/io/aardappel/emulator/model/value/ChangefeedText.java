package io.aardappel.emulator.model.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;

/** The text forms that changefeeds give to values which JSON cannot express. */
public final class ChangefeedText {
    private static final long MICROS = 1_000_000;
    private static final long MICROS_OF_DAY = 86_400 * MICROS;

    private ChangefeedText() {}

    /** {@code YYYY-MM-DDTHH:MM:SS.ffffffZ}, the form of Date, Datetime and Timestamp alike. */
    public static String timestamp(long micros) {
        long day = Math.floorDiv(micros, MICROS_OF_DAY);
        long rest = Math.floorMod(micros, MICROS_OF_DAY);
        LocalDate date = LocalDate.ofEpochDay(day);
        StringBuilder text = new StringBuilder(27);
        digits(text, date.getYear(), 4).append('-');
        digits(text, date.getMonthValue(), 2).append('-');
        digits(text, date.getDayOfMonth(), 2).append('T');
        long second = rest / MICROS;
        digits(text, second / 3600, 2).append(':');
        digits(text, second / 60 % 60, 2).append(':');
        digits(text, second % 60, 2).append('.');
        return digits(text, rest % MICROS, 6).append('Z').toString();
    }

    /** {@link #timestamp} of a Date, in days since the epoch. */
    public static String date(long days) {
        return timestamp(days * MICROS_OF_DAY);
    }

    /** {@link #timestamp} of a Datetime, in seconds since the epoch. */
    public static String datetime(long seconds) {
        return timestamp(seconds * MICROS);
    }

    /** Without trailing zeros of the fraction; {@code nan}, {@code inf}, {@code -inf}. */
    public static String decimal(Type.Decimal type, BigInteger unscaled) {
        if (unscaled.equals(ValueDomain.DECIMAL_NAN)) {
            return "nan";
        }
        if (unscaled.abs().equals(ValueDomain.DECIMAL_INFINITY)) {
            return unscaled.signum() < 0 ? "-inf" : "inf";
        }
        BigDecimal value = new BigDecimal(unscaled, type.scale());
        if (value.signum() == 0) {
            return "0";
        }
        BigDecimal stripped = value.stripTrailingZeros();
        return (stripped.scale() < 0 ? stripped.setScale(0) : stripped).toPlainString();
    }

    /** Normal form {@code [-].<digits>[e<exponent>]}: 12.5 is {@code .125e2}, zero is {@code 0}. */
    public static String dyNumber(BigDecimal value) {
        BigDecimal canonical = ValueDomain.canonicalDyNumber(value);
        if (canonical.signum() == 0) {
            return "0";
        }
        String digits = canonical.unscaledValue().abs().toString();
        int exponent = digits.length() - canonical.scale();
        String sign = canonical.signum() < 0 ? "-" : "";
        return sign + "." + digits + (exponent == 0 ? "" : "e" + exponent);
    }

    /** Lower case with hyphens. */
    public static String uuid(Uuid value) {
        long low = value.low();
        String head = hex(low & 0xFFFF_FFFFL, 8) + "-" + hex(low >>> 32 & 0xFFFF, 4) + "-" + hex(low >>> 48, 4);
        long tail = Long.reverseBytes(value.high());
        return head + "-" + hex(tail >>> 48, 4) + "-" + hex(tail & 0xFFFF_FFFF_FFFFL, 12);
    }

    private static String hex(long value, int width) {
        String text = Long.toHexString(value);
        return "0".repeat(width - text.length()) + text;
    }

    private static StringBuilder digits(StringBuilder text, long value, int width) {
        long unit = 1;
        for (int i = 1; i < width; i++) {
            unit *= 10;
        }
        for (; unit > 0; unit /= 10) {
            text.append((char) ('0' + value / unit % 10));
        }
        return text;
    }
}
