package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Operator;
import io.aardappel.emulator.query.syntax.Query;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Resolves joins. Equalities of a left with a right column of one type are looked up in a hash table. */
final class Joins {
    private final Query.Join join;
    private final Relation left;
    private final Relation right;
    private final List<int[]> equalities = new ArrayList<>();

    private Joins(Query.Join join, Relation left, Relation right) {
        this.join = join;
        this.left = left;
        this.right = right;
    }

    static Relation bind(QueryBinder queries, Query.Join join, List<Expression> conditions) {
        // A condition of WHERE may narrow what is read only where no side is filled up with nulls.
        boolean inner = join.kind() == Query.Join.Kind.INNER || join.kind() == Query.Join.Kind.CROSS;
        List<Expression> narrowing = inner ? conditions : List.of();
        Relation left = queries.source(join.left(), narrowing, false);
        Relation right = queries.source(join.right(), narrowing, false);
        return new Joins(join, left, right).bind(queries);
    }

    private Relation bind(QueryBinder queries) {
        List<Relation.Column> columns = new ArrayList<>(left.columns());
        columns.addAll(right.columns());
        Scope both = Scope.of(columns);
        Typed condition = condition(queries, both);
        List<Relation.Column> result = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Relation.Column column = columns.get(i);
            boolean optional = i < left.columns().size() ? fillsLeft() : fillsRight();
            result.add(
                    optional
                            ? new Relation.Column(
                                    column.source(),
                                    column.name(),
                                    column.type().nullable())
                            : column);
        }
        return new Relation(result, (run, sink) -> feed(run, sink, condition.eval()));
    }

    private boolean fillsLeft() {
        return join.kind() == Query.Join.Kind.RIGHT || join.kind() == Query.Join.Kind.FULL;
    }

    private boolean fillsRight() {
        return join.kind() == Query.Join.Kind.LEFT || join.kind() == Query.Join.Kind.FULL;
    }

    private Typed condition(QueryBinder queries, Scope both) {
        if (join.kind() == Query.Join.Kind.CROSS) {
            return Typed.constant(Primitive.BOOL, true);
        }
        if (!join.using().isEmpty()) {
            for (String name : join.using()) {
                equalities.add(new int[] {slotOf(left, name), slotOf(right, name)});
            }
            return Typed.constant(Primitive.BOOL, true);
        }
        if (join.on() == null) {
            throw join.at().error("JOIN needs ON or USING");
        }
        for (Expression conjunct : CoreBinder.conjuncts(join.on())) {
            addEquality(conjunct, both);
        }
        return queries.expressions().condition(join.on(), both);
    }

    private int slotOf(Relation relation, String name) {
        for (int i = 0; i < relation.columns().size(); i++) {
            if (relation.columns().get(i).name().equals(name)) {
                return i;
            }
        }
        throw join.at().error("Column " + name + " of USING is missing on one side");
    }

    private void addEquality(Expression conjunct, Scope both) {
        if (!(conjunct instanceof Expression.Binary binary) || binary.operator() != Operator.EQUAL) {
            return;
        }
        int a = both.slot(binary.left());
        int b = both.slot(binary.right());
        int border = left.columns().size();
        int l = Math.min(a, b);
        int r = Math.max(a, b);
        if (l < 0 || l >= border || r < border) {
            return;
        }
        Type x = both.columns().get(l).type().unwrapped();
        Type y = both.columns().get(r).type().unwrapped();
        if (x.equals(y) && x != Primitive.FLOAT && x != Primitive.DOUBLE) {
            equalities.add(new int[] {l, r - border});
        }
    }

    @SuppressWarnings("ArrayAsKeyOfSetOrMap") // equal rows are still different rows
    private boolean feed(Run run, Relation.Sink sink, Eval condition) {
        List<@Nullable Object[]> rights = right.collect(run);
        Map<List<@Nullable Object>, List<@Nullable Object[]>> index = new HashMap<>();
        for (@Nullable Object[] row : rights) {
            index.computeIfAbsent(key(row, 1), fresh -> new ArrayList<>()).add(row);
        }
        Set<@Nullable Object[]> matched = new HashSet<>();
        Frame frame = new Frame(run);
        boolean wanted = left.rows().feed(run, row -> {
            boolean found = false;
            List<@Nullable Object> key = key(row, 0);
            for (@Nullable
            Object[] other : key.contains(null) ? List.<@Nullable Object[]>of() : index.getOrDefault(key, List.of())) {
                frame.row = concat(row, other);
                if (Boolean.TRUE.equals(condition.of(frame))) {
                    found = true;
                    matched.add(other);
                    if (!sink.row(frame.row)) {
                        return false;
                    }
                }
            }
            return found
                    || !fillsRight()
                    || sink.row(concat(row, new @Nullable Object[right.columns().size()]));
        });
        return wanted && (!fillsLeft() || feedUnmatched(rights, matched, sink));
    }

    private boolean feedUnmatched(
            List<@Nullable Object[]> rights, Set<@Nullable Object[]> matched, Relation.Sink sink) {
        for (@Nullable Object[] row : rights) {
            if (!matched.contains(row)
                    && !sink.row(concat(new @Nullable Object[left.columns().size()], row))) {
                return false;
            }
        }
        return true;
    }

    /** @param side 0 for a left row, 1 for a right one */
    private List<@Nullable Object> key(@Nullable Object[] row, int side) {
        List<@Nullable Object> key = new ArrayList<>(equalities.size());
        for (int[] equality : equalities) {
            key.add(row[equality[side]]);
        }
        return key;
    }

    private static @Nullable Object[] concat(@Nullable Object[] a, @Nullable Object[] b) {
        @Nullable Object[] both = java.util.Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }
}
