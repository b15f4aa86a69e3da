package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Operator;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.value.Casts;
import io.aardappel.emulator.query.value.Conversion;
import io.aardappel.emulator.query.value.TextForm;
import io.aardappel.emulator.query.value.Types;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resolves calls of built-in functions. Names have no case. */
final class Functions {
    private static final long MICROS_OF_DAY = 86_400_000_000L;

    private final ExpressionBinder binder;
    private final ListFunctions lists;

    Functions(ExpressionBinder binder) {
        this.binder = binder;
        this.lists = new ListFunctions(binder);
    }

    Typed call(Expression.Call call, Scope scope) {
        if (AggregateFunction.isKnown(call.name())) {
            if (scope.aggregates() == null) {
                throw call.at().error("Aggregation function " + call.name() + " is not allowed here");
            }
            return scope.aggregates().bind(call);
        }
        if (call.distinct() || call.star()) {
            throw call.at().error("DISTINCT and * are not allowed in a call of " + call.name());
        }
        String name = call.name().toLowerCase(Locale.ROOT);
        return switch (name) {
            case "currentutctimestamp" -> now(Primitive.TIMESTAMP, 1);
            case "currentutcdatetime" -> now(Primitive.DATETIME, 1_000_000);
            case "currentutcdate" -> now(Primitive.DATE, MICROS_OF_DAY);
            case "if" -> choose(call, scope);
            case "coalesce", "nvl" -> coalesce(call, scope);
            case "unwrap" -> unwrap(call, scope);
            case "ensure" -> ensure(call, scope);
            case "just" -> just(one(call, scope));
            case "asstruct" -> asStruct(call, scope);
            case "length", "len" -> length(call, one(call, scope));
            case "substring" -> substring(call, scope);
            case "startswith", "endswith" -> startsOrEnds(call, scope, name.startsWith("start"));
            case "abs" -> abs(call, one(call, scope));
            case "min_of", "least" -> extreme(call, scope, Operator.LESS);
            case "max_of", "greatest" -> extreme(call, scope, Operator.GREATER);
            case "randomuuid" -> randomUuid();
            case "tobytes" -> convert(call, one(call, scope), Primitive.STRING);
            case "void" -> Typed.constant(Type.Unit.VOID, null);
            default -> name.startsWith("datetime::") ? dateTime(call, scope) : lists.call(call, name, scope);
        };
    }

    private static Typed now(Type type, long divisor) {
        return Typed.of(type, true, frame -> frame.run.nowMicros() / divisor);
    }

    private Typed one(Expression.Call call, Scope scope) {
        return arguments(call, scope, 1, 1).get(0);
    }

    private List<Typed> arguments(Expression.Call call, Scope scope, int min, int max) {
        int count = call.arguments().size();
        if (count < min || count > max) {
            throw call.at()
                    .error(call.name() + " expects " + (min == max ? min : "from " + min + " to " + max)
                            + " arguments, but got " + count);
        }
        List<Typed> arguments = new ArrayList<>(count);
        for (Expression.Argument argument : call.arguments()) {
            arguments.add(binder.bind(argument.value(), scope));
        }
        return arguments;
    }

    private Typed choose(Expression.Call call, Scope scope) {
        List<Typed> arguments = new ArrayList<>(arguments(call, scope, 2, 3));
        Typed condition = binder.condition(call.arguments().get(0).value(), scope);
        List<Typed> results = new ArrayList<>(arguments.subList(1, arguments.size()));
        if (results.size() == 1) {
            results.add(Typed.constant(Type.Unit.NULL, null));
        }
        return binder.operators().choose(call.at(), List.of(condition), results);
    }

    private Typed coalesce(Expression.Call call, Scope scope) {
        List<Typed> arguments = arguments(call, scope, 1, Integer.MAX_VALUE);
        Typed result = arguments.get(arguments.size() - 1);
        for (int i = arguments.size() - 2; i >= 0; i--) {
            result = binder.operators().coalesce(call.at(), arguments.get(i), result);
        }
        return result;
    }

    private Typed unwrap(Expression.Call call, Scope scope) {
        Typed operand = arguments(call, scope, 1, 2).get(0);
        if (!(operand.type() instanceof Type.Optional optional)) {
            throw call.at().error("Expected optional type, but got: " + Types.show(operand.type()));
        }
        Position at = call.at();
        boolean nested = optional.item() instanceof Type.Optional;
        Eval eval = operand.eval();
        return Typed.of(optional.item(), operand.fixed(), frame -> {
            Object value = eval.of(frame);
            if (value == null) {
                throw at.error(Status.PRECONDITION_FAILED, 0, "Failed to unwrap empty optional");
            }
            return nested ? ExpressionBinder.unwrap(value) : value;
        });
    }

