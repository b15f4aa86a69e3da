package io.aardappel.emulator.model.table;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A checked write that waits for its transaction's commit.
 *
 * @param columns ordinals of the named non-key columns
 * @param defaults values for {@link Layout#defaulted} where the row is new, drawn when the statement ran
 */
record PendingWrite(
        RowWrite.Kind kind,
        List<@Nullable Object> key,
        int[] columns,
        @Nullable Object[] values,
        @Nullable Object[] defaults) {
    /** What the write makes of a row; false when it leaves things as they are and no change is to be told. */
    boolean takesEffectOn(@Nullable Object @Nullable [] before) {
        return kind != RowWrite.Kind.UPDATE || before != null;
    }

    /** The row after the write, null when it removes it. Ask {@link #takesEffectOn} first. */
    @Nullable
    Object @Nullable [] after(Layout layout, @Nullable Object @Nullable [] before) {
        if (kind == RowWrite.Kind.DELETE) {
            return null;
        }
        @Nullable Object[] row = before != null && overlays() ? before.clone() : fresh(layout);
        for (int i = 0; i < columns.length; i++) {
            row[columns[i]] = values[i];
        }
        return row;
    }

    /** Ordinals of the non-key columns that the write sets, defaults included. */
    int[] written(Layout layout, @Nullable Object @Nullable [] before) {
        if (kind == RowWrite.Kind.DELETE || defaults.length == 0 || (before != null && overlays())) {
            return columns;
        }
        int[] all = Arrays.copyOf(columns, columns.length + defaults.length);
        int count = columns.length;
        for (int ordinal : layout.defaulted()) {
            if (!names(ordinal)) {
                all[count++] = ordinal;
            }
        }
        return count == all.length ? all : Arrays.copyOf(all, count);
    }

    private boolean overlays() {
        return kind == RowWrite.Kind.UPSERT || kind == RowWrite.Kind.UPDATE;
    }

    private @Nullable Object[] fresh(Layout layout) {
        @Nullable Object[] row = new Object[layout.schema().columns().size()];
        int[] keyOrdinals = layout.keyOrdinals();
        for (int i = 0; i < keyOrdinals.length; i++) {
            row[keyOrdinals[i]] = key.get(i);
        }
        int[] defaulted = layout.defaulted();
        for (int i = 0; i < defaults.length; i++) {
            row[defaulted[i]] = defaults[i];
        }
        return row;
    }

    private boolean names(int ordinal) {
        for (int column : columns) {
            if (column == ordinal) {
                return true;
            }
        }
        return false;
    }
}
