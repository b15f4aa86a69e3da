package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table: columns, shards, rows, locks, sequences and the feeds on it. The database's lock guards it. */
final class StoredTable {
    /** Names the object in errors and tells tables apart that had one path at different times. */
    final VirtualTimestamp created;

    final long createdAtMillis;
    final RowStore rows;
    final LockTable locks;
    final Map<String, Changefeed> feeds = new LinkedHashMap<>();
    final Map<String, String> attributes;
    private final Map<String, Long> sequences = new LinkedHashMap<>();
    private List<Shard> shards;
    private Layout layout;
    private TableSpec.Partitioning partitioning;
    private Declarations declarations;
    private long modifiedAtMillis;

    StoredTable(Layout layout, TableSpec spec, List<Shard> shards, Commit created) {
        this.layout = layout;
        this.partitioning = spec.partitioning();
        this.declarations = spec.declarations();
        this.attributes = spec.attributes();
        this.shards = List.copyOf(shards);
        this.created = created.timestamp();
        this.createdAtMillis = created.wallMillis();
        this.modifiedAtMillis = created.wallMillis();
        this.rows = new RowStore(layout.schema());
        this.locks = new LockTable(rows);
    }

    Layout layout() {
        return layout;
    }

    TableSchema schema() {
        return layout.schema();
    }

    String path() {
        return layout.schema().path();
    }

    void setLayout(Layout changed) {
        layout = changed;
    }

    TableSpec.Partitioning partitioning() {
        return partitioning;
    }

    void setPartitioning(TableSpec.Partitioning changed) {
        partitioning = changed;
    }

    Declarations declarations() {
        return declarations;
    }

    void setDeclarations(Declarations changed) {
        declarations = changed;
    }

    long modifiedAtMillis() {
        return modifiedAtMillis;
    }

    void modified(long wallMillis) {
        modifiedAtMillis = wallMillis;
    }

    List<Shard> shards() {
        return shards;
    }

    void setShards(List<Shard> changed) {
        shards = List.copyOf(changed);
    }

    /** The shard that holds a key. */
    Shard shardOf(List<@Nullable Object> key) {
        return shards.get(shardIndexOf(key));
    }

    int shardIndexOf(List<@Nullable Object> key) {
        int low = 0;
        int high = shards.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            List<@Nullable Object> from = shards.get(middle).from();
            if (from == null || rows.compare(from, key) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** First key behind a shard, null for the last one. */
    @Nullable
    List<@Nullable Object> endOf(Shard shard) {
        int index = shards.indexOf(shard);
        return index + 1 < shards.size() ? shards.get(index + 1).from() : null;
    }

    /** The next number of a Serial column. */
    long nextOf(String column, Sequence numbers) {
        return sequences.merge(column, numbers.start(), (last, start) -> last + numbers.increment());
    }

    List<Long> shardRows() {
        long[] counts = new long[shards.size()];
        for (List<@Nullable Object> key : rows.liveKeys()) {
            counts[shardIndexOf(key)]++;
        }
        List<Long> result = new ArrayList<>(counts.length);
        for (long count : counts) {
            result.add(count);
        }
        return result;
    }

    TableDescription describe() {
        return new TableDescription(
                schema(),
                partitioning,
                declarations,
                attributes,
                shards,
                shardRows(),
                feeds.values().stream().map(Changefeed::describe).toList(),
                created,
                createdAtMillis,
                modifiedAtMillis);
    }
}
