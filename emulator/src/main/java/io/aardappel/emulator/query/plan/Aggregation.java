package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Query;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Groups rows. A group's row holds the values of GROUP BY, then those of the aggregate functions. */
final class Aggregation {
    private final QueryBinder queries;
    private final Query.Core core;
    private final Relation input;
    private final Scope rows;
    private final List<AggregateFunction> functions = new ArrayList<>();

    Aggregation(QueryBinder queries, Query.Core core, Relation input) {
        this.queries = queries;
        this.core = core;
        this.input = input;
        this.rows = Scope.of(input.columns());
    }

    /** Whether the list or HAVING calls an aggregate function. */
    static boolean isIn(Query.Core core) {
        return (core.having() != null && isIn(core.having()))
                || core.items().stream()
                        .anyMatch(item -> item instanceof Query.Value value && isIn(value.expression()));
    }

    private static boolean isIn(Expression expression) {
        if (expression instanceof Expression.Call call) {
            return AggregateFunction.isKnown(call.name())
                    || call.arguments().stream().anyMatch(argument -> isIn(argument.value()));
        }
        if (expression instanceof Expression.Binary binary) {
            return isIn(binary.left()) || isIn(binary.right());
        }
        if (expression instanceof Expression.Unary unary) {
            return isIn(unary.operand());
        }
        if (expression instanceof Expression.Cast cast) {
            return isIn(cast.operand());
        }
        if (expression instanceof Expression.IsNull isNull) {
            return isIn(isNull.operand());
        }
        if (expression instanceof Expression.Between between) {
            return isIn(between.operand()) || isIn(between.low()) || isIn(between.high());
        }
        if (expression instanceof Expression.In in) {
            return isIn(in.operand());
        }
        if (expression instanceof Expression.Member member) {
            return isIn(member.of());
        }
        if (expression instanceof Expression.Case choice) {
            return choice.branches().stream().anyMatch(when -> isIn(when.condition()) || isIn(when.result()))
                    || (choice.otherwise() != null && isIn(choice.otherwise()));
        }
        if (expression instanceof Expression.Tuple tuple) {
            return tuple.items().stream().anyMatch(Aggregation::isIn);
        }
        return expression instanceof Expression.Struct struct
                && struct.items().stream().anyMatch(Aggregation::isIn);
    }

    Relation bind(Query query, CoreBinder list) {
        List<Relation.Column> keys = new ArrayList<>();
        List<Typed> keyValues = new ArrayList<>();
        for (Query.Group group : core.groupBy()) {
            Typed value = queries.expressions().bind(group.expression(), rows);
            int slot = rows.slot(group.expression());
            String source = slot < 0 || group.alias() != null
                    ? null
                    : rows.columns().get(slot).source();
            keys.add(new Relation.Column(source, keyName(group), value.type()));
            keyValues.add(value);
        }
        Scope groups = new Scope(keys, List.of(), call -> function(call, keys.size()));
        Relation grouped = new Relation(keys, grouping(keyValues));
        if (core.having() != null) {
            Typed having = queries.expressions().condition(core.having(), groups);
            grouped = new Relation(keys, QueryBinder.filter(grouped.rows(), having));
        }
        return list.finish(query, grouped, groups, false);
    }

    private static String keyName(Query.Group group) {
        if (group.alias() != null) {
            return group.alias();
        }
        if (group.expression() instanceof Expression.Name name) {
            return name.name();
        }
        if (group.expression() instanceof Expression.Member member) {
            return member.name();
        }
        throw group.expression().at().error("An expression in GROUP BY needs a name: GROUP BY expression AS name");
    }

    private Typed function(Expression.Call call, int keys) {
        AggregateFunction function = AggregateFunction.of(
                queries.expressions(), call, rows, !core.groupBy().isEmpty());
        int slot = keys + functions.size();
        functions.add(function);
        return Typed.of(function.result(), false, frame -> frame.row[slot]);
    }

    private Relation.Rows grouping(List<Typed> keys) {
        return (run, sink) -> {
            Map<List<@Nullable Object>, AggregateFunction.State[]> groups = new LinkedHashMap<>();
            if (keys.isEmpty()) {
                groups.put(List.of(), start());
            }
            Frame frame = new Frame(run);
            input.rows().feed(run, row -> {
                frame.row = row;
                @Nullable Object[] key = new @Nullable Object[keys.size()];
                for (int i = 0; i < key.length; i++) {
                    key[i] = keys.get(i).eval().of(frame);
                }
                take(groups.computeIfAbsent(Arrays.asList(key), fresh -> start()), frame);
                return true;
            });
            for (Map.Entry<List<@Nullable Object>, AggregateFunction.State[]> group : groups.entrySet()) {
                if (!sink.row(row(group.getKey(), group.getValue()))) {
                    return false;
                }
            }
            return true;
        };
    }

    private AggregateFunction.State[] start() {
        return functions.stream().map(AggregateFunction::start).toArray(AggregateFunction.State[]::new);
    }

    private void take(AggregateFunction.State[] states, Frame frame) {
        for (int i = 0; i < states.length; i++) {
            Object value = functions.get(i).argument().of(frame);
            if (value != null) {
                states[i].take(value);
            }
        }
    }

    private static @Nullable Object[] row(List<@Nullable Object> key, AggregateFunction.State[] states) {
        @Nullable Object[] row = new @Nullable Object[key.size() + states.length];
        for (int i = 0; i < key.size(); i++) {
            row[i] = key.get(i);
        }
        for (int i = 0; i < states.length; i++) {
            row[key.size() + i] = states[i].result();
        }
        return row;
    }
}
