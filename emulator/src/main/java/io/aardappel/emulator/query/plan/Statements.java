package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Query;
import io.aardappel.emulator.query.syntax.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Resolves statements that read and write rows. */
final class Statements {
    /** A statement ready to run: its result set, null when it has none. */
    @FunctionalInterface
    interface Step {
        Program.@Nullable Result run(Run run);
    }

    /** Makes the writes of a statement; all are known before the first takes effect. */
    @FunctionalInterface
    private interface Writes {
        List<RowWrite> of(Run run);
    }

    private final QueryBinder queries;

    Statements(QueryBinder queries) {
        this.queries = queries;
    }

    Step bind(Statement statement) {
        if (statement instanceof Statement.Select select) {
            return select(select);
        }
        if (statement instanceof Statement.Write write) {
            return write(write);
        }
        if (statement instanceof Statement.Update update) {
            return update(update);
        }
        return delete((Statement.Delete) statement);
    }

    private Step select(Statement.Select select) {
        Relation relation = queries.relation(select.query());
        List<Type.Member> columns = relation.columns().stream()
                .map(column -> new Type.Member(column.name(), column.type()))
                .toList();
        return run -> {
            List<List<@Nullable Object>> rows = new ArrayList<>();
            relation.rows().feed(run, row -> rows.add(Arrays.asList(row.clone())));
            return new Program.Result(columns, rows);
        };
    }

