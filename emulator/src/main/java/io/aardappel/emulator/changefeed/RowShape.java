package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.TableSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes keys and rows of one schema version; names are escaped and writers chosen once. */
final class RowShape {
    private final TableSchema schema;
    private final byte[][] names;
    private final ValueWriter[] writers;
    private final int[] keyOrdinals;
    private final int[] valueOrdinals;

    RowShape(TableSchema schema) {
        this.schema = schema;
        int count = schema.columns().size();
        names = new byte[count][];
        writers = new ValueWriter[count];
        for (int i = 0; i < count; i++) {
            Column column = schema.columns().get(i);
            names[i] = new JsonBytes().string(column.name()).raw(':').toBytes();
            writers[i] = ValueWriter.of(column.type());
        }
        keyOrdinals = schema.keyOrdinals();
        valueOrdinals = java.util.stream.IntStream.range(0, count)
                .filter(i ->
                        !schema.primaryKey().contains(schema.columns().get(i).name()))
                .toArray();
    }

    TableSchema schema() {
        return schema;
    }

    /** Ordinals of all columns that are not in the key. */
    int[] valueOrdinals() {
        return valueOrdinals;
    }

    /** {@code [k1,k2]} */
    void keyArray(JsonBytes out, List<@Nullable Object> key) {
        out.raw('[');
        for (int i = 0; i < keyOrdinals.length; i++) {
            if (i > 0) {
                out.raw(',');
            }
            writers[keyOrdinals[i]].writeNullable(out, key.get(i));
        }
        out.raw(']');
    }

    /** {@code {"k1":..,"k2":..}} */
    void keyObject(JsonBytes out, List<@Nullable Object> key) {
        out.raw('{');
        keyMembers(out, key);
        out.raw('}');
    }

    /** The named columns of a row as an object. */
    void columns(JsonBytes out, @Nullable Object[] row, int[] ordinals) {
        out.raw('{');
        members(out, row, ordinals, false);
        out.raw('}');
    }

    /** Key and all other columns of a row as an object. */
    void keyAndColumns(JsonBytes out, List<@Nullable Object> key, @Nullable Object[] row) {
        out.raw('{');
        keyMembers(out, key);
        members(out, row, valueOrdinals, true);
        out.raw('}');
    }

    private void keyMembers(JsonBytes out, List<@Nullable Object> key) {
        for (int i = 0; i < keyOrdinals.length; i++) {
            if (i > 0) {
                out.raw(',');
            }
            out.raw(names[keyOrdinals[i]]);
            writers[keyOrdinals[i]].writeNullable(out, key.get(i));
        }
    }

    private void members(JsonBytes out, @Nullable Object[] row, int[] ordinals, boolean more) {
        boolean comma = more;
        for (int ordinal : ordinals) {
            if (comma) {
                out.raw(',');
            }
            comma = true;
            out.raw(names[ordinal]);
            writers[ordinal].writeNullable(out, row[ordinal]);
        }
    }
}
