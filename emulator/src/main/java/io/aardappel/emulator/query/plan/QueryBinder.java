package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.syntax.Query;
import io.aardappel.emulator.query.value.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Resolves queries to relations. */
final class QueryBinder {
    private final Globals globals;
    private final Transaction transaction;
    private final ExpressionBinder expressions;

    QueryBinder(Globals globals, Transaction transaction) {
        this.globals = globals;
        this.transaction = transaction;
        this.expressions = new ExpressionBinder(globals, this);
    }

    /** The same for a place in the text where other names are known. */
    QueryBinder with(Globals others) {
        return others == globals ? this : new QueryBinder(others, transaction);
    }

    ExpressionBinder expressions() {
        return expressions;
    }

    Globals globals() {
        return globals;
    }

    Transaction transaction() {
        return transaction;
    }

    Relation relation(Query query) {
        if (query.parts().size() == 1 && query.parts().get(0) instanceof Query.Core core) {
            return new CoreBinder(this, core).bind(query);
        }
        Relation all = union(query.at(), query.parts().stream().map(this::part).toList());
        return Ordering.limit(this, query, Ordering.sort(this, query.order(), all));
    }

    private Relation part(Query.Part part) {
        return part instanceof Query.Nested nested
                ? relation(nested.query())
                : new CoreBinder(this, (Query.Core) part)
                        .bind(new Query(((Query.Core) part).at(), List.of(part), List.of(), null, null));
    }

    /** Columns are matched by name; one that a part lacks is null there. */
    private Relation union(Position at, List<Relation> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        List<Relation.Column> columns = new ArrayList<>();
        for (Relation part : parts) {
            for (Relation.Column column : part.columns()) {
                if (columns.stream().noneMatch(known -> known.name().equals(column.name()))) {
                    columns.add(new Relation.Column(null, column.name(), unionType(at, column.name(), parts)));
                }
            }
        }
        List<Relation.Rows> converted =
                parts.stream().map(part -> conform(at, part, columns)).toList();
        return new Relation(columns, (run, sink) -> {
            for (Relation.Rows rows : converted) {
                if (!rows.feed(run, sink)) {
                    return false;
                }
            }
            return true;
        });
    }

    private Type unionType(Position at, String name, List<Relation> parts) {
        List<Typed> columns = new ArrayList<>();
        for (Relation part : parts) {
            Typed column = Scope.of(part.columns()).column(at, null, name);
            columns.add(column == null ? Typed.constant(Type.Unit.NULL, null) : column);
        }
        return expressions.commonType(at, columns);
    }

    private Relation.Rows conform(Position at, Relation part, List<Relation.Column> columns) {
        Scope scope = Scope.of(part.columns());
        List<Typed> items = new ArrayList<>();
        for (Relation.Column column : columns) {
            Typed item = scope.column(at, null, column.name());
            items.add(expressions.as(at, item == null ? Typed.constant(Type.Unit.NULL, null) : item, column.type()));
        }
        return project(part.rows(), items);
    }

    static Relation.Rows project(Relation.Rows rows, List<Typed> items) {
        Eval[] evals = items.stream().map(Typed::eval).toArray(Eval[]::new);
        return (run, sink) -> {
            Frame frame = new Frame(run);
            return rows.feed(run, row -> {
                frame.row = row;
                @Nullable Object[] projected = new @Nullable Object[evals.length];
                for (int i = 0; i < evals.length; i++) {
                    projected[i] = evals[i].of(frame);
                }
                return sink.row(projected);
            });
        };
    }

    static Relation.Rows filter(Relation.Rows rows, Typed condition) {
        Eval test = condition.eval();
        return (run, sink) -> {
            Frame frame = new Frame(run);
            return rows.feed(run, row -> {
                frame.row = row;
                return !Boolean.TRUE.equals(test.of(frame)) || sink.row(row);
            });
        };
    }

    /** The first column of the first row, null when there is no row. */
    Typed scalar(Query query) {
        Relation relation = relation(query);
        if (relation.columns().size() != 1) {
            throw query.at()
                    .error("A query used as a value must have one column, but has "
                            + relation.columns().size());
        }
        Type type = relation.columns().get(0).type();
        return Typed.of(
                type.nullable(),
                true,
                frame -> frame.run.once(relation, () -> {
                    List<@Nullable Object> found = new ArrayList<>();
                    relation.rows().feed(frame.run, row -> {
                        found.add(row[0]);
                        return false;
                    });
                    return found.isEmpty() ? null : found.get(0);
                }));
    }

    Typed exists(Query query) {
        Relation relation = relation(query);
        return Typed.of(
                Primitive.BOOL,
                true,
                frame -> frame.run.once(relation, () -> !relation.rows().feed(frame.run, row -> false)));
    }

    /** The values of the only column as a list. */
    Typed column(Query query) {
        Relation relation = relation(query);
        if (relation.columns().size() != 1) {
            throw query.at()
                    .error("A query behind IN must have one column, but has "
                            + relation.columns().size());
        }
        return Typed.of(
                new Type.ListOf(relation.columns().get(0).type()),
                true,
                frame -> frame.run.once(relation, () -> {
                    List<@Nullable Object> values = new ArrayList<>();
                    relation.rows().feed(frame.run, row -> values.add(row[0]));
                    return values;
                }));
    }

    /** What stands behind FROM. */
    Relation source(Query.Source source, List<Expression> conditions, boolean reverse) {
        if (source instanceof Query.Table table) {
            return TableAccess.bind(this, table, conditions, reverse);
        }
        if (source instanceof Query.Values values) {
            return list(values.at(), expressions.bind(values.list(), Scope.EMPTY), values.alias());
        }
        if (source instanceof Query.Named named) {
            return named(named);
        }
        if (source instanceof Query.Derived derived) {
            return renamed(relation(derived.query()), derived.alias());
        }
        return Joins.bind(this, (Query.Join) source, conditions);
    }

    private Relation named(Query.Named source) {
        Globals.Named named = globals.named(source.variable());
        if (named != null && named.expression() instanceof Expression.Subquery subquery) {
            return renamed(with(named.globals()).relation(subquery.query()), source.alias());
        }
        Expression variable = new Expression.Variable(source.at(), source.variable());
        return list(source.at(), expressions.bind(variable, Scope.EMPTY), source.alias());
    }

    private static Relation renamed(Relation relation, @Nullable String alias) {
        List<Relation.Column> columns = relation.columns().stream()
                .map(column -> new Relation.Column(alias, column.name(), column.type()))
                .toList();
        return new Relation(columns, relation.rows());
    }

    private static Relation list(Position at, Typed list, @Nullable String alias) {
        Type type = list.type().unwrapped();
        if (type == Type.Unit.EMPTY_LIST) {
            return new Relation(List.of(), (run, sink) -> true);
        }
        if (!(type instanceof Type.ListOf of) || !(of.item().unwrapped() instanceof Type.Struct struct)) {
            throw at.error("AS_TABLE expects a list of structs, but got: " + Types.show(list.type()));
        }
        List<Relation.Column> columns = struct.members().stream()
                .map(member -> new Relation.Column(alias, member.name(), member.type()))
                .toList();
        Eval eval = list.eval();
        return new Relation(columns, (run, sink) -> {
            List<?> items = (List<?>) eval.of(new Frame(run));
            if (items == null) {
                return true;
            }
            for (Object item : items) {
                if (item != null && !sink.row(((List<?>) item).toArray())) {
                    return false;
                }
            }
            return true;
        });
    }
}
