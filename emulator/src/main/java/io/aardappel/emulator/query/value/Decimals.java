package io.aardappel.emulator.query.value;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.ValueDomain;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Decimals as whole numbers times 10^scale. What does not fit becomes an infinity, as in YDB. */
final class Decimals {
    private static final BigInteger INFINITY = ValueDomain.DECIMAL_INFINITY;
    private static final BigInteger NAN = ValueDomain.DECIMAL_NAN;

    private Decimals() {}

    static @Nullable BigInteger parse(Type.Decimal type, String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "inf", "+inf" -> INFINITY;
            case "-inf" -> INFINITY.negate();
            case "nan" -> NAN;
            default ->
                text.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,4})?") ? of(type, new BigDecimal(text)) : null;
        };
    }

    /** Rounded half to even at the type's scale. */
    static BigInteger of(Type.Decimal type, BigDecimal value) {
        return bounded(
                type, value.setScale(type.scale(), RoundingMode.HALF_EVEN).unscaledValue());
    }

    static BigInteger of(Type.Decimal type, double value) {
        if (Double.isNaN(value)) {
            return NAN;
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? INFINITY : INFINITY.negate();
        }
        return of(type, BigDecimal.valueOf(value));
    }

    static BigInteger rescale(Type.Decimal from, Type.Decimal to, BigInteger value) {
        return isFinite(value) ? of(to, new BigDecimal(value, from.scale())) : value;
    }

    static boolean isFinite(BigInteger value) {
        return value.abs().compareTo(INFINITY) < 0;
    }

    /** The number, null for infinities and not-a-number. */
    static @Nullable BigDecimal number(Type.Decimal type, BigInteger value) {
        return isFinite(value) ? new BigDecimal(value, type.scale()) : null;
    }

    static double toDouble(Type.Decimal type, BigInteger value) {
        BigDecimal number = number(type, value);
        if (number != null) {
            return number.doubleValue();
        }
        return value.equals(NAN)
                ? Double.NaN
                : value.signum() > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }

    static String print(Type.Decimal type, BigInteger value) {
        BigDecimal number = number(type, value);
        if (number == null) {
            return value.equals(NAN) ? "nan" : value.signum() > 0 ? "inf" : "-inf";
        }
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    static BigInteger add(Type.Decimal type, BigInteger a, BigInteger b) {
        if (isFinite(a) && isFinite(b)) {
            return bounded(type, a.add(b));
        }
        if (a.equals(NAN) || b.equals(NAN) || (!isFinite(a) && !isFinite(b) && a.signum() != b.signum())) {
            return NAN;
        }
        return isFinite(a) ? b : a;
    }

    static BigInteger negate(BigInteger value) {
        return value.equals(NAN) ? NAN : value.negate();
    }

    static BigInteger multiply(Type.Decimal type, BigInteger a, BigInteger b) {
        BigDecimal x = number(type, a);
        BigDecimal y = number(type, b);
        if (x != null && y != null) {
            return of(type, x.multiply(y));
        }
        if (a.equals(NAN) || b.equals(NAN) || a.signum() == 0 || b.signum() == 0) {
            return NAN;
        }
        return a.signum() == b.signum() ? INFINITY : INFINITY.negate();
    }

    static BigInteger divide(Type.Decimal type, BigInteger a, BigInteger b) {
        BigDecimal x = number(type, a);
        BigDecimal y = number(type, b);
        if (x == null || y == null) {
            if (a.equals(NAN) || b.equals(NAN) || (x == null && y == null)) {
                return NAN;
            }
            return y == null
                    ? BigInteger.ZERO
                    : a.signum() * (b.signum() < 0 ? -1 : 1) > 0 ? INFINITY : INFINITY.negate();
        }
        if (y.signum() == 0) {
            return x.signum() == 0 ? NAN : x.signum() > 0 ? INFINITY : INFINITY.negate();
        }
        return bounded(type, x.divide(y, type.scale(), RoundingMode.HALF_EVEN).unscaledValue());
    }

    private static BigInteger bounded(Type.Decimal type, BigInteger unscaled) {
        if (unscaled.abs().compareTo(BigInteger.TEN.pow(type.precision())) < 0) {
            return unscaled;
        }
        return unscaled.signum() > 0 ? INFINITY : INFINITY.negate();
    }
}
