package io.aardappel.emulator.grpc.value;

import io.aardappel.emulator.model.value.Type.Primitive;
import java.math.BigInteger;

/** Which numbers YDB's types hold. */
final class ValueRanges {
    /** First day that Date does not hold (2106-01-01). */
    private static final long DATE_END = 49_673;

    private static final long SECONDS_A_DAY = 86_400;
    private static final long MICROS_A_SECOND = 1_000_000;
    private static final long TIMESTAMP_END = DATE_END * SECONDS_A_DAY * MICROS_A_SECOND;

    private static final long DATE32_FIRST = -53_375_809;
    private static final long DATE32_LAST = 53_375_807;
    private static final long DATETIME64_FIRST = DATE32_FIRST * SECONDS_A_DAY;
    private static final long DATETIME64_LAST = (DATE32_LAST + 1) * SECONDS_A_DAY - 1;
    private static final long TIMESTAMP64_FIRST = DATETIME64_FIRST * MICROS_A_SECOND;
    private static final long TIMESTAMP64_LAST = (DATETIME64_LAST + 1) * MICROS_A_SECOND - 1;

    private static final BigInteger INFINITY = BigInteger.TEN.pow(35);
    private static final BigInteger NAN = INFINITY.add(BigInteger.ONE);

    private ValueRanges() {}

    /** Checks a number of any type that is held as a long, Uint64 excepted: every 64 bits are one. */
    static long check(Primitive type, long value) {
        boolean fits = switch (type) {
            case INT8 -> value == (byte) value;
            case INT16 -> value == (short) value;
            case UINT8 -> value >= 0 && value <= 0xFF;
            case UINT16 -> value >= 0 && value <= 0xFFFF;
            case DATE -> value >= 0 && value < DATE_END;
            case DATETIME -> value >= 0 && value < DATE_END * SECONDS_A_DAY;
            case TIMESTAMP -> value >= 0 && value < TIMESTAMP_END;
            case INTERVAL -> value > -TIMESTAMP_END && value < TIMESTAMP_END;
            case DATE32 -> value >= DATE32_FIRST && value <= DATE32_LAST;
            case DATETIME64 -> value >= DATETIME64_FIRST && value <= DATETIME64_LAST;
            case TIMESTAMP64 -> value >= TIMESTAMP64_FIRST && value <= TIMESTAMP64_LAST;
            case INTERVAL64 ->
                value >= TIMESTAMP64_FIRST - TIMESTAMP64_LAST && value <= TIMESTAMP64_LAST - TIMESTAMP64_FIRST;
            default -> true;
        };
        if (!fits) {
            throw new InvalidValueException("value " + value + " is out of the range of " + type);
        }
        return value;
    }

    static BigInteger checkDecimal(int precision, BigInteger value) {
        boolean special = value.abs().equals(INFINITY) || value.equals(NAN);
        if (!special && value.abs().compareTo(BigInteger.TEN.pow(precision)) >= 0) {
            throw new InvalidValueException("unscaled decimal " + value + " has more than " + precision + " digits");
        }
        return value;
    }
}
