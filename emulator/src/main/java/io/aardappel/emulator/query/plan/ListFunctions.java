package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.value.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Resolves the functions that make and change lists, tuples and dicts. */
final class ListFunctions {
    /** Longer lists are refused, so that no text can exhaust the memory. */
    private static final int RANGE_MAX = 1_000_000;

    private final ExpressionBinder binder;

    ListFunctions(ExpressionBinder binder) {
        this.binder = binder;
    }

    /** @param name the name in lower case */
    Typed call(Expression.Call call, String name, Scope scope) {
        return switch (name) {
            case "aslist", "asliststrict" -> binder.list(call.at(), bind(call, scope));
            case "astuple" -> tuple(bind(call, scope));
            case "asdict" -> dict(call, bind(call, scope));
            case "listmap" -> map(call, scope, false);
            case "listfilter" -> map(call, scope, true);
            case "listfromrange" -> range(call, bind(call, scope));
            case "listlength" -> length(call, bind(call, scope));
            case "listcollect" -> list(call, bind(call, scope));
            case "listextend" -> extend(call, bind(call, scope));
            default -> throw call.at().error("Unknown builtin: " + call.name());
        };
    }

    private List<Typed> bind(Expression.Call call, Scope scope) {
        List<Typed> arguments = new ArrayList<>();
        for (Expression.Argument argument : call.arguments()) {
            arguments.add(binder.bind(argument.value(), scope));
        }
        return arguments;
    }

    private static Typed tuple(List<Typed> items) {
        return ExpressionBinder.gather(
                new Type.Tuple(items.stream().map(Typed::type).toList()), items);
    }

    private Typed dict(Expression.Call call, List<Typed> pairs) {
        Typed list = binder.list(call.at(), pairs);
        if (!(list.type() instanceof Type.ListOf of)
                || !(of.item() instanceof Type.Tuple pair)
                || pair.items().size() != 2) {
            throw call.at().error("AsDict takes tuples of two items");
        }
        return Typed.of(new Type.Dict(pair.items().get(0), pair.items().get(1)), list.fixed(), frame -> {
            Map<@Nullable Object, @Nullable Object> map = new HashMap<>();
            for (Object item : (List<?>) Objects.requireNonNull(list.eval().of(frame))) {
                map.put(((List<?>) item).get(0), ((List<?>) item).get(1));
            }
            return map;
        });
    }

    private static Typed list(Expression.Call call, List<Typed> arguments) {
        Typed list = arguments.isEmpty() ? null : arguments.get(0);
        if (list == null || !(list.type() instanceof Type.ListOf || list.type() == Type.Unit.EMPTY_LIST)) {
            throw call.at()
                    .error(call.name() + " expects a list"
                            + (list == null ? "" : ", but got: " + Types.show(list.type())));
        }
        return list;
    }

    private static Type item(Typed list) {
        return list.type() instanceof Type.ListOf of ? of.item() : Type.Unit.NULL;
    }

    private Typed map(Expression.Call call, Scope scope, boolean filter) {
        if (call.arguments().size() != 2) {
            throw call.at().error(call.name() + " expects a list and a lambda");
        }
        Typed list = list(call, List.of(binder.bind(call.arguments().get(0).value(), scope)));
        ExpressionBinder.Lambda lambda = binder.lambda(call.arguments().get(1).value(), scope);
        if (lambda == null) {
            throw call.at().error(call.name() + " expects a lambda as its second argument");
        }
        Typed body = lambda.body(call.at(), List.of(item(list)));
        Type result = filter ? list.type() : new Type.ListOf(body.type());
        return Typed.of(result, list.fixed(), frame -> {
            List<@Nullable Object> mapped = new ArrayList<>();
            for (Object item : (List<?>) Objects.requireNonNull(list.eval().of(frame))) {
                Object value = frame.with(item, body.eval());
                if (!filter) {
                    mapped.add(value);
                } else if (Boolean.TRUE.equals(value)) {
                    mapped.add(item);
                }
            }
            return mapped;
        });
    }

    private Typed range(Expression.Call call, List<Typed> bounds) {
        if (bounds.size() < 2
                || bounds.size() > 3
                || !bounds.stream().allMatch(bound -> Types.isInteger(bound.type()))) {
            throw call.at().error("ListFromRange expects two or three integers");
        }
        Type item = binder.commonType(call.at(), bounds.subList(0, 2));
        return Typed.of(new Type.ListOf(item), bounds.stream().allMatch(Typed::fixed), frame -> {
            long from = (Long) Objects.requireNonNull(bounds.get(0).eval().of(frame));
            long to = (Long) Objects.requireNonNull(bounds.get(1).eval().of(frame));
            long step = bounds.size() < 3
                    ? 1
                    : (Long) Objects.requireNonNull(bounds.get(2).eval().of(frame));
            List<@Nullable Object> items = new ArrayList<>();
            for (long i = from; step != 0 && (step > 0 ? i < to : i > to); i += step) {
                if (items.size() == RANGE_MAX) {
                    throw call.at().error("ListFromRange makes at most " + RANGE_MAX + " items");
                }
                items.add(i);
            }
            return items;
        });
    }

    private static Typed length(Expression.Call call, List<Typed> arguments) {
        Typed list = list(call, arguments);
        return Typed.of(Primitive.UINT64, list.fixed(), frame ->
                (long) ((List<?>) Objects.requireNonNull(list.eval().of(frame))).size());
    }

    private Typed extend(Expression.Call call, List<Typed> lists) {
        if (lists.isEmpty()) {
            throw call.at().error("ListExtend expects lists");
        }
        lists.forEach(list -> list(call, List.of(list)));
        Type common = binder.commonType(call.at(), lists);
        List<Typed> converted =
                lists.stream().map(list -> binder.as(call.at(), list, common)).toList();
        return Typed.of(common, lists.stream().allMatch(Typed::fixed), frame -> {
            List<@Nullable Object> all = new ArrayList<>();
            for (Typed list : converted) {
                all.addAll((List<?>) Objects.requireNonNull(list.eval().of(frame)));
            }
            return all;
        });
    }
}
