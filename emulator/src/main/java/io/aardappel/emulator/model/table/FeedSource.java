package io.aardappel.emulator.model.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table as its changefeeds see it. Only to be used under the database's lock. */
public interface FeedSource {
    /** A row as it stands now and the {@link Commit#version} that left it so. */
    record StoredRow(List<@Nullable Object> key, @Nullable Object[] row, long version) {}

    /**
     * Rows in key order.
     *
     * @param last key of the last row looked at, null when there was none
     * @param complete true when the shard has no row behind {@code last}
     */
    record Slice(List<StoredRow> rows, @Nullable List<@Nullable Object> last, boolean complete) {}

    /** Absolute path of the table. */
    String path();

    TableSchema schema();

    /** Shards in key order; at least one. */
    List<Shard> shards();

    /** The order of the table's keys and of bounds between them. */
    int compareKeys(List<@Nullable Object> a, List<@Nullable Object> b);

    /** The next rows of a shard behind a key, from its first row for null; looks at no more than {@code max}. */
    Slice rows(Shard shard, @Nullable List<@Nullable Object> after, int max);

    /** No commit to come gets a step below this. */
    long promisedStep();

    /** Wall clock of the database, in milliseconds since the epoch. */
    long wallMillis();
}
