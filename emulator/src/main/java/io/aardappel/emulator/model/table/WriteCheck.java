package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.value.ValueDomain;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Refuses writes that YDB refuses whatever rows are there, and brings values into the form in which they are kept. */
final class WriteCheck {
    private WriteCheck() {}

    /** The write with canonical values and its defaults drawn; throws {@link YdbException} for one that does not fit. */
    static PendingWrite admit(StoredTable table, RowWrite write, Limits limits) {
        Layout layout = table.layout();
        List<@Nullable Object> key = key(layout, write.key(), limits);
        @Nullable Object[] values = values(layout.schema(), write, limits);
        if (write.kind() == RowWrite.Kind.UPDATE || write.kind() == RowWrite.Kind.DELETE) {
            return new PendingWrite(write.kind(), key, write.columns(), values, new Object[0]);
        }
        for (int ordinal : layout.required()) {
            if (!contains(write.columns(), ordinal)) {
                throw missingColumn(layout.schema().columns().get(ordinal));
            }
        }
        return new PendingWrite(write.kind(), key, write.columns(), values, defaults(table, write.columns()));
    }

    private static List<@Nullable Object> key(Layout layout, List<@Nullable Object> key, Limits limits) {
        TableSchema schema = layout.schema();
        int[] ordinals = layout.keyOrdinals();
        if (key.size() != ordinals.length) {
            throw new IllegalArgumentException(
                    "key of " + schema.path() + " has " + ordinals.length + " columns, got " + key.size());
        }
        long size = 0;
        @Nullable Object[] kept = new Object[ordinals.length];
        for (int i = 0; i < ordinals.length; i++) {
            @Nullable Object value = admitValue(schema.columns().get(ordinals[i]), key.get(i), limits);
            size += ValueDomain.size(value);
            kept[i] = value;
        }
        if (size > limits.keyBytes()) {
            throw new YdbException(
                    Status.GENERIC_ERROR,
                    "Row key size of " + size + " bytes is larger than the allowed threshold " + limits.keyBytes()
                            + ", table: " + schema.path());
        }
        return kept.length == 1 ? Collections.singletonList(kept[0]) : Arrays.asList(kept);
    }

    private static @Nullable Object[] values(TableSchema schema, RowWrite write, Limits limits) {
        int[] columns = write.columns();
        @Nullable Object[] kept = new Object[columns.length];
        for (int i = 0; i < columns.length; i++) {
            kept[i] = admitValue(schema.columns().get(columns[i]), write.values()[i], limits);
        }
        return kept;
    }

    static @Nullable Object admitValue(Column column, @Nullable Object value, Limits limits) {
        if (value == null) {
            if (column.notNull()) {
                throw nullForNotNull(column);
            }
            return null;
        }
        String violation = ValueDomain.violation(column.type(), value);
        if (violation != null) {
            throw new YdbException(Status.BAD_REQUEST, "Column " + column.name() + ": " + violation);
        }
        long size = ValueDomain.size(value);
        if (size > limits.valueBytes()) {
            throw new YdbException(
                    Status.GENERIC_ERROR,
                    "Row cell size of " + size + " bytes is larger than the allowed threshold " + limits.valueBytes()
                            + ", column: " + column.name());
        }
        return ValueDomain.canonical(column.type(), value);
    }

    private static @Nullable Object[] defaults(StoredTable table, int[] named) {
        int[] defaulted = table.layout().defaulted();
        @Nullable Object[] drawn = new Object[defaulted.length];
        for (int i = 0; i < defaulted.length; i++) {
            if (!contains(named, defaulted[i])) {
                drawn[i] = defaultOf(table, defaulted[i]);
            }
        }
        return drawn;
    }

    /** The default of a column, or the next number of its sequence. */
    static @Nullable Object defaultOf(StoredTable table, int ordinal) {
        Column column = table.schema().columns().get(ordinal);
        Sequence numbers = column.numbers();
        return numbers != null ? (Object) table.nextOf(column.name(), numbers) : column.defaultValue();
    }

    private static boolean contains(int[] ordinals, int wanted) {
        for (int ordinal : ordinals) {
            if (ordinal == wanted) {
                return true;
            }
        }
        return false;
    }

    private static YdbException missingColumn(Column column) {
        return new YdbException(
                Status.BAD_REQUEST,
                Issue.of(
                        Issue.NO_COLUMN_DEFAULT,
                        "Missing not null column in input: " + column.name()
                                + ". All not null columns should be initialized"));
    }

    private static YdbException nullForNotNull(Column column) {
        return new YdbException(
                Status.BAD_REQUEST,
                Issue.of(
                        Issue.BAD_COLUMN_TYPE,
                        "Can't set NULL or optional value to not null column: " + column.name()
                                + ". All not null columns should be initialized"));
    }
}
