package io.aardappel.replicator.codec;

/** The feed's spelling of Date, Datetime and Timestamp: always {@code YYYY-MM-DDTHH:MM:SS.ffffffZ}. */
final class UtcText {
    static final long MALFORMED = -1;
    static final long OUT_OF_RANGE = -2;

    /** First day, counted from 1970-01-01, that the narrow date types do not hold: 2106-01-01. */
    static final long END_OF_DATES = 49_673;

    private static final String PATTERN = "dddd-dd-ddTdd:dd:dd.ddddddZ";
    private static final int[] DAYS_BEFORE_MONTH = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    private static final int FIRST_YEAR = 1970;

    private UtcText() {}

    /** Microseconds since 1970, or {@link #MALFORMED} or {@link #OUT_OF_RANGE}. */
    static long parse(char[] text, int offset, int length) {
        if (!matches(text, offset, length)) {
            return MALFORMED;
        }
        int year = number(text, offset, 4);
        int month = number(text, offset + 5, 2);
        int day = number(text, offset + 8, 2);
        int hour = number(text, offset + 11, 2);
        int minute = number(text, offset + 14, 2);
        int second = number(text, offset + 17, 2);
        if (month < 1
                || month > 12
                || day < 1
                || day > daysIn(year, month)
                || hour > 23
                || minute > 59
                || second > 59) {
            return MALFORMED;
        }
        if (year < FIRST_YEAR) {
            return OUT_OF_RANGE;
        }
        long days = days(year, month, day);
        if (days >= END_OF_DATES) {
            return OUT_OF_RANGE;
        }
        long seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
        return seconds * 1_000_000 + number(text, offset + 20, 6);
    }

    private static boolean matches(char[] text, int offset, int length) {
        if (length != PATTERN.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char expected = PATTERN.charAt(i);
            char found = text[offset + i];
            if (expected == 'd' ? found < '0' || found > '9' : found != expected) {
                return false;
            }
        }
        return true;
    }

    private static int number(char[] text, int from, int digits) {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            value = value * 10 + (text[i] - '0');
        }
        return value;
    }

    private static boolean isLeap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    private static int daysIn(int year, int month) {
        int days = DAYS_BEFORE_MONTH[month] - DAYS_BEFORE_MONTH[month - 1];
        return month == 2 && isLeap(year) ? days + 1 : days;
    }

    private static long days(int year, int month, int day) {
        int before = year - 1;
        int leapDays = before / 4 - before / 100 + before / 400 - 477; // 477 of them before 1970
        boolean afterLeapDay = month > 2 && isLeap(year);
        return (year - FIRST_YEAR) * 365L + leapDays + DAYS_BEFORE_MONTH[month - 1] + (afterLeapDay ? 1 : 0) + day - 1;
    }
}
