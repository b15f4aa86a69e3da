package io.aardappel.replicator.core;

import io.aardappel.replicator.core.StreamRecord.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Folds successive writes of one row into one with the same effect: an update overlays, an erase or a replace makes what
 * came before irrelevant, and an update after either is a replace, since nothing of the older row may shine through.
 */
final class RowFold {
    private RowFold() {}

    static RowWrite then(RowWrite first, RowWrite second) {
        if (second.operation() != Operation.UPDATE) {
            return second;
        }
        Operation operation = first.operation() == Operation.UPDATE ? Operation.UPDATE : Operation.REPLACE;
        Columns columns = overlay(first.columns(), second.columns());
        return new RowWrite(second.key(), operation, columns, second.source(), second.position());
    }

    /** The columns of both, the later winning. Both have rising ordinals, and so has the result. */
    static Columns overlay(Columns under, Columns over) {
        if (under.ordinals().length == 0 || sameOrdinals(under, over)) {
            return over;
        }
        int[] ordinals = new int[under.ordinals().length + over.ordinals().length];
        @Nullable Object[] values = new @Nullable Object[ordinals.length];
        int size = 0;
        int low = 0;
        int high = 0;
        while (low < under.ordinals().length || high < over.ordinals().length) {
            boolean takeOver = low == under.ordinals().length
                    || (high < over.ordinals().length && over.ordinals()[high] <= under.ordinals()[low]);
            Columns from = takeOver ? over : under;
            int at = takeOver ? high++ : low;
            if (takeOver && low < under.ordinals().length && under.ordinals()[low] == over.ordinals()[at]) {
                low++;
            }
            if (!takeOver) {
                low++;
            }
            ordinals[size] = from.ordinals()[at];
            values[size++] = from.values()[at];
        }
        return size == ordinals.length
                ? new Columns(ordinals, values)
                : new Columns(java.util.Arrays.copyOf(ordinals, size), java.util.Arrays.copyOf(values, size));
    }

    private static boolean sameOrdinals(Columns one, Columns other) {
        return java.util.Arrays.equals(one.ordinals(), other.ordinals());
    }
}
