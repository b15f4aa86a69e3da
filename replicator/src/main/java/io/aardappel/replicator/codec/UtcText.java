package io.aardappel.replicator.codec;

/** The feed's spelling of Date, Datetime and Timestamp: always {@code YYYY-MM-DDTHH:MM:SS.ffffffZ}. */
final class UtcText {
    static final long MALFORMED = -1;
    static final long OUT_OF_RANGE = -2;

    /** First day, counted from 1970-01-01, that the narrow date types do not hold: 2106-01-01. */
    static final long END_OF_DATES = 49_673;

    private static final int LENGTH = "YYYY-MM-DDTHH:MM:SS.ffffffZ".length();
    private static final int[] DAYS_BEFORE_MONTH = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    private static final int FIRST_YEAR = 1970;
    private static final int NO_DIGIT = -100;

    private UtcText() {}

    /** Microseconds since 1970, or {@link #MALFORMED} or {@link #OUT_OF_RANGE}. */
    static long parse(char[] text, int offset, int length) {
        if (length != LENGTH || !isSeparated(text, offset)) {
            return MALFORMED;
        }
        int century = two(text, offset);
        int yearOfCentury = two(text, offset + 2);
        int month = two(text, offset + 5);
        int day = two(text, offset + 8);
        int hour = two(text, offset + 11);
        int minute = two(text, offset + 14);
        int second = two(text, offset + 17);
        int hundredths = two(text, offset + 20);
        int tenThousandths = two(text, offset + 22);
        int millionths = two(text, offset + 24);
        int year = century * 100 + yearOfCentury;
        if ((century | yearOfCentury | hour | minute | second | hundredths | tenThousandths | millionths) < 0
                || month < 1
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
        return seconds * 1_000_000 + hundredths * 10_000L + tenThousandths * 100L + millionths;
    }

    private static boolean isSeparated(char[] text, int from) {
        return text[from + 4] == '-'
                && text[from + 7] == '-'
                && text[from + 10] == 'T'
                && text[from + 13] == ':'
                && text[from + 16] == ':'
                && text[from + 19] == '.'
                && text[from + 26] == 'Z';
    }

    /** Two digits; negative when one of them is none. Spelled out, as loops this short cost more than what they do. */
    private static int two(char[] text, int from) {
        return 10 * digit(text[from]) + digit(text[from + 1]);
    }

    private static int digit(char text) {
        return text >= '0' && text <= '9' ? text - '0' : NO_DIGIT;
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
