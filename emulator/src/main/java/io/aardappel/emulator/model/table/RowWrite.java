package io.aardappel.emulator.model.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row as a statement writes it. Changefeeds tell the kinds apart, so a statement must use its own.
 *
 * @param key values of all key columns in key order
 * @param columns ordinals of the non-key columns that the statement names, empty for DELETE
 * @param values their values, in the same order
 */
public record RowWrite(
        Kind kind,
        List<@Nullable Object> key,
        int[] columns,
        @Nullable Object[] values) {
    /** What a write does to a row that is there, and to one that is not. */
    public enum Kind {
        /** Refused with PRECONDITION_FAILED when the key is there. */
        INSERT,
        /** Overlays the named columns; a new row gets defaults or null for the others. */
        UPSERT,
        /** The row becomes exactly this; columns not named get their default or null. */
        REPLACE,
        /** Overlays the named columns of a row that is there; does nothing otherwise. */
        UPDATE,
        /** Removes the row; of a missing row an erase record is written all the same. */
        DELETE
    }
}
