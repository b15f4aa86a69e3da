package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Position;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names that an expression may use beside those of the whole text.
 *
 * @param columns columns of the current row, in slot order
 * @param locals arguments of lambdas, outermost first
 * @param aggregates takes calls of aggregate functions, null where none are allowed
 */
record Scope(
        List<Relation.Column> columns,
        List<Local> locals,
        @Nullable Aggregates aggregates) {
    static final Scope EMPTY = new Scope(List.of(), List.of(), null);

    record Local(String name, Type type) {}

    /** Turns a call of an aggregate function into a slot of the row of a group. */
    @FunctionalInterface
    interface Aggregates {
        Typed bind(Expression.Call call);
    }

    static Scope of(List<Relation.Column> columns) {
        return new Scope(columns, List.of(), null);
    }

    Scope with(String name, Type type) {
        List<Local> all = new ArrayList<>(locals);
        all.add(new Local(name, type));
        return new Scope(columns, all, aggregates);
    }

    /** The column of that name, null when there is none; two of them are an error. */
    @Nullable
    Typed column(Position at, @Nullable String source, String name) {
        int slot = slot(at, source, name);
        return slot < 0 ? null : Typed.of(columns.get(slot).type(), false, frame -> frame.row[slot]);
    }

    /** The slot of the column that the expression is, -1 when it is anything else. */
    int slot(Expression expression) {
        if (expression instanceof Expression.Name name) {
            return slot(name.at(), null, name.name());
        }
        return expression instanceof Expression.Member member
                        && member.of() instanceof Expression.Name source
                        && hasSource(source.name())
                ? slot(member.at(), source.name(), member.name())
                : -1;
    }

    private int slot(Position at, @Nullable String source, String name) {
        int found = -1;
        for (int i = 0; i < columns.size(); i++) {
            Relation.Column column = columns.get(i);
            if (column.name().equals(name) && (source == null || source.equals(column.source()))) {
                if (found >= 0) {
                    throw at.error("Column " + name + " is ambiguous: name its source");
                }
                found = i;
            }
        }
        return found;
    }

    boolean hasSource(String source) {
        return columns.stream().anyMatch(column -> source.equals(column.source()));
    }

    /** The argument of a lambda, null when there is none of that name. */
    @Nullable
    Typed local(String name) {
        for (int i = locals.size() - 1; i >= 0; i--) {
            if (locals.get(i).name().equals(name)) {
                int hops = locals.size() - 1 - i;
                return Typed.of(locals.get(i).type(), false, frame -> frame.local(hops));
            }
        }
        return null;
    }
}
