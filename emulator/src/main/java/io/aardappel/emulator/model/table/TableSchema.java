package io.aardappel.emulator.model.table;

import java.util.List;

/**
 * The shape of a table at one schema version. Immutable. Rows, writes and keys that go with it use its column order.
 *
 * @param path absolute path of the table, with the database
 * @param version rises with every change of the columns
 * @param columns all columns, key columns included, in the order of creation
 * @param primaryKey names of the key columns in key order
 */
public record TableSchema(String path, long version, List<Column> columns, List<String> primaryKey) {
    public TableSchema {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
    }

    /** The ordinal of a column, -1 when the table has none of that name. */
    public int indexOf(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** Ordinals of the key columns in key order. */
    public int[] keyOrdinals() {
        return primaryKey.stream().mapToInt(this::indexOf).toArray();
    }
}
