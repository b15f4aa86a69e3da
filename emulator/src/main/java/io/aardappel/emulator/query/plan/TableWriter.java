package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.syntax.Statement;
import io.aardappel.emulator.query.value.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows of a statement's input into row writes. The input's columns are bound to the table's once; for each row
 * nothing is left but to evaluate and to place.
 */
final class TableWriter {
    private static final int BAD_COLUMN_TYPE = 2031;
    private static final int NO_DEFAULT = 2032;

    private final TableSchema schema;
    private final RowWrite.Kind kind;
    private final int[] keyOrdinals;
    /** For each key column what gives its value, null where its default does. */
    private final @Nullable Eval[] keys;

    private final int[] ordinals;
    private final Eval[] values;

    private TableWriter(TableSchema schema, RowWrite.Kind kind, @Nullable Eval[] keys, int[] ordinals, Eval[] values) {
        this.schema = schema;
        this.kind = kind;
        this.keyOrdinals = schema.keyOrdinals();
        this.keys = keys;
        this.ordinals = ordinals;
        this.values = values;
    }

    /** @param input a value for each of the names, over the rows of the input */
    static TableWriter of(
            Position at, TableSchema schema, RowWrite.Kind kind, List<Statement.Column> names, List<Typed> input) {
        @Nullable Eval[] byOrdinal = new @Nullable Eval[schema.columns().size()];
        for (int i = 0; i < names.size(); i++) {
            Statement.Column name = names.get(i);
            int ordinal = ordinal(schema, name);
            if (byOrdinal[ordinal] != null) {
                throw name.at().error("Duplicated column: " + name.name());
            }
            byOrdinal[ordinal] =
                    fit(at, schema.columns().get(ordinal), input.get(i)).eval();
        }
        requireColumns(at, schema, kind, byOrdinal);
        return arrange(schema, kind, byOrdinal);
    }

    static int ordinal(TableSchema schema, Statement.Column name) {
        int ordinal = schema.indexOf(name.name());
        if (ordinal < 0) {
            throw name.at().error("No such column: " + name.name() + " in table " + schema.path());
        }
        return ordinal;
    }

    private static TableWriter arrange(TableSchema schema, RowWrite.Kind kind, @Nullable Eval[] byOrdinal) {
        int[] keyOrdinals = schema.keyOrdinals();
        @Nullable Eval[] keys = new @Nullable Eval[keyOrdinals.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = byOrdinal[keyOrdinals[i]];
            byOrdinal[keyOrdinals[i]] = null;
        }
        List<Integer> ordinals = new ArrayList<>();
        List<Eval> values = new ArrayList<>();
        for (int i = 0; i < byOrdinal.length; i++) {
            Eval value = byOrdinal[i];
            if (value != null && kind != RowWrite.Kind.DELETE) {
                ordinals.add(i);
                values.add(value);
            }
        }
        return new TableWriter(
                schema,
                kind,
                keys,
                ordinals.stream().mapToInt(Integer::intValue).toArray(),
                values.toArray(Eval[]::new));
    }

    /** The value in the column's type. */
    static Typed fit(Position at, Column column, Typed value) {
        if (column.notNull() && value.nullable()) {
            throw at.error(
                    Status.BAD_REQUEST,
                    BAD_COLUMN_TYPE,
                    "Can't set NULL or optional value to not null column: " + column.name()
                            + ". All not null columns should be initialized");
        }
        Typed fitted = value.as(column.resultType());
        if (fitted == null) {
            throw at.error(
                    Status.BAD_REQUEST,
                    BAD_COLUMN_TYPE,
                    "Failed to convert '" + column.name() + "': " + Types.show(value.type()) + " to "
                            + Types.show(column.resultType()));
        }
        return fitted;
    }

    private static void requireColumns(
            Position at, TableSchema schema, RowWrite.Kind kind, @Nullable Eval[] byOrdinal) {
        boolean existing = kind == RowWrite.Kind.UPDATE || kind == RowWrite.Kind.DELETE;
        for (int i = 0; i < byOrdinal.length; i++) {
            Column column = schema.columns().get(i);
            if (byOrdinal[i] != null || (column.hasDefault() && !existing)) {
                continue;
            }
            if (schema.primaryKey().contains(column.name())) {
                throw at.error(
                        Status.PRECONDITION_FAILED,
                        0,
                        "Missing key column in input: " + column.name() + " for table: " + schema.path());
            }
            if (column.notNull() && !existing) {
                throw at.error(
                        Status.BAD_REQUEST,
                        NO_DEFAULT,
                        "Missing not null column in input: " + column.name()
                                + ". All not null columns should be initialized");
            }
        }
    }

    /** The write that the current row of the frame asks for. */
    RowWrite write(Frame frame) {
        Transaction transaction = frame.run.transaction();
        List<@Nullable Object> key = new ArrayList<>(keys.length);
        for (int i = 0; i < keys.length; i++) {
            Eval eval = keys[i];
            key.add(eval == null ? transaction.defaultOf(schema, keyOrdinals[i]) : eval.of(frame));
        }
        @Nullable Object[] row = new @Nullable Object[values.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = values[i].of(frame);
        }
        return new RowWrite(kind, key, ordinals, row);
    }
}
