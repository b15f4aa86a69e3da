package io.aardappel.emulator.query.value;

import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.model.value.ValueDomain;
import io.aardappel.emulator.query.syntax.Operator;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Operators on two present values. */
public final class Arithmetic {
    /** A function of two present values; null where there is no result, such as a division by zero. */
    @FunctionalInterface
    public interface Function {
        @Nullable
        Object apply(Object a, Object b);
    }

    /**
     * A function with the type that it gives.
     *
     * @param result optional when some operands have no result
     */
    public record Operation(Type result, Function function) {}

    private Arithmetic() {}

    /** What the operator does with operands of these types, none of them optional; null when YQL has no such operator. */
    public static @Nullable Operation of(Operator operator, Type a, Type b) {
        if (operator == Operator.CONCAT) {
            return concat(a, b);
        }
        if (Types.isInteger(a) && Types.isInteger(b)) {
            return integers(operator, a, b);
        }
        if (Types.isNumeric(a) && Types.isNumeric(b)) {
            return reals(operator, a, b);
        }
        if (a instanceof Type.Decimal || b instanceof Type.Decimal) {
            return decimals(operator, a, b);
        }
        return times(operator, a, b);
    }

    private static @Nullable Operation concat(Type a, Type b) {
        if (!Types.isText(a) || !Types.isText(b)) {
            return null;
        }
        if (a == Primitive.UTF8 && b == Primitive.UTF8) {
            return new Operation(Primitive.UTF8, (x, y) -> (String) x + y);
        }
        return new Operation(Primitive.STRING, (x, y) -> {
            byte[] left = bytes(x);
            byte[] right = bytes(y);
            byte[] both = Arrays.copyOf(left, left.length + right.length);
            System.arraycopy(right, 0, both, left.length, right.length);
            return new Bytes(both);
        });
    }

