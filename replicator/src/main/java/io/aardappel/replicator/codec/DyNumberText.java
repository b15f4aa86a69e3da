package io.aardappel.replicator.codec;

/**
 * DyNumber's canonical spelling, {@code [-].<digits>[e<exponent>]} with neither leading nor trailing zeros among the
 * digits, and {@code 0}. Every spelling of a number has one canonical one, so that keys compare.
 */
final class DyNumberText {
    private static final int MAX_DIGITS = 38;

    /** Of the canonical form: magnitudes from 1e-130 up to below 1e126. */
    private static final int MIN_EXPONENT = -129;

    private static final int MAX_EXPONENT = 126;

    /** An exponent with more digits is beyond any range. */
    private static final int MAX_EXPONENT_DIGITS = 6;

    private DyNumberText() {}

    /** The canonical spelling as a String, or a {@link Misfit}. */
    static Object canonical(String text) {
        boolean negative = text.startsWith("-");
        int from = negative || text.startsWith("+") ? 1 : 0;
        int e = Math.max(text.indexOf('e'), text.indexOf('E'));
        String mantissa = text.substring(from, e < 0 ? text.length() : Math.max(e, from));
        String exponentText = e < 0 ? "0" : text.substring(e + 1);
        int point = mantissa.indexOf('.');
        String whole = point < 0 ? mantissa : mantissa.substring(0, point);
        String fraction = point < 0 ? "" : mantissa.substring(point + 1);
        String digits = whole + fraction;
        if (digits.isEmpty() || !DecimalText.areDigits(digits) || !isExponent(exponentText)) {
            return Misfit.MALFORMED;
        }
        int first = firstNonZero(digits);
        if (first == digits.length()) {
            return "0";
        }
        int last = lastNonZero(digits);
        if (last - first >= MAX_DIGITS) {
            return Misfit.INEXACT;
        }
        if (exponentText.length() > MAX_EXPONENT_DIGITS) {
            return Misfit.OUT_OF_RANGE;
        }
        int exponent = Integer.parseInt(exponentText) + whole.length() - first;
        if (exponent < MIN_EXPONENT || exponent > MAX_EXPONENT) {
            return Misfit.OUT_OF_RANGE;
        }
        return spell(negative, digits.substring(first, last + 1), exponent);
    }

    private static String spell(boolean negative, String digits, int exponent) {
        return (negative ? "-." : ".") + digits + (exponent == 0 ? "" : "e" + exponent);
    }

    private static boolean isExponent(String text) {
        String digits = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        return !digits.isEmpty() && DecimalText.areDigits(digits);
    }

    private static int firstNonZero(String digits) {
        int i = 0;
        while (i < digits.length() && digits.charAt(i) == '0') {
            i++;
        }
        return i;
    }

    private static int lastNonZero(String digits) {
        int i = digits.length() - 1;
        while (digits.charAt(i) == '0') {
            i--;
        }
        return i;
    }
}
