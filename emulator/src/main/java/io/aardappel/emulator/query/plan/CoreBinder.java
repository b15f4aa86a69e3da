package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Operator;
import io.aardappel.emulator.query.syntax.Query;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Resolves one SELECT: FROM, WHERE, GROUP BY, HAVING, the list, DISTINCT, ORDER BY, LIMIT. */
final class CoreBinder {
    private final QueryBinder queries;
    private final ExpressionBinder expressions;
    private final Query.Core core;

    CoreBinder(QueryBinder queries, Query.Core core) {
        this.queries = queries;
        this.expressions = queries.expressions();
        this.core = core;
    }

    /** @param query of which the core is the only part */
    Relation bind(Query query) {
        boolean aggregated = !core.groupBy().isEmpty() || Aggregation.isIn(core);
        Boolean keyOrder = (aggregated || core.distinct()) ? null : keyOrder(query.order());
        Relation input = filtered(Boolean.TRUE.equals(keyOrder));
        if (aggregated) {
            return new Aggregation(queries, core, input).bind(query, this);
        }
        if (core.having() != null) {
            throw core.having().at().error("HAVING needs GROUP BY or an aggregation function");
        }
        Scope scope = Scope.of(input.columns());
        return finish(query, input, scope, keyOrder != null);
    }

    private Relation filtered(boolean reverse) {
        if (core.from() == null) {
            if (core.where() != null) {
                throw core.where().at().error("WHERE needs FROM");
            }
            return new Relation(List.of(), (run, sink) -> sink.row(new Object[0]));
        }
        List<Expression> conditions = conjuncts(core.where());
        Relation input = queries.source(core.from(), conditions, reverse);
        if (core.where() == null) {
            return input;
        }
        Typed condition = expressions.condition(core.where(), Scope.of(input.columns()));
        return new Relation(input.columns(), QueryBinder.filter(input.rows(), condition));
    }

    /** The conditions that all must hold. */
    static List<Expression> conjuncts(@Nullable Expression condition) {
        List<Expression> all = new ArrayList<>();
        if (condition != null) {
            addOperands(condition, Operator.AND, all);
        }
        return all;
    }

    /** The operands of a chain of one operator. */
    static void addOperands(Expression expression, Operator operator, List<Expression> all) {
        if (expression instanceof Expression.Binary binary && binary.operator() == operator) {
            addOperands(binary.left(), operator, all);
            addOperands(binary.right(), operator, all);
        } else {
            all.add(expression);
        }
    }

    /** Whether the order asked for is that of a table's key, or its reverse (true); null when it is neither. */
    private @Nullable Boolean keyOrder(List<Query.Order> order) {
        if (order.isEmpty() || !(core.from() instanceof Query.Table table)) {
            return null;
        }
        TableSchema schema = queries.transaction().schema(table.path());
        boolean reverse = order.get(0).descending();
        for (int i = 0; i < order.size(); i++) {
            if (i == schema.primaryKey().size()
                    || order.get(i).descending() != reverse
                    || !(order.get(i).expression() instanceof Expression.Name name)
                    || !name.name().equals(schema.primaryKey().get(i))
                    || !isPlain(name.name())) {
                return null;
            }
        }
        return reverse;
    }

    /** Whether the name means the table's column, not something that the list calls by the same name. */
    private boolean isPlain(String name) {
        return core.items().stream()
                .noneMatch(item -> item instanceof Query.Value value
                        && name.equals(value.alias())
                        && !(value.expression() instanceof Expression.Name column
                                && column.name().equals(name)));
    }

    /** The list, DISTINCT, ORDER BY and LIMIT over the rows that are left. */
    Relation finish(Query query, Relation input, Scope scope, boolean sorted) {
        List<Relation.Column> columns = new ArrayList<>();
        List<Typed> items = new ArrayList<>();
        for (Query.Item item : core.items()) {
            if (item instanceof Query.Star star) {
                star(star, scope, columns, items);
            } else {
                Query.Value value = (Query.Value) item;
                Typed typed = expressions.bind(value.expression(), scope);
                columns.add(new Relation.Column(null, name(value, columns.size()), typed.type()));
                items.add(typed);
            }
        }
        refuseTwins(columns);
        Relation.Rows rows = sorted || query.order().isEmpty() || core.distinct()
                ? QueryBinder.project(input.rows(), items)
                : sorted(query.order(), input, scope, columns, items);
        Relation result = new Relation(columns, core.distinct() ? distinct(rows) : rows);
        if (core.distinct()) {
            result = Ordering.sort(queries, query.order(), result);
        }
        return Ordering.limit(queries, query, result);
    }

    private void star(Query.Star star, Scope scope, List<Relation.Column> columns, List<Typed> items) {
        if (core.from() == null) {
            throw star.at().error("* is not allowed without FROM");
        }
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < scope.columns().size(); i++) {
            if (star.source() == null
                    || star.source().equals(scope.columns().get(i).source())) {
                slots.add(i);
            }
        }
        if (star.source() != null && slots.isEmpty()) {
            throw star.at().error("Unknown correlation name: " + star.source());
        }
        boolean joined = core.from() instanceof Query.Join && star.source() == null;
        // YDB gives the columns of a star in the order of their names
        slots.sort(Comparator.comparing(slot -> starName(scope.columns().get(slot), joined)));
        for (int slot : slots) {
            Relation.Column column = scope.columns().get(slot);
            columns.add(new Relation.Column(null, starName(column, joined), column.type()));
            items.add(Typed.of(column.type(), false, frame -> frame.row[slot]));
        }
    }

    private static String starName(Relation.Column column, boolean joined) {
        return joined && column.source() != null ? column.source() + "." + column.name() : column.name();
    }

    static String name(Query.Value value, int index) {
        if (value.alias() != null) {
            return value.alias();
        }
        if (value.expression() instanceof Expression.Name name) {
            return name.name();
        }
        return value.expression() instanceof Expression.Member member ? member.name() : "column" + index;
    }

    private void refuseTwins(List<Relation.Column> columns) {
        Set<String> names = new HashSet<>();
        for (Relation.Column column : columns) {
            if (!names.add(column.name())) {
                throw core.at().error("Duplicate column names: " + column.name() + ". Give one of them an alias");
            }
        }
    }

    private static Relation.Rows distinct(Relation.Rows rows) {
        return (run, sink) -> {
            Set<List<@Nullable Object>> seen = new HashSet<>();
            return rows.feed(run, row -> !seen.add(Arrays.asList(row.clone())) || sink.row(row));
        };
    }

    /** Sorts by names of the list first, then by columns of the input; so both stand side by side for a while. */
    private Relation.Rows sorted(
            List<Query.Order> order, Relation input, Scope scope, List<Relation.Column> columns, List<Typed> items) {
        int width = columns.size();
        Map<String, Integer> listed = new LinkedHashMap<>();
        for (int i = 0; i < width; i++) {
            listed.put(columns.get(i).name(), i);
        }
        List<Typed> both = new ArrayList<>(items);
        List<Typed> keys = new ArrayList<>();
        for (Query.Order item : order) {
            Integer slot = item.expression() instanceof Expression.Name name ? listed.get(name.name()) : null;
            if (slot == null) {
                slot = both.size();
                both.add(expressions.bind(item.expression(), scope));
            }
            int at = slot;
            keys.add(Typed.of(both.get(at).type(), false, frame -> frame.row[at]));
        }
        Relation.Rows rows = Ordering.sort(QueryBinder.project(input.rows(), both), order, keys);
        return (run, sink) -> rows.feed(run, row -> sink.row(Arrays.copyOf(row, width)));
    }
}
