package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Operator;
import io.aardappel.emulator.query.value.Arithmetic;
import io.aardappel.emulator.query.value.Casts;
import io.aardappel.emulator.query.value.Comparison;
import io.aardappel.emulator.query.value.Conversion;
import io.aardappel.emulator.query.value.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A function over the rows of a group.
 *
 * @param argument what is evaluated for each row
 * @param state makes the state of a group that has seen no row
 */
record AggregateFunction(Type result, Eval argument, boolean distinct, Supplier<State> state) {
    /** Takes the present values of one group and then tells the result. */
    interface State {
        void take(Object value);

        @Nullable
        Object result();
    }

    private static final Set<String> NAMES = Set.of(
            "count",
            "sum",
            "min",
            "max",
            "avg",
            "some",
            "count_if",
            "sum_if",
            "agg_list",
            "aggregate_list",
            "bool_and",
            "bool_or");

    static boolean isKnown(String name) {
        return NAMES.contains(name.toLowerCase(Locale.ROOT));
    }

    /** @param grouped true when every group has rows, so that there is always a minimum */
    static AggregateFunction of(ExpressionBinder binder, Expression.Call call, Scope rows, boolean grouped) {
        String name = call.name().toLowerCase(Locale.ROOT);
        if (call.star()) {
            if (!name.equals("count")) {
                throw call.at().error("Only COUNT takes *");
            }
            return new AggregateFunction(Primitive.UINT64, frame -> true, false, Counting::new);
        }
        int wanted = name.equals("sum_if") ? 2 : 1;
        if (call.arguments().size() != wanted) {
            throw call.at().error(call.name() + " expects " + wanted + " arguments");
        }
        Typed argument = binder.bind(call.arguments().get(0).value(), rows);
        Type item = argument.type().unwrapped();
        boolean certain = grouped && !argument.nullable();
        return switch (name) {
            case "count" -> new AggregateFunction(Primitive.UINT64, argument.eval(), call.distinct(), Counting::new);
            case "count_if" -> countIf(binder.condition(call.arguments().get(0).value(), rows));
            case "sum" -> sum(call, argument, certain);
            case "sum_if" ->
                sumIf(call, argument, binder.condition(call.arguments().get(1).value(), rows));
            case "avg" -> average(call, argument, certain);
            case "min" -> extreme(call, argument, certain, false);
            case "max" -> extreme(call, argument, certain, true);
            case "some" -> new AggregateFunction(certain ? item : item.nullable(), argument.eval(), false, First::new);
            case "bool_and", "bool_or" -> logic(call, argument, certain, name.equals("bool_and"));
            default -> new AggregateFunction(new Type.ListOf(item), argument.eval(), call.distinct(), Listing::new);
        };
    }

    private static AggregateFunction countIf(Typed condition) {
        return new AggregateFunction(
                Primitive.UINT64,
                frame -> Boolean.TRUE.equals(condition.eval().of(frame)) ? (Object) true : null,
                false,
                Counting::new);
    }

    private static Type sumType(Expression.Call call, Type item) {
        if (Types.isInteger(item)) {
            return Types.isSigned(item) ? Primitive.INT64 : Primitive.UINT64;
        }
        if (Types.isFloating(item)) {
            return Primitive.DOUBLE;
        }
        if (item instanceof Type.Decimal decimal) {
            return new Type.Decimal(35, decimal.scale());
        }
        if (Types.isInterval(item)) {
            return item;
        }
        throw call.at().error(call.name() + " expects numbers, but got: " + Types.show(item));
    }

    private static AggregateFunction sum(Expression.Call call, Typed argument, boolean certain) {
        Type item = argument.type().unwrapped();
        Type type = sumType(call, item);
        Conversion widen = Objects.requireNonNull(Casts.of(item, type));
        Arithmetic.Function add =
                Objects.requireNonNull(Arithmetic.of(Operator.ADD, type, type)).function();
        return new AggregateFunction(
                certain ? type : type.nullable(),
                argument.eval(),
                call.distinct(),
                () -> new Summing(widen.step(), add));
    }

    private static AggregateFunction sumIf(Expression.Call call, Typed argument, Typed condition) {
        AggregateFunction sum = sum(call, argument, false);
        return new AggregateFunction(
                sum.result(),
                frame -> Boolean.TRUE.equals(condition.eval().of(frame))
                        ? argument.eval().of(frame)
                        : null,
                false,
                sum.state());
    }

