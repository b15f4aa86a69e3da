package io.aardappel.emulator.query.value;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Integers of all widths, kept as 64 bits. */
public final class Numbers {
    private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

    private Numbers() {}

    /** The number as a value of the integer type, null when it does not fit. */
    public static @Nullable Long exact(Type type, BigInteger number) {
        return number.compareTo(min(type)) >= 0 && number.compareTo(max(type)) <= 0 ? number.longValue() : null;
    }

    /** The number that a value of an integer type stands for. */
    public static BigInteger toBig(Type type, long value) {
        BigInteger number = BigInteger.valueOf(value);
        return type == Primitive.UINT64 && value < 0 ? number.add(TWO_64) : number;
    }

    /** A value of one integer type as one of another, null when it does not fit. */
    public static @Nullable Long convert(Type from, Type to, long value) {
        if (from == Primitive.UINT64 && value < 0) {
            return to == Primitive.UINT64 ? value : null;
        }
        if (to == Primitive.UINT64) {
            return value >= 0 ? value : null;
        }
        if (to == Primitive.INT64) {
            return value;
        }
        return wrap(to, value) == value ? value : null;
    }

    /** The lowest bits of the value, as a machine of the type's width would keep them. */
    public static long wrap(Type type, long value) {
        return switch ((Primitive) type) {
            case INT8 -> (byte) value;
            case UINT8 -> value & 0xFF;
            case INT16 -> (short) value;
            case UINT16 -> value & 0xFFFF;
            case INT32 -> (int) value;
            case UINT32 -> value & 0xFFFF_FFFFL;
            default -> value;
        };
    }

    public static double toDouble(Type type, long value) {
        return type == Primitive.UINT64 && value < 0 ? toBig(type, value).doubleValue() : (double) value;
    }

    /** Towards zero, null when out of range. */
    public static @Nullable Long ofDouble(Type type, double value) {
        return Double.isFinite(value) ? exact(type, new BigDecimal(value).toBigInteger()) : null;
    }

    private static BigInteger min(Type type) {
        return Types.isSigned(type)
                ? BigInteger.ONE.shiftLeft(Types.width(type) - 1).negate()
                : BigInteger.ZERO;
    }

    private static BigInteger max(Type type) {
        int bits = Types.isSigned(type) ? Types.width(type) - 1 : Types.width(type);
        return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
    }
}
