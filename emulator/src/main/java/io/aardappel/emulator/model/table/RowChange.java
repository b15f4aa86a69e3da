package io.aardappel.emulator.model.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one write of a committed transaction did to one row. Rows are by column ordinal of the schema and must not be
 * changed by whoever gets them.
 *
 * @param written ordinals of the non-key columns that the write set, with those it filled with defaults
 * @param before the row as the write found it, null when there was none
 * @param beforeVersion {@link Commit#version} of the commit that left {@code before}, 0 when there was none
 * @param after the row as the write left it, null when it was removed
 */
public record RowChange(
        TableSchema schema,
        Shard shard,
        RowWrite.Kind kind,
        List<@Nullable Object> key,
        int[] written,
        @Nullable Object @Nullable [] before,
        long beforeVersion,
        @Nullable Object @Nullable [] after) {}
