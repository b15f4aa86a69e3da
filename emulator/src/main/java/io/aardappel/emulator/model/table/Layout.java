package io.aardappel.emulator.model.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How rows of one schema version are stored. Each column ever created keeps a slot of its own, so that a column dropped and
 * added anew is a new one, and adding a column touches no row: a row too short for a slot holds its column's fill value.
 */
final class Layout {
    private final TableSchema schema;
    private final int[] slots;
    private final int slotCount;
    private final @Nullable Object[] fills;
    private final boolean plain;
    private final int[] keyOrdinals;
    private final boolean[] keyColumn;
    private final int[] required;
    private final int[] defaulted;

    private Layout(TableSchema schema, int[] slots, int slotCount, @Nullable Object[] fills) {
        this.schema = schema;
        this.slots = slots;
        this.slotCount = slotCount;
        this.fills = fills;
        this.keyOrdinals = schema.keyOrdinals();
        this.keyColumn = new boolean[slots.length];
        for (int ordinal : keyOrdinals) {
            keyColumn[ordinal] = true;
        }
        this.plain = isPlain(slots, slotCount);
        List<Integer> must = new ArrayList<>();
        List<Integer> may = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            Column column = schema.columns().get(i);
            if (!keyColumn[i] && column.hasDefault()) {
                may.add(i);
            } else if (!keyColumn[i] && column.notNull()) {
                must.add(i);
            }
        }
        this.required = must.stream().mapToInt(Integer::intValue).toArray();
        this.defaulted = may.stream().mapToInt(Integer::intValue).toArray();
    }

    static Layout first(TableSchema schema) {
        int count = schema.columns().size();
        int[] slots = new int[count];
        for (int i = 0; i < count; i++) {
            slots[i] = i;
        }
        return new Layout(schema, slots, count, new Object[count]);
    }

    Layout withColumn(Column column) {
        List<Column> columns = new ArrayList<>(schema.columns());
        columns.add(column);
        int[] grown = java.util.Arrays.copyOf(slots, slots.length + 1);
        grown[slots.length] = slotCount;
        @Nullable Object[] filled = java.util.Arrays.copyOf(fills, slotCount + 1);
        filled[slotCount] = column.defaultValue();
        return new Layout(nextVersion(columns), grown, slotCount + 1, filled);
    }

    Layout withoutColumn(int ordinal) {
        List<Column> columns = new ArrayList<>(schema.columns());
        columns.remove(ordinal);
        int[] left = new int[slots.length - 1];
        System.arraycopy(slots, 0, left, 0, ordinal);
        System.arraycopy(slots, ordinal + 1, left, ordinal, left.length - ordinal);
        return new Layout(nextVersion(columns), left, slotCount, fills);
    }

    /** The same columns under another path. */
    Layout at(String path, long version) {
        TableSchema moved = new TableSchema(path, version, schema.columns(), schema.primaryKey());
        return new Layout(moved, slots, slotCount, fills);
    }

    TableSchema schema() {
        return schema;
    }

    int[] keyOrdinals() {
        return keyOrdinals;
    }

    boolean isKey(int ordinal) {
        return keyColumn[ordinal];
    }

    /** NOT NULL columns that a new row must name. */
    int[] required() {
        return required;
    }

    /** Non-key columns with a default or a sequence. */
    int[] defaulted() {
        return defaulted;
    }

    /** The row by column ordinal; the stored array itself where that is the same. */
    @Nullable
    Object[] read(@Nullable Object[] stored) {
        if (plain && stored.length == slotCount) {
            return stored;
        }
        @Nullable Object[] row = new Object[slots.length];
        for (int i = 0; i < slots.length; i++) {
            row[i] = slots[i] < stored.length ? stored[slots[i]] : fills[slots[i]];
        }
        return row;
    }

    /** The array to store for a row by ordinal; the row itself where that is the same. */
    @Nullable
    Object[] store(@Nullable Object[] row) {
        if (plain) {
            return row;
        }
        @Nullable Object[] stored = new Object[slotCount];
        for (int i = 0; i < slots.length; i++) {
            stored[slots[i]] = row[i];
        }
        return stored;
    }

    private TableSchema nextVersion(List<Column> columns) {
        return new TableSchema(schema.path(), schema.version() + 1, columns, schema.primaryKey());
    }

    private static boolean isPlain(int[] slots, int slotCount) {
        if (slots.length != slotCount) {
            return false;
        }
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] != i) {
                return false;
            }
        }
        return true;
    }
}
