package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.List;
import java.util.Map;

/**
 * A table at one moment.
 *
 * @param partitioning as last set by CREATE or ALTER TABLE
 * @param shards as they are now, in key order
 * @param shardRows number of rows of each shard
 * @param createdAtMillis wall clock, milliseconds since the epoch
 */
public record TableDescription(
        TableSchema schema,
        TableSpec.Partitioning partitioning,
        Declarations declarations,
        Map<String, String> attributes,
        List<Shard> shards,
        List<Long> shardRows,
        List<Changefeed.Description> changefeeds,
        VirtualTimestamp created,
        long createdAtMillis,
        long modifiedAtMillis) {
    /** Number of rows of the whole table. */
    public long rows() {
        return shardRows.stream().mapToLong(Long::longValue).sum();
    }
}
