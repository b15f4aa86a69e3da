package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
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
    private final Map<Long, Long> rowCounts = new HashMap<>();
    private List<Shard> shards;
    private Layout layout;
    /** By when they began: this layout, and while history is kept those before it. */
    private final NavigableMap<VirtualTimestamp, Layout> layouts = new TreeMap<>();

    private TableSpec.Partitioning partitioning;
    private Declarations declarations;
    private long modifiedAtMillis;

    StoredTable(Layout layout, TableSpec spec, List<Shard> shards, Commit created) {
        this(layout, spec.partitioning(), spec.declarations(), spec.attributes(), shards, created);
    }

    private StoredTable(
            Layout layout,
            TableSpec.Partitioning partitioning,
            Declarations declarations,
            Map<String, String> attributes,
            List<Shard> shards,
            Commit created) {
        this.layout = layout;
        this.layouts.put(created.timestamp(), layout);
        this.partitioning = partitioning;
        this.declarations = declarations;
        this.attributes = attributes;
        this.shards = List.copyOf(shards);
        this.created = created.timestamp();
        this.createdAtMillis = created.wallMillis();
        this.modifiedAtMillis = created.wallMillis();
        this.rows = new RowStore(layout.schema());
        this.locks = new LockTable(rows);
    }

    /** Another table with the rows of this one. */
    StoredTable copy(String path, List<Shard> others, Commit commit) {
        StoredTable copy = new StoredTable(layout.at(path, 1), partitioning, declarations, attributes, others, commit);
        copy.sequences.putAll(sequences);
        rows.range(null, null).forEach((key, chain) -> {
            if (chain.head.row != null) {
                copy.rows.put(key, null, chain.head.row, commit, false);
            }
        });
        others.forEach(shard -> copy.rowCounts.put(shard.tabletId(), copy.countRows(shard)));
        return copy;
    }

    /** Gets another path, and a schema version of its own, so that transactions which began before do not go on. */
    void moveTo(String path, Commit commit, boolean keepOlder) {
        change(layout.at(path, schema().version() + 1), commit, keepOlder);
        modifiedAtMillis = commit.wallMillis();
    }

    private void change(Layout changed, Commit commit, boolean keepOlder) {
        if (!keepOlder) {
            layouts.clear();
        }
        layouts.put(commit.timestamp(), changed);
        layout = changed;
    }

    Layout layout() {
        return layout;
    }

    /** The layout that all schema changes below the bound left; the oldest that is known when there was none. */
    Layout layoutBelow(VirtualTimestamp bound) {
        Map.Entry<VirtualTimestamp, Layout> then = layouts.lowerEntry(bound);
        return (then == null ? layouts.firstEntry() : then).getValue();
    }

    TableSchema schema() {
        return layout.schema();
    }

    String path() {
        return layout.schema().path();
    }

    TableSpec.Partitioning partitioning() {
        return partitioning;
    }

    Declarations declarations() {
        return declarations;
    }

    /**
     * Carries out what was computed; feeds are opened and dropped by {@link FeedHost}.
     *
     * @param keepOlder whether {@link #layoutBelow} is to know the layout of before
     */
    void alter(TableAlteration plan, Commit commit, boolean keepOlder) {
        modifiedAtMillis = commit.wallMillis();
        partitioning = plan.partitioning();
        declarations = plan.declarations();
        if (plan.layout().schema().version() != schema().version()) {
            change(plan.layout(), commit, keepOlder);
            feeds.values().forEach(feed -> feed.schemaChanged(schema(), commit));
        }
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

    /** Replaces shards by others over the same keys. */
    void setShards(List<Shard> changed, List<Shard> removed, List<Shard> added) {
        shards = List.copyOf(changed);
        removed.forEach(shard -> rowCounts.remove(shard.tabletId()));
        added.forEach(shard -> rowCounts.put(shard.tabletId(), countRows(shard)));
        feeds.values().forEach(feed -> feed.resharded(removed, added));
    }

    private long countRows(Shard shard) {
        return rows.range(shard.from(), endOf(shard)).values().stream()
                .filter(chain -> chain.head.row != null)
                .count();
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

    /** Refuses writes with OVERLOADED while a feed has too much to send. */
    void requireRoom() {
        for (Changefeed feed : feeds.values()) {
            if (feed.isFull()) {
                throw new YdbException(
                        Status.OVERLOADED,
                        "Change queue overflow of changefeed "
                                + feed.describe().spec().name() + " of table " + path());
            }
        }
    }

    /** Does one write of a commit and adds what it changed, if anything. */
    void apply(
            PendingWrite write,
            Commit commit,
            @Nullable TableTransaction writer,
            Snapshots snapshots,
            List<RowChange> changes) {
        RowStore.Chain chain = rows.chain(write.key());
        RowStore.Version head = chain == null ? null : chain.head;
        @Nullable Object @Nullable [] stored = head == null ? null : head.row;
        @Nullable Object @Nullable [] before = stored == null ? null : layout.read(stored);
        if (!write.takesEffectOn(before)) {
            return;
        }
        @Nullable Object @Nullable [] after = write.after(layout, before);
        Shard shard = shardOf(write.key());
        changes.add(new RowChange(
                schema(),
                shard,
                write.kind(),
                write.key(),
                write.written(layout, before),
                before,
                before == null || head == null ? 0 : head.commit.version(),
                after));
        int more = (after == null ? 0 : 1) - (before == null ? 0 : 1);
        if (more != 0) {
            rowCounts.merge(shard.tabletId(), (long) more, Long::sum);
        }
        if (rows.put(write.key(), chain, after == null ? null : layout.store(after), commit, snapshots.keepOlder())) {
            snapshots.superseded(rows, write.key(), commit.version());
        }
        locks.written(write.key(), writer, path());
    }

    TableDescription describe() {
        List<Long> counts = shards.stream()
                .map(shard -> rowCounts.getOrDefault(shard.tabletId(), 0L))
                .toList();
        return new TableDescription(
                schema(),
                partitioning,
                declarations,
                attributes,
                shards,
                counts,
                feeds.values().stream().map(Changefeed::describe).toList(),
                created,
                createdAtMillis,
                modifiedAtMillis);
    }
}