    private Typed ensure(Expression.Call call, Scope scope) {
        List<Typed> arguments = arguments(call, scope, 2, 3);
        Typed condition = binder.condition(call.arguments().get(1).value(), scope);
        Typed value = arguments.get(0);
        return Typed.of(value.type(), false, frame -> {
            if (!Boolean.TRUE.equals(condition.eval().of(frame))) {
                Object message = arguments.size() > 2 ? arguments.get(2).eval().of(frame) : null;
                String text = message instanceof Bytes bytes
                        ? new String(bytes.array(), StandardCharsets.UTF_8)
                        : String.valueOf(message == null ? "condition is not met" : message);
                throw call.at().error(Status.PRECONDITION_FAILED, 0, "Condition violated: " + text);
            }
            return value.eval().of(frame);
        });
    }

    private static Typed just(Typed operand) {
        Type type = operand.type();
        Eval eval = operand.eval();
        return Typed.of(new Type.Optional(type), operand.fixed(), frame -> ExpressionBinder.wrap(type, eval.of(frame)));
    }

    private Typed asStruct(Expression.Call call, Scope scope) {
        List<String> names = new ArrayList<>();
        for (Expression.Argument argument : call.arguments()) {
            if (argument.name() == null) {
                throw call.at().error("AsStruct takes named arguments: AsStruct(1 AS a)");
            }
            names.add(argument.name());
        }
        return ExpressionBinder.struct(names, arguments(call, scope, 0, Integer.MAX_VALUE));
    }

    private static Typed length(Expression.Call call, Typed operand) {
        Type type = operand.type().unwrapped();
        if (!Types.isText(type) && type != Primitive.YSON) {
            throw call.at().error("Length expects String or Utf8, but got: " + Types.show(operand.type()));
        }
        Conversion conversion =
                new Conversion(Primitive.UINT32, value -> value == null ? null : (Object) byteLength(value));
        Typed length = operand.then(conversion);
        return operand.nullable() ? new Typed(length.type().nullable(), length.eval(), length.fixed(), null) : length;
    }

    private static long byteLength(Object text) {
        return text instanceof Bytes bytes
                ? bytes.array().length
                : ((String) text).getBytes(StandardCharsets.UTF_8).length;
    }

    private Typed substring(Expression.Call call, Scope scope) {
        List<Typed> arguments = arguments(call, scope, 2, 3);
        Typed text = arguments.get(0);
        if (text.type().unwrapped() != Primitive.STRING) {
            throw call.at().error("Substring expects String, but got: " + Types.show(text.type()));
        }
        return Typed.of(text.type(), false, frame -> {
            Bytes bytes = (Bytes) text.eval().of(frame);
            if (bytes == null) {
                return null;
            }
            int from = clamp(arguments.get(1).eval().of(frame), 0, bytes.array().length);
            Object count = arguments.size() > 2 ? arguments.get(2).eval().of(frame) : null;
            int to = from + clamp(count, bytes.array().length - from, bytes.array().length - from);
            return new Bytes(java.util.Arrays.copyOfRange(bytes.array(), from, to));
        });
    }

    private static int clamp(@Nullable Object number, int missing, int max) {
        return number == null ? missing : (int) Math.max(0, Math.min((Long) number, max));
    }

    private Typed startsOrEnds(Expression.Call call, Scope scope, boolean starts) {
        List<Typed> arguments = arguments(call, scope, 2, 2);
        Typed text = arguments.get(0);
        Typed part = arguments.get(1);
        if (!isTextual(text) || !isTextual(part)) {
            throw call.at().error(call.name() + " expects strings");
        }
        boolean nullable = text.nullable() || part.nullable();
        return Typed.of(nullable ? Primitive.BOOL.nullable() : Primitive.BOOL, text.fixed() && part.fixed(), frame -> {
            Object whole = text.eval().of(frame);
            Object piece = part.eval().of(frame);
            if (whole == null || piece == null) {
                return null;
            }
            String a = Patterns.latin1(whole);
            String b = Patterns.latin1(piece);
            return starts ? a.startsWith(b) : a.endsWith(b);
        });
    }

    private static boolean isTextual(Typed operand) {
        return Types.isText(operand.type().unwrapped());
    }

    private static Typed abs(Expression.Call call, Typed operand) {
        Type type = operand.type().unwrapped();
        if (!Types.isNumeric(type)) {
            throw call.at().error("Abs expects a number, but got: " + Types.show(operand.type()));
        }
        return operand.then(new Conversion(operand.type(), value -> {
            if (value instanceof Long number) {
                return Types.isSigned(type) ? (Object) Math.abs(number) : number;
            }
            return value instanceof Float f ? (Object) Math.abs(f) : value instanceof Double d ? Math.abs(d) : null;
        }));
    }

    private Typed extreme(Expression.Call call, Scope scope, Operator wins) {
        List<Typed> arguments = arguments(call, scope, 1, Integer.MAX_VALUE);
        Type common = binder.commonType(call.at(), arguments);
        Typed result = binder.as(call.at(), arguments.get(0), common);
        for (Typed next : arguments.subList(1, arguments.size())) {
            Typed other = binder.as(call.at(), next, common);
            Typed better = binder.operators().compare(call.at(), wins, other, result);
            result = binder.operators().choose(call.at(), List.of(better), List.of(other, result));
        }
        return result;
    }