    private static AggregateFunction average(Expression.Call call, Typed argument, boolean certain) {
        Type item = argument.type().unwrapped();
        sumType(call, item);
        Type type = item instanceof Type.Decimal || Types.isInterval(item) ? item : Primitive.DOUBLE;
        if (type != Primitive.DOUBLE) {
            throw call.at().error("AVG of " + Types.show(item) + " is not supported");
        }
        Conversion widen = Objects.requireNonNull(Casts.of(item, type));
        return new AggregateFunction(
                certain ? type : type.nullable(), argument.eval(), call.distinct(), () -> new Averaging(widen.step()));
    }

    private static AggregateFunction extreme(Expression.Call call, Typed argument, boolean certain, boolean greatest) {
        Type item = argument.type().unwrapped();
        Comparison comparison = Comparison.of(item, item);
        if (comparison == null) {
            throw call.at().error(call.name() + " cannot compare " + Types.show(item));
        }
        return new AggregateFunction(
                certain ? item : item.nullable(), argument.eval(), false, () -> new Extreme(comparison, greatest));
    }

    private static AggregateFunction logic(Expression.Call call, Typed argument, boolean certain, boolean all) {
        if (argument.type().unwrapped() != Primitive.BOOL) {
            throw call.at().error(call.name() + " expects Bool, but got: " + Types.show(argument.type()));
        }
        Arithmetic.Function join = (a, b) -> all ? (Boolean) a && (Boolean) b : (Boolean) a || (Boolean) b;
        return new AggregateFunction(
                certain ? Primitive.BOOL : Primitive.BOOL.nullable(),
                argument.eval(),
                false,
                () -> new Summing(Conversion.Step.IDENTITY, join));
    }

    /** A fresh state for one group. */
    State start() {
        return distinct ? new Distinct(state.get(), new HashSet<>()) : state.get();
    }

    private record Distinct(State inner, Set<Object> seen) implements State {
        @Override
        public void take(Object value) {
            if (seen.add(value)) {
                inner.take(value);
            }
        }

        @Override
        public @Nullable Object result() {
            return inner.result();
        }
    }

    private static final class Counting implements State {
        private long count;

        @Override
        public void take(Object value) {
            count++;
        }

        @Override
        public Object result() {
            return count;
        }
    }

    private static final class First implements State {
        private @Nullable Object first;

        @Override
        public void take(Object value) {
            first = first == null ? value : first;
        }

        @Override
        public @Nullable Object result() {
            return first;
        }
    }

    private static final class Summing implements State {
        private final Conversion.Step widen;
        private final Arithmetic.Function add;
        private @Nullable Object sum;

        Summing(Conversion.Step widen, Arithmetic.Function add) {
            this.widen = widen;
            this.add = add;
        }

        @Override
        public void take(Object value) {
            Object next = Objects.requireNonNull(widen.apply(value));
            sum = sum == null ? next : add.apply(sum, next);
        }

        @Override
        public @Nullable Object result() {
            return sum;
        }
    }

    private static final class Averaging implements State {
        private final Conversion.Step widen;
        private double sum;
        private long count;

        Averaging(Conversion.Step widen) {
            this.widen = widen;
        }

        @Override
        public void take(Object value) {
            sum += (Double) Objects.requireNonNull(widen.apply(value));
            count++;
        }

        @Override
        public @Nullable Object result() {
            return count == 0 ? null : sum / count;
        }
    }

    private static final class Extreme implements State {
        private final Comparison comparison;
        private final boolean greatest;
        private @Nullable Object best;

        Extreme(Comparison comparison, boolean greatest) {
            this.comparison = comparison;
            this.greatest = greatest;
        }

        @Override
        public void take(Object value) {
            if (best == null
                    || Boolean.TRUE.equals(greatest ? comparison.less(best, value) : comparison.less(value, best))) {
                best = value;
            }
        }

        @Override
        public @Nullable Object result() {
            return best;
        }
    }

    private static final class Listing implements State {
        private final List<Object> items = new ArrayList<>();

        @Override
        public void take(Object value) {
            items.add(value);
        }

        @Override
        public Object result() {
            return List.copyOf(items);
        }
    }
}
