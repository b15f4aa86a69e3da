package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.ValueOrder;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Query;
import io.aardappel.emulator.query.value.Types;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** ORDER BY, LIMIT and OFFSET. */
final class Ordering {
    private Ordering() {}

    /** Sorts by expressions over the relation's own columns. */
    static Relation sort(QueryBinder binder, List<Query.Order> order, Relation relation) {
        if (order.isEmpty()) {
            return relation;
        }
        Scope scope = Scope.of(relation.columns());
        List<Typed> keys = order.stream()
                .map(item -> binder.expressions().bind(item.expression(), scope))
                .toList();
        return new Relation(relation.columns(), sort(relation.rows(), order, keys));
    }

    private record Keyed(@Nullable Object[] row, @Nullable Object[] keys) {}

    static Relation.Rows sort(Relation.Rows rows, List<Query.Order> order, List<Typed> keys) {
        Comparator<Keyed> comparator = comparator(order, keys);
        Eval[] evals = keys.stream().map(Typed::eval).toArray(Eval[]::new);
        return (run, sink) -> {
            List<Keyed> all = new ArrayList<>();
            Frame frame = new Frame(run);
            rows.feed(run, row -> {
                frame.row = row;
                @Nullable Object[] values = new @Nullable Object[evals.length];
                for (int i = 0; i < evals.length; i++) {
                    values[i] = evals[i].of(frame);
                }
                return all.add(new Keyed(row.clone(), values));
            });
            all.sort(comparator);
            for (Keyed keyed : all) {
                if (!sink.row(keyed.row())) {
                    return false;
                }
            }
            return true;
        };
    }

    @SuppressWarnings("UnusedVariable") // the shape of a comparator
    private static int same(@Nullable Object one, @Nullable Object other) {
        return 0;
    }

    private static Comparator<Keyed> comparator(List<Query.Order> order, List<Typed> keys) {
        Comparator<Keyed> all = Ordering::same;
        for (int i = 0; i < keys.size(); i++) {
            int key = i;
            Comparator<@Nullable Object> values =
                    values(order.get(i).expression(), keys.get(i).type());
            Comparator<Keyed> one = (a, b) -> values.compare(a.keys()[key], b.keys()[key]);
            all = all.thenComparing(order.get(i).descending() ? one.reversed() : one);
        }
        return all;
    }

    private static Comparator<@Nullable Object> values(Expression expression, Type type) {
        if (type == Type.Unit.NULL) {
            return Ordering::same;
        }
        try {
            return ValueOrder.of(type);
        } catch (IllegalArgumentException e) {
            throw expression.at().error("Expected comparable type in ORDER BY, but got: " + Types.show(type));
        }
    }

    /** LIMIT and OFFSET; a limit that is null limits nothing. */
    static Relation limit(QueryBinder binder, Query query, Relation relation) {
        if (query.limit() == null) {
            return relation;
        }
        Eval limit = count(binder, query.limit());
        Eval offset = query.offset() == null ? frame -> 0L : count(binder, query.offset());
        Relation.Rows rows = relation.rows();
        return new Relation(relation.columns(), (run, sink) -> {
            Frame frame = new Frame(run);
            Object most = limit.of(frame);
            Object skipped = offset.of(frame);
            long left = most == null ? Long.MAX_VALUE : (Long) most;
            Window window = new Window(skipped == null ? 0 : (Long) skipped, left < 0 ? Long.MAX_VALUE : left, sink);
            return left == 0 || rows.feed(run, window) || !window.refused;
        });
    }

    private static final class Window implements Relation.Sink {
        private final Relation.Sink sink;
        private long skip;
        private long left;
        private boolean refused;

        Window(long skip, long left, Relation.Sink sink) {
            this.skip = skip;
            this.left = left;
            this.sink = sink;
        }

        @Override
        public boolean row(@Nullable Object[] row) {
            if (skip > 0) {
                skip--;
                return true;
            }
            refused = !sink.row(row);
            left--;
            return !refused && left > 0;
        }
    }

    private static Eval count(QueryBinder binder, Expression expression) {
        Typed count = binder.expressions().bind(expression, Scope.EMPTY);
        if (!Types.isInteger(count.type().unwrapped()) && count.type() != Type.Unit.NULL) {
            throw expression.at().error("Expected an integer in LIMIT or OFFSET, but got: " + Types.show(count.type()));
        }
        return count.eval();
    }
}
