package io.aardappel.emulator.query.value;

import io.aardappel.emulator.model.value.Type.Primitive;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** ISO 8601 text of points in time and of intervals. Years before the first are negative; there is no year 0. */
final class Dates {
    private static final Pattern POINT = Pattern.compile(
            "(-?\\d{1,6})-(\\d{1,2})-(\\d{1,2})(?:T(\\d{1,2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,6})\\d*)?(Z|[+-]\\d{2}:?\\d{2}))?");
    private static final Pattern INTERVAL = Pattern.compile(
            "([+-])?P(?:(\\d+)W)?(?:(\\d+)D)?(?:T(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)(?:\\.(\\d{1,6}))?S)?)?");
    private static final long SECONDS_OF_DAY = 86_400;
    private static final long MICROS = 1_000_000;

    private Dates() {}

    /** A point in units of the type, null when the text is none; the range of the type is not checked. */
    static @Nullable Long parsePoint(Primitive type, String text) {
        Matcher matcher = POINT.matcher(text);
        boolean dateOnly = type == Primitive.DATE || type == Primitive.DATE32;
        if (!matcher.matches() || dateOnly != (matcher.group(4) == null)) {
            return null;
        }
        try {
            long days = days(matcher);
            if (dateOnly) {
                return days;
            }
            long seconds = days * SECONDS_OF_DAY + secondsOfDay(matcher);
            boolean micros = Types.microsPerUnit(type) == 1;
            if (!micros) {
                return matcher.group(7) == null ? seconds : null;
            }
            return seconds * MICROS + fraction(matcher.group(7));
        } catch (DateTimeException e) {
            return null; // no such day or hour
        }
    }

    private static long days(Matcher matcher) {
        int year = Integer.parseInt(matcher.group(1));
        if (year == 0) {
            throw new DateTimeException("there is no year 0");
        }
        int proleptic = year < 0 ? year + 1 : year;
        return LocalDate.of(proleptic, Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)))
                .toEpochDay();
    }

    private static long secondsOfDay(Matcher matcher) {
        int hour = Integer.parseInt(matcher.group(4));
        int minute = Integer.parseInt(matcher.group(5));
        int second = Integer.parseInt(matcher.group(6));
        if (hour > 23 || minute > 59 || second > 59) {
            throw new DateTimeException("no such time of day");
        }
        return hour * 3600L + minute * 60L + second - offset(matcher.group(8));
    }

    private static long offset(String zone) {
        if (zone.equals("Z")) {
            return 0;
        }
        String digits = zone.substring(1).replace(":", "");
        long seconds = Integer.parseInt(digits.substring(0, 2)) * 3600L + Integer.parseInt(digits.substring(2)) * 60L;
        return zone.charAt(0) == '-' ? -seconds : seconds;
    }

    private static long fraction(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong((digits + "000000").substring(0, 6));
    }

    static String printPoint(Primitive type, long value) {
        long micros = Types.microsPerUnit(type);
        if (micros == SECONDS_OF_DAY * MICROS) {
            return printDay(value);
        }
        long seconds = micros == 1 ? Math.floorDiv(value, MICROS) : value;
        long fraction = micros == 1 ? Math.floorMod(value, MICROS) : 0;
        long ofDay = Math.floorMod(seconds, SECONDS_OF_DAY);
        String text = String.format(
                Locale.ROOT,
                "%sT%02d:%02d:%02d",
                printDay(Math.floorDiv(seconds, SECONDS_OF_DAY)),
                ofDay / 3600,
                ofDay / 60 % 60,
                ofDay % 60);
        return text + (fraction == 0 ? "" : String.format(Locale.ROOT, ".%06d", fraction)) + "Z";
    }

    private static String printDay(long days) {
        LocalDate day = LocalDate.ofEpochDay(days);
        int year = day.getYear();
        return String.format(
                Locale.ROOT, "%04d-%02d-%02d", year <= 0 ? year - 1 : year, day.getMonthValue(), day.getDayOfMonth());
    }

    /** Microseconds, null when the text is no interval. */
    static @Nullable Long parseInterval(String text) {
        Matcher matcher = INTERVAL.matcher(text);
        if (!matcher.matches() || text.endsWith("P") || text.endsWith("T")) {
            return null;
        }
        try {
            long seconds = Math.multiplyExact(number(matcher.group(2)), 7 * SECONDS_OF_DAY);
            seconds = Math.addExact(seconds, Math.multiplyExact(number(matcher.group(3)), SECONDS_OF_DAY));
            seconds = Math.addExact(seconds, Math.multiplyExact(number(matcher.group(4)), 3600L));
            seconds = Math.addExact(seconds, Math.multiplyExact(number(matcher.group(5)), 60L));
            seconds = Math.addExact(seconds, number(matcher.group(6)));
            long micros = Math.addExact(Math.multiplyExact(seconds, MICROS), fraction(matcher.group(7)));
            return "-".equals(matcher.group(1)) ? -micros : micros;
        } catch (ArithmeticException | NumberFormatException e) {
            return null; // beyond 64 bits
        }
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    static String printInterval(long micros) {
        long rest = Math.abs(micros);
        StringBuilder text = new StringBuilder(micros < 0 ? "-P" : "P");
        long days = rest / (SECONDS_OF_DAY * MICROS);
        rest %= SECONDS_OF_DAY * MICROS;
        if (days > 0) {
            text.append(days).append('D');
        }
        if (rest == 0) {
            return days > 0 ? text.toString() : "PT0S";
        }
        text.append('T');
        appendUnit(text, rest / (3600 * MICROS), 'H');
        appendUnit(text, rest / (60 * MICROS) % 60, 'M');
        long seconds = rest / MICROS % 60;
        long fraction = rest % MICROS;
        if (fraction > 0) {
            text.append(String.format(Locale.ROOT, "%d.%06dS", seconds, fraction));
        } else {
            appendUnit(text, seconds, 'S');
        }
        return text.toString();
    }

    private static void appendUnit(StringBuilder text, long amount, char unit) {
        if (amount > 0) {
            text.append(amount).append(unit);
        }
    }
}