    private static Typed randomUuid() {
        return Typed.of(Primitive.UUID, false, frame -> {
            java.util.UUID random = java.util.UUID.randomUUID();
            return TextForm.randomUuid(random.getMostSignificantBits(), random.getLeastSignificantBits());
        });
    }

    private static Typed convert(Expression.Call call, Typed operand, Type to) {
        Conversion conversion = Casts.of(operand.type(), to);
        if (conversion == null) {
            throw call.at().error(call.name() + " does not take " + Types.show(operand.type()));
        }
        return operand.then(conversion);
    }

    private Typed dateTime(Expression.Call call, Scope scope) {
        Typed operand = one(call, scope);
        return switch (call.name().substring("datetime::".length()).toLowerCase(Locale.ROOT)) {
            case "maketimestamp" -> convert(call, operand, Primitive.TIMESTAMP);
            case "makedatetime" -> convert(call, operand, Primitive.DATETIME);
            case "makedate" -> convert(call, operand, Primitive.DATE);
            case "fromseconds" -> point(call, operand, 1_000_000);
            case "frommilliseconds" -> point(call, operand, 1_000);
            case "frommicroseconds" -> point(call, operand, 1);
            case "toseconds" -> units(call, operand, 1_000_000);
            case "tomilliseconds" -> units(call, operand, 1_000);
            case "tomicroseconds" -> units(call, operand, 1);
            case "intervalfromdays" -> interval(call, operand, MICROS_OF_DAY);
            case "intervalfromhours" -> interval(call, operand, 3_600_000_000L);
            case "intervalfromminutes" -> interval(call, operand, 60_000_000L);
            case "intervalfromseconds" -> interval(call, operand, 1_000_000L);
            case "intervalfrommilliseconds" -> interval(call, operand, 1_000L);
            case "intervalfrommicroseconds" -> interval(call, operand, 1L);
            default -> throw call.at().error("Unknown function: " + call.name());
        };
    }

    private static Typed integer(Expression.Call call, Typed operand) {
        if (!Types.isInteger(operand.type().unwrapped())) {
            throw call.at().error(call.name() + " expects an integer, but got: " + Types.show(operand.type()));
        }
        return operand;
    }

    private static Typed point(Expression.Call call, Typed operand, long micros) {
        return integer(call, operand)
                .then(new Conversion(
                        Primitive.TIMESTAMP.nullable(),
                        value -> value == null ? null : product((Long) value, micros, true)));
    }

    private static Typed interval(Expression.Call call, Typed operand, long micros) {
        return integer(call, operand)
                .then(new Conversion(
                        Primitive.INTERVAL.nullable(),
                        value -> value == null ? null : product((Long) value, micros, false)));
    }

    private static @Nullable Object product(long value, long micros, boolean point) {
        long product = Math.multiplyHigh(value, micros) == (value * micros) >> 63 ? value * micros : Long.MAX_VALUE;
        Type type = point ? Primitive.TIMESTAMP : Primitive.INTERVAL;
        return io.aardappel.emulator.model.value.ValueDomain.violation(type, product) == null ? product : null;
    }

    private static Typed units(Expression.Call call, Typed operand, long micros) {
        Type type = operand.type().unwrapped();
        if (!Types.isPoint(type) && !Types.isInterval(type)) {
            throw call.at().error(call.name() + " does not take " + Types.show(operand.type()));
        }
        long unit = Types.isInterval(type) ? 1 : Types.microsPerUnit(type);
        Type result = !Types.isInterval(type) && micros == 1_000_000 ? Primitive.UINT32 : Primitive.UINT64;
        Type signed = Types.isInterval(type) || Types.isWide(type) ? Primitive.INT64 : result;
        return operand.then(new Conversion(
                operand.nullable() ? signed.nullable() : signed,
                value -> value == null ? null : (Object) Math.floorDiv((Long) value * unit, micros)));
    }

    /** {@code dict[key]} and {@code list[index]}: optional, null when there is no such item. */
    Typed index(Expression.Index index, Scope scope) {
        Typed of = binder.bind(index.of(), scope);
        Typed at = binder.bind(index.index(), scope);
        Type type = of.type().unwrapped();
        if (type instanceof Type.ListOf list && Types.isInteger(at.type())) {
            return Typed.of(list.item().nullable(), of.fixed() && at.fixed(), frame -> {
                List<?> items = (List<?>) of.eval().of(frame);
                Long i = (Long) at.eval().of(frame);
                return items != null && i != null && i >= 0 && i < items.size() ? items.get(i.intValue()) : null;
            });
        }
        if (type instanceof Type.Dict dict) {
            Typed key = binder.as(index.at(), at, dict.key());
            return Typed.of(dict.payload().nullable(), of.fixed() && at.fixed(), frame -> {
                Map<?, ?> map = (Map<?, ?>) of.eval().of(frame);
                Object name = key.eval().of(frame);
                return map == null ? null : map.get(name);
            });
        }
        throw index.at().error("Cannot take an item of " + Types.show(of.type()) + " by " + Types.show(at.type()));
    }
}
