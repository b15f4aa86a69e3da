package io.aardappel.replicator.core;

import org.jspecify.annotations.Nullable;

/**
 * Values of non-key columns, each with the ordinal of its column in the destination table, ordinals rising. A null
 * value is NULL. The core never looks into a value. Immutable: the arrays given must not be changed afterwards.
 */
public record Columns(int[] ordinals, @Nullable Object[] values) {
    public static final Columns NONE = new Columns(new int[0], new @Nullable Object[0]);
}