    private Step write(Statement.Write write) {
        TableSchema schema = queries.transaction().schema(write.path());
        Relation input = write.input() instanceof Statement.Rows rows
                ? values(write, schema, rows)
                : queries.relation(((Statement.FromQuery) write.input()).query());
        List<Statement.Column> names = names(write, input);
        List<Typed> items = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            items.add(item(write, input, names.get(i), i));
        }
        TableWriter writer = TableWriter.of(write.at(), schema, write.kind(), names, items);
        return effect(schema, write.returning(), run -> {
            Frame frame = new Frame(run);
            List<RowWrite> writes = new ArrayList<>();
            input.rows().feed(run, row -> {
                frame.row = row;
                return writes.add(writer.write(frame));
            });
            return writes;
        });
    }

    private static Typed item(Statement.Write write, Relation input, Statement.Column name, int index) {
        if (write.input() instanceof Statement.Rows) {
            return Typed.of(input.columns().get(index).type(), false, frame -> frame.row[index]);
        }
        Typed column = Scope.of(input.columns()).column(name.at(), null, name.name());
        if (column == null) {
            throw name.at()
                    .error("Column names in SELECT don't match column specification in parenthesis: " + name.name()
                            + " is not selected");
        }
        return column;
    }

    private static List<Statement.Column> names(Statement.Write write, Relation input) {
        if (write.columns().isEmpty()) {
            if (write.input() instanceof Statement.Rows) {
                throw write.at().error("VALUES needs the names of the columns: INTO table (column, ...) VALUES ...");
            }
            return input.columns().stream()
                    .map(column -> new Statement.Column(write.at(), column.name()))
                    .toList();
        }
        if (write.input() instanceof Statement.FromQuery from) {
            requireSameOrder(write, from.query(), input);
        }
        return write.columns();
    }

    /** A list of columns and a SELECT must agree; only a star leaves the order to the names. */
    private static void requireSameOrder(Statement.Write write, Query query, Relation input) {
        boolean star = query.parts().size() != 1
                || !(query.parts().get(0) instanceof Query.Core core)
                || core.items().stream().anyMatch(item -> item instanceof Query.Star);
        List<String> given =
                write.columns().stream().map(Statement.Column::name).toList();
        List<String> selected =
                input.columns().stream().map(Relation.Column::name).toList();
        boolean agree = star ? selected.size() == given.size() && selected.containsAll(given) : selected.equals(given);
        if (!agree) {
            throw write.at()
                    .error("Column names in SELECT don't match column specification in parenthesis: " + selected
                            + " instead of " + given);
        }
    }

    /** VALUES as a relation; literals take the types of the table's columns. */
    private Relation values(Statement.Write write, TableSchema schema, Statement.Rows values) {
        int width = write.columns().isEmpty()
                ? values.rows().get(0).size()
                : write.columns().size();
        List<List<Typed>> rows = new ArrayList<>();
        for (List<Expression> row : values.rows()) {
            if (row.size() != width) {
                throw row.get(0).at().error("VALUES have " + row.size() + " columns, INTO expects " + width);
            }
            rows.add(row(write, schema, row));
        }
        List<Relation.Column> columns = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            String name = write.columns().isEmpty()
                    ? "column" + i
                    : write.columns().get(i).name();
            columns.add(new Relation.Column(null, name, rows.get(0).get(i).type()));
        }
        return new Relation(columns, (run, sink) -> {
            Frame frame = new Frame(run);
            for (List<Typed> row : rows) {
                if (!sink.row(row.stream().map(item -> item.eval().of(frame)).toArray())) {
                    return false;
                }
            }
            return true;
        });
    }

    private List<Typed> row(Statement.Write write, TableSchema schema, List<Expression> expressions) {
        List<Typed> row = new ArrayList<>();
        for (int i = 0; i < expressions.size(); i++) {
            Typed value = queries.expressions().bind(expressions.get(i), Scope.EMPTY);
            if (write.columns().isEmpty()) {
                row.add(value);
            } else {
                int ordinal = TableWriter.ordinal(schema, write.columns().get(i));
                row.add(TableWriter.fit(
                        expressions.get(i).at(), schema.columns().get(ordinal), value));
            }
        }
        return row;
    }

    private Step update(Statement.Update update) {
        TableSchema schema = queries.transaction().schema(update.path());
        Relation rows = matching(schema, update.where());
        Scope scope = Scope.of(rows.columns());
        List<Statement.Column> names = new ArrayList<>();
        List<Typed> items = new ArrayList<>();
        for (Statement.Set set : update.sets()) {
            Statement.Column column = set.column();
            if (schema.primaryKey().contains(column.name())) {
                throw column.at().error(Status.BAD_REQUEST, 0, "Cannot update primary key column: " + column.name());
            }
            TableWriter.ordinal(schema, column);
            names.add(column);
            items.add(queries.expressions().bind(set.value(), scope));
        }
        for (String key : schema.primaryKey()) {
            names.add(new Statement.Column(update.at(), key));
            int ordinal = schema.indexOf(key);
            items.add(Typed.of(rows.columns().get(ordinal).type(), false, frame -> frame.row[ordinal]));
        }
        return effect(
                schema,
                update.returning(),
                collecting(rows, TableWriter.of(update.at(), schema, RowWrite.Kind.UPDATE, names, items)));
    }

    private static Writes collecting(Relation rows, TableWriter writer) {
        return run -> {
            Frame frame = new Frame(run);
            List<RowWrite> writes = new ArrayList<>();
            rows.rows().feed(run, row -> {
                frame.row = row;
                return writes.add(writer.write(frame));
            });
            return writes;
        };
    }

    private Step delete(Statement.Delete delete) {
        TableSchema schema = queries.transaction().schema(delete.path());
        Relation rows = matching(schema, delete.where());
        List<Statement.Column> names = new ArrayList<>();
        List<Typed> items = new ArrayList<>();
        for (String key : schema.primaryKey()) {
            names.add(new Statement.Column(delete.at(), key));
            int ordinal = schema.indexOf(key);
            items.add(Typed.of(rows.columns().get(ordinal).type(), false, frame -> frame.row[ordinal]));
        }
        return effect(
                schema,
                delete.returning(),
                collecting(rows, TableWriter.of(delete.at(), schema, RowWrite.Kind.DELETE, names, items)));
    }

    private Relation matching(TableSchema schema, @Nullable Expression where) {
        String name = schema.path().substring(schema.path().lastIndexOf('/') + 1);
        Relation rows = TableAccess.bind(queries, schema, name, CoreBinder.conjuncts(where), false);
        if (where == null) {
            return rows;
        }
        Typed condition = queries.expressions().condition(where, Scope.of(rows.columns()));
        return new Relation(rows.columns(), QueryBinder.filter(rows.rows(), condition));
    }

    private Step effect(TableSchema schema, Statement.@Nullable Returning returning, Writes writes) {
        if (returning == null) {
            return run -> {
                for (RowWrite write : writes.of(run)) {
                    run.transaction().write(schema, write);
                }
                return null;
            };
        }
        int[] ordinals = returned(schema, returning);
        List<Type.Member> columns = Arrays.stream(ordinals)
                .mapToObj(ordinal -> schema.columns().get(ordinal))
                .map(column -> new Type.Member(column.name(), column.resultType()))
                .toList();
        return run -> {
            List<List<@Nullable Object>> rows = new ArrayList<>();
            for (RowWrite write : writes.of(run)) {
                @Nullable Object[] row = apply(run.transaction(), schema, write);
                if (row != null) {
                    rows.add(pick(row, ordinals));
                }
            }
            return new Program.Result(columns, rows);
        };
    }

    /** Writes, and gives the row as it is afterwards, of a deleted one as it was; null when there is none. */
    private static @Nullable Object @Nullable [] apply(Transaction transaction, TableSchema schema, RowWrite write) {
        boolean delete = write.kind() == RowWrite.Kind.DELETE;
        @Nullable Object[] before = delete ? transaction.get(schema, write.key()) : null;
        boolean found = transaction.write(schema, write);
        return delete ? before : found ? transaction.get(schema, write.key()) : null;
    }

    private static List<@Nullable Object> pick(@Nullable Object[] row, int[] ordinals) {
        List<@Nullable Object> picked = new ArrayList<>(ordinals.length);
        for (int ordinal : ordinals) {
            picked.add(row[ordinal]);
        }
        return picked;
    }

    private static int[] returned(TableSchema schema, Statement.Returning returning) {
        if (!returning.columns().isEmpty()) {
            return returning.columns().stream()
                    .mapToInt(column -> TableWriter.ordinal(schema, column))
                    .toArray();
        }
        List<String> names =
                schema.columns().stream().map(Column::name).sorted().toList();
        return names.stream().mapToInt(schema::indexOf).toArray();
    }
}
