package io.aardappel.emulator.query.value;

import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Just;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.value.Conversion.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conversions that YQL makes by itself. None loses anything, but for signed integers that become unsigned ones of at least
 * their width: they are taken bit by bit.
 */
public final class Conversions {
    private Conversions() {}

    /** The conversion of every value of one type to the other, null when it needs a CAST. */
    public static @Nullable Conversion implicit(Type from, Type to) {
        if (from.equals(to)) {
            return Conversion.total(to, Step.IDENTITY);
        }
        if (from == Type.Unit.NULL) {
            return to instanceof Type.Optional ? Conversion.total(to, value -> null) : null;
        }
        if (to instanceof Type.Optional optional) {
            return toOptional(from, optional);
        }
        if (from instanceof Type.Optional) {
            return null;
        }
        Step step = ofPresent(from, to);
        return step == null ? null : Conversion.total(to, step);
    }

    private static @Nullable Conversion toOptional(Type from, Type.Optional to) {
        boolean deep = to.item() instanceof Type.Optional;
        if (from instanceof Type.Optional optional) {
            Conversion inner = implicit(optional.item(), to.item());
            if (inner == null) {
                return null;
            }
            Step step = inner.step();
            return Conversion.total(
                    to, deep ? value -> value == null ? null : new Just(step.apply(unwrap(value))) : step.nullSafe());
        }
        Conversion inner = implicit(from, to.item());
        if (inner == null) {
            return null;
        }
        Step step = inner.step();
        return Conversion.total(to, deep ? value -> new Just(step.apply(value)) : step);
    }

    private static @Nullable Object unwrap(Object value) {
        return value instanceof Just just ? just.value() : value;
    }

    private static @Nullable Step ofPresent(Type from, Type to) {
        if (Types.isInteger(from) && Types.isInteger(to)) {
            return integer(from, to);
        }
        if (Types.isInteger(from) && Types.isFloating(to)) {
            return present(value -> toFloating(to, Numbers.toDouble(from, (Long) value)));
        }
        if (from == Primitive.FLOAT && to == Primitive.DOUBLE) {
            return present(value -> ((Float) value).doubleValue());
        }
        if (to == Primitive.STRING && (from == Primitive.UTF8 || isJson(from) || from == Primitive.YSON)) {
            return from == Primitive.YSON ? Step.IDENTITY : present(value -> TextForm.parse(to, (String) value));
        }
        if (to == Primitive.UTF8 && from == Primitive.JSON) {
            return Step.IDENTITY;
        }
        if (Types.isPoint(from) && Types.isPoint(to)) {
            return point(from, to);
        }
        if (from == Primitive.INTERVAL && to == Primitive.INTERVAL64) {
            return Step.IDENTITY;
        }
        if (from instanceof Type.Decimal a && to instanceof Type.Decimal b) {
            boolean exact = b.scale() >= a.scale() && b.precision() - b.scale() >= a.precision() - a.scale();
            return exact ? present(value -> Decimals.rescale(a, b, (java.math.BigInteger) value)) : null;
        }
        return ofContainer(from, to);
    }

    static boolean isJson(Type type) {
        return type == Primitive.JSON || type == Primitive.JSON_DOCUMENT;
    }

    private static @Nullable Step integer(Type from, Type to) {
        if (rank(from) > rank(to)) {
            return null;
        }
        return Types.isSigned(from) && !Types.isSigned(to)
                ? present(value -> Numbers.wrap(to, (Long) value))
                : Step.IDENTITY;
    }

    /** Int8 is the least, Uint64 the greatest. */
    private static int rank(Type type) {
        return 2 * Types.width(type) + (Types.isSigned(type) ? 0 : 1);
    }

    private static @Nullable Step point(Type from, Type to) {
        long factor = Types.microsPerUnit(from) / Types.microsPerUnit(to);
        if (factor == 0 || (Types.isWide(from) && !Types.isWide(to))) {
            return null;
        }
        return factor == 1 ? Step.IDENTITY : present(value -> (Long) value * factor);
    }

    static Object toFloating(Type to, double value) {
        return to == Primitive.FLOAT ? (Object) (float) value : (Object) value;
    }

    private static @Nullable Step ofContainer(Type from, Type to) {
        if (from == Type.Unit.EMPTY_LIST && to instanceof Type.ListOf) {
            return Step.IDENTITY;
        }
        if (from == Type.Unit.EMPTY_DICT && to instanceof Type.Dict) {
            return Step.IDENTITY;
        }
        if (from instanceof Type.ListOf a && to instanceof Type.ListOf b) {
            Conversion item = implicit(a.item(), b.item());
            return item == null ? null : present(value -> mapItems((List<?>) value, item.step()));
        }
        if (from instanceof Type.Tuple a && to instanceof Type.Tuple b) {
            return tuple(a, b);
        }
        return from instanceof Type.Struct a && to instanceof Type.Struct b ? struct(a, b) : null;
    }

    private static List<@Nullable Object> mapItems(List<?> items, Step step) {
        List<@Nullable Object> mapped = new ArrayList<>(items.size());
        for (Object item : items) {
            mapped.add(step.apply(item));
        }
        return mapped;
    }

    private static @Nullable Step tuple(Type.Tuple from, Type.Tuple to) {
        if (from.items().size() != to.items().size()) {
            return null;
        }
        int[] order = new int[to.items().size()];
        List<Type> types = new ArrayList<>();
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            types.add(from.items().get(i));
        }
        return picking(order, types, to.items());
    }

    /** Members are matched by name: their order is the client's. */
    private static @Nullable Step struct(Type.Struct from, Type.Struct to) {
        int size = to.members().size();
        if (from.members().size() != size) {
            return null;
        }
        int[] order = new int[size];
        List<Type> types = new ArrayList<>();
        List<Type> wanted = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Type.Member member = to.members().get(i);
            order[i] = from.indexOf(member.name());
            if (order[i] < 0) {
                return null;
            }
            types.add(from.members().get(order[i]).type());
            wanted.add(member.type());
        }
        return picking(order, types, wanted);
    }

    private static @Nullable Step picking(int[] order, List<Type> from, List<Type> to) {
        Step[] steps = new Step[order.length];
        for (int i = 0; i < order.length; i++) {
            Conversion item = implicit(from.get(i), to.get(i));
            if (item == null) {
                return null;
            }
            steps[i] = item.step();
        }
        return present(value -> {
            List<?> items = (List<?>) value;
            List<@Nullable Object> picked = new ArrayList<>(order.length);
            for (int i = 0; i < order.length; i++) {
                picked.add(steps[i].apply(items.get(order[i])));
            }
            return picked;
        });
    }

    /** A function of a present value as a step; the caller keeps nulls away. */
    static Step present(java.util.function.Function<Object, @Nullable Object> function) {
        return value -> function.apply(java.util.Objects.requireNonNull(value));
    }

    /** Bytes as text, null when they are no UTF-8. */
    public static @Nullable String utf8(Bytes bytes) {
        try {
            return java.nio.charset.StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(java.nio.ByteBuffer.wrap(bytes.array()))
                    .toString();
        } catch (java.nio.charset.CharacterCodingException e) {
            return null; // not UTF-8, which the caller reports in its own words
        }
    }
}