    private static byte[] bytes(Object text) {
        return text instanceof Bytes bytes
                ? bytes.array()
                : ((String) text).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    private static @Nullable Operation integers(Operator operator, Type a, Type b) {
        Type type = Objects.requireNonNull(Types.common(a, b));
        boolean unsigned = !Types.isSigned(type);
        return switch (operator) {
            case ADD -> new Operation(type, (x, y) -> Numbers.wrap(type, (Long) x + (Long) y));
            case SUBTRACT -> new Operation(type, (x, y) -> Numbers.wrap(type, (Long) x - (Long) y));
            case MULTIPLY -> new Operation(type, (x, y) -> Numbers.wrap(type, (Long) x * (Long) y));
            case DIVIDE -> new Operation(type.nullable(), (x, y) -> divide(type, unsigned, (Long) x, (Long) y));
            case MODULO -> new Operation(type.nullable(), (x, y) -> modulo(type, unsigned, (Long) x, (Long) y));
            case BIT_AND -> new Operation(type, (x, y) -> Numbers.wrap(type, (Long) x & (Long) y));
            case BIT_OR -> new Operation(type, (x, y) -> Numbers.wrap(type, (Long) x | (Long) y));
            case BIT_XOR -> new Operation(type, (x, y) -> Numbers.wrap(type, (Long) x ^ (Long) y));
            case SHIFT_LEFT -> new Operation(a, (x, y) -> shift(a, (Long) x, (Long) y, true));
            case SHIFT_RIGHT -> new Operation(a, (x, y) -> shift(a, (Long) x, (Long) y, false));
            default -> null;
        };
    }

    private static @Nullable Object divide(Type type, boolean unsigned, long x, long y) {
        long a = Numbers.wrap(type, x);
        long b = Numbers.wrap(type, y);
        if (b == 0 || (!unsigned && b == -1 && Numbers.wrap(type, -a) == a && a != 0)) {
            return null;
        }
        return unsigned ? Long.divideUnsigned(a, b) : a / b;
    }

    private static @Nullable Object modulo(Type type, boolean unsigned, long x, long y) {
        long a = Numbers.wrap(type, x);
        long b = Numbers.wrap(type, y);
        if (b == 0) {
            return null;
        }
        return unsigned ? Long.remainderUnsigned(a, b) : a % b;
    }

    private static Object shift(Type type, long value, long by, boolean left) {
        int width = Types.width(type);
        if (Long.compareUnsigned(by, width) >= 0) {
            return 0L;
        }
        long bits = width == 64 ? value : value & ((1L << width) - 1);
        return Numbers.wrap(type, left ? bits << by : bits >>> by);
    }

    private static @Nullable Operation reals(Operator operator, Type a, Type b) {
        Type type = Objects.requireNonNull(Types.common(a, b));
        return switch (operator) {
            case ADD -> real(type, a, b, Double::sum);
            case SUBTRACT -> real(type, a, b, (x, y) -> x - y);
            case MULTIPLY -> real(type, a, b, (x, y) -> x * y);
            case DIVIDE -> real(type, a, b, (x, y) -> x / y);
            case MODULO -> real(type, a, b, (x, y) -> x % y);
            default -> null;
        };
    }

    private static Operation real(Type type, Type a, Type b, java.util.function.DoubleBinaryOperator operator) {
        return new Operation(
                type, (x, y) -> Conversions.toFloating(type, operator.applyAsDouble(toDouble(a, x), toDouble(b, y))));
    }

    private static double toDouble(Type type, Object value) {
        return Types.isInteger(type) ? Numbers.toDouble(type, (Long) value) : ((Number) value).doubleValue();
    }

    private static @Nullable Operation decimals(Operator operator, Type a, Type b) {
        Type.Decimal type = (Type.Decimal) (a instanceof Type.Decimal ? a : b);
        if ((a instanceof Type.Decimal && b instanceof Type.Decimal && !a.equals(b))) {
            return null;
        }
        Conversion left = Casts.of(a, type);
        Conversion right = Casts.of(b, type);
        if (left == null
                || right == null
                || !left.result().equals(type)
                || !right.result().equals(type)) {
            return null;
        }
        return switch (operator) {
            case ADD -> decimal(type, left, right, (x, y) -> Decimals.add(type, x, y));
            case SUBTRACT -> decimal(type, left, right, (x, y) -> Decimals.add(type, x, Decimals.negate(y)));
            case MULTIPLY -> decimal(type, left, right, (x, y) -> Decimals.multiply(type, x, y));
            case DIVIDE -> decimal(type, left, right, (x, y) -> Decimals.divide(type, x, y));
            default -> null;
        };
    }

    private static Operation decimal(
            Type type, Conversion left, Conversion right, java.util.function.BinaryOperator<BigInteger> operator) {
        return new Operation(
                type,
                (x, y) -> operator.apply(
                        (BigInteger) Objects.requireNonNull(left.step().apply(x)),
                        (BigInteger) Objects.requireNonNull(right.step().apply(y))));
    }

    private static @Nullable Operation times(Operator operator, Type a, Type b) {
        if (Types.isPoint(a) && Types.isInterval(b)) {
            return switch (operator) {
                case ADD -> move(a, 1);
                case SUBTRACT -> move(a, -1);
                default -> null;
            };
        }
        if (Types.isInterval(a) && Types.isPoint(b) && operator == Operator.ADD) {
            Operation swapped = move(b, 1);
            return new Operation(swapped.result(), (x, y) -> swapped.function().apply(y, x));
        }
        if (Types.isPoint(a) && Types.isPoint(b) && operator == Operator.SUBTRACT) {
            boolean wide = Types.isWide(a) || Types.isWide(b);
            Type type = wide ? Primitive.INTERVAL64 : Primitive.INTERVAL;
            long left = Types.microsPerUnit(a);
            long right = Types.microsPerUnit(b);
            return new Operation(
                    wide ? type.nullable() : type, (x, y) -> within(type, (Long) x * left - (Long) y * right));
        }
        return intervals(operator, a, b);
    }

    private static @Nullable Operation intervals(Operator operator, Type a, Type b) {
        if (Types.isInterval(a) && Types.isInterval(b)) {
            Type type = a == Primitive.INTERVAL && b == Primitive.INTERVAL ? a : Primitive.INTERVAL64;
            return switch (operator) {
                case ADD -> new Operation(type.nullable(), (x, y) -> within(type, (Long) x + (Long) y));
                case SUBTRACT -> new Operation(type.nullable(), (x, y) -> within(type, (Long) x - (Long) y));
                default -> null;
            };
        }
        if (Types.isInterval(a) && Types.isInteger(b)) {
            return switch (operator) {
                case MULTIPLY -> new Operation(a.nullable(), (x, y) -> within(a, (Long) x * (Long) y));
                case DIVIDE -> new Operation(a.nullable(), (x, y) -> (Long) y == 0 ? null : (Long) x / (Long) y);
                default -> null;
            };
        }
        if (Types.isInteger(a) && Types.isInterval(b) && operator == Operator.MULTIPLY) {
            return new Operation(b.nullable(), (x, y) -> within(b, (Long) x * (Long) y));
        }
        return null;
    }

    /** A point moved by an interval; null outside the range of its type. */
    private static Operation move(Type point, int sign) {
        long unit = Types.microsPerUnit(point);
        return new Operation(
                point.nullable(), (x, y) -> within(point, (Long) x + sign * Math.floorDiv((Long) y, unit)));
    }

    private static @Nullable Object within(Type type, long value) {
        return ValueDomain.violation(type, value) == null ? value : null;
    }

    /** {@code -x}, {@code +x} and {@code ~x}; null when the type has none. */
    public static @Nullable Conversion unary(Operator operator, Type type) {
        if (operator == Operator.PLUS && (Types.isNumeric(type) || type instanceof Type.Decimal)) {
            return Conversion.total(type, Conversion.Step.IDENTITY);
        }
        if (operator == Operator.BIT_NOT && Types.isInteger(type)) {
            return Conversion.total(type, Conversions.present(x -> Numbers.wrap(type, ~(Long) x)));
        }
        if (operator != Operator.NEGATE) {
            return null;
        }
        if (Types.isInteger(type) || Types.isInterval(type)) {
            return Conversion.total(
                    type, Conversions.present(x -> Types.isInterval(type) ? -(Long) x : Numbers.wrap(type, -(Long) x)));
        }
        if (Types.isFloating(type)) {
            return Conversion.total(
                    type, Conversions.present(x -> Conversions.toFloating(type, -((Number) x).doubleValue())));
        }
        return type instanceof Type.Decimal
                ? Conversion.total(type, Conversions.present(x -> Decimals.negate((BigInteger) x)))
                : null;
    }
}
