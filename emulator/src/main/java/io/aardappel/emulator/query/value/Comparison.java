package io.aardappel.emulator.query.value;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.model.value.ValueOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Comparison of values of two types in three-valued logic: the answer is null where a null decides. */
public interface Comparison {
    @Nullable
    Boolean equal(@Nullable Object a, @Nullable Object b);

    @Nullable
    Boolean less(@Nullable Object a, @Nullable Object b);

    @SuppressWarnings("UnusedVariable") // the shape of a comparator
    private static int same(@Nullable Object one, @Nullable Object other) {
        return 0;
    }

    /** The comparison of values of these types, null when YQL does not compare them. */
    static @Nullable Comparison of(Type a, Type b) {
        Type left = a.unwrapped();
        Type right = b.unwrapped();
        if (left == Type.Unit.NULL || right == Type.Unit.NULL) {
            return new Scalars(Comparison::same, false);
        }
        if (left instanceof Type.Tuple x && right instanceof Type.Tuple y) {
            return Sequence.of(x.items(), y.items());
        }
        if (left instanceof Type.Struct x && right instanceof Type.Struct y && x.equals(y)) {
            List<Type> items = x.members().stream().map(Type.Member::type).toList();
            return Sequence.of(items, items);
        }
        if (left instanceof Type.ListOf x && right instanceof Type.ListOf y) {
            Comparison item = of(x.item(), y.item());
            return item == null ? null : new Sequence(List.of(item), true);
        }
        Comparator<Object> order = order(left, right);
        return order == null ? null : new Scalars(order, Types.isFloating(left) || Types.isFloating(right));
    }

    /** The order of present values of two simple types, null when there is none. */
    static @Nullable Comparator<Object> order(Type a, Type b) {
        if (Types.isInteger(a) && Types.isInteger(b)) {
            return (x, y) -> integers(a, (Long) x, b, (Long) y);
        }
        if (Types.isNumeric(a) && Types.isNumeric(b)) {
            return (x, y) -> Double.compare(toDouble(a, x), toDouble(b, y));
        }
        if (a instanceof Type.Decimal decimal && Types.isFloating(b)) {
            return (x, y) -> Double.compare(Decimals.toDouble(decimal, (java.math.BigInteger) x), toDouble(b, y));
        }
        if (b instanceof Type.Decimal decimal && Types.isFloating(a)) {
            return (x, y) -> Double.compare(toDouble(a, x), Decimals.toDouble(decimal, (java.math.BigInteger) y));
        }
        Type common = Types.common(a, b);
        if (common == null || !isOrdered(common)) {
            return null;
        }
        Conversion left = Casts.of(a, common);
        Conversion right = Casts.of(b, common);
        if (left == null || right == null) {
            return null;
        }
        Comparator<@Nullable Object> order = ValueOrder.of(common);
        return left.isIdentity() && right.isIdentity()
                ? order
                : (x, y) -> order.compare(left.step().apply(x), right.step().apply(y));
    }

    private static boolean isOrdered(Type type) {
        return type instanceof Type.Decimal
                || (type instanceof Primitive
                        && type != Primitive.JSON
                        && type != Primitive.JSON_DOCUMENT
                        && type != Primitive.YSON);
    }

    /** By the numbers meant, whatever the widths and signs. */
    private static int integers(Type a, long x, Type b, long y) {
        boolean hugeX = a == Primitive.UINT64 && x < 0;
        boolean hugeY = b == Primitive.UINT64 && y < 0;
        return hugeX == hugeY ? Long.compare(x, y) : hugeX ? 1 : -1;
    }

    private static double toDouble(Type type, Object value) {
        return Types.isInteger(type) ? Numbers.toDouble(type, (Long) value) : ((Number) value).doubleValue();
    }

    /** Simple values; not-a-number is neither equal to nor less than anything. */
    record Scalars(Comparator<Object> order, boolean floating) implements Comparison {
        @Override
        public @Nullable Boolean equal(@Nullable Object a, @Nullable Object b) {
            if (a == null || b == null) {
                return null;
            }
            if (floating) {
                return !isNan(a) && !isNan(b) && (order.compare(a, b) == 0 || bothZero(a, b));
            }
            return order.compare(a, b) == 0;
        }

        @Override
        public @Nullable Boolean less(@Nullable Object a, @Nullable Object b) {
            if (a == null || b == null) {
                return null;
            }
            if (floating) {
                return !isNan(a) && !isNan(b) && !bothZero(a, b) && order.compare(a, b) < 0;
            }
            return order.compare(a, b) < 0;
        }

        private static boolean isNan(Object value) {
            return value instanceof Number number && Double.isNaN(number.doubleValue());
        }

        private static boolean bothZero(Object a, Object b) {
            return a instanceof Number x && b instanceof Number y && x.doubleValue() == 0 && y.doubleValue() == 0;
        }
    }

    /**
     * Tuples, structs and lists, member by member.
     *
     * @param items comparison of each member; of a list the only one counts for all
     */
    record Sequence(List<Comparison> items, boolean list) implements Comparison {
        static @Nullable Comparison of(List<Type> a, List<Type> b) {
            if (a.size() != b.size()) {
                return null;
            }
            List<Comparison> items = new ArrayList<>();
            for (int i = 0; i < a.size(); i++) {
                Comparison item = Comparison.of(a.get(i), b.get(i));
                if (item == null) {
                    return null;
                }
                items.add(item);
            }
            return new Sequence(items, false);
        }

        @Override
        public @Nullable Boolean equal(@Nullable Object a, @Nullable Object b) {
            if (a == null || b == null) {
                return null;
            }
            List<?> x = (List<?>) a;
            List<?> y = (List<?>) b;
            if (x.size() != y.size()) {
                return false;
            }
            Boolean result = true;
            for (int i = 0; i < x.size(); i++) {
                Boolean item = item(i).equal(x.get(i), y.get(i));
                if (item != null && !item) {
                    return false;
                }
                result = item == null ? null : result;
            }
            return result;
        }

        @Override
        public @Nullable Boolean less(@Nullable Object a, @Nullable Object b) {
            if (a == null || b == null) {
                return null;
            }
            List<?> x = (List<?>) a;
            List<?> y = (List<?>) b;
            for (int i = 0; i < Math.min(x.size(), y.size()); i++) {
                Boolean equal = item(i).equal(x.get(i), y.get(i));
                if (equal == null) {
                    return null;
                }
                if (!equal) {
                    return item(i).less(x.get(i), y.get(i));
                }
            }
            return x.size() < y.size();
        }

        private Comparison item(int i) {
            return items.get(list ? 0 : i);
        }
    }
}
