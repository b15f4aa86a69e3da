package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Scheme;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.time.VirtualClock;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.TopicRegistry;
import io.aardappel.emulator.model.topic.TopicSpec;
import io.aardappel.emulator.model.value.ValueDomain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One database: its path tree, tables, transactions and virtual time. Thread-safe: one lock guards all of it, the
 * changefeeds too; no call waits for anything else.
 */
public final class Database implements Scheme {
    /** Tablet ids of shards rise from here, as in YDB. */
    private static final long FIRST_TABLET = 72_075_186_224_037_888L;

    private final ReentrantLock lock = new ReentrantLock();
    private final String path;
    private final VirtualClock clock;
    private final TopicRegistry topics;
    private final PathTree tree;
    private final FeedHost feeds;
    private final Map<String, StoredTable> tables = new LinkedHashMap<>();
    private final Snapshots snapshots = new Snapshots();
    private final Set<TableTransaction> running = new HashSet<>();
    private final List<CommitListener> listeners = new ArrayList<>();
    private Limits limits;
    private long version;
    private long nextTablet = FIRST_TABLET;
    private long nextTransaction = 1;

    /**
     * A new database without objects.
     *
     * @param path absolute path of the database, such as {@code /local}
     * @param clock from now on used by this database alone, under its lock
     */
    public Database(String path, VirtualClock clock, Limits limits, TopicRegistry topics, Changefeeds changefeeds) {
        this.path = path;
        this.clock = clock;
        this.limits = limits;
        this.topics = topics;
        this.tree = new PathTree(path, limits, clock.last());
        this.feeds = new FeedHost(tree, clock, topics, changefeeds);
    }

    /** Absolute path of the database. */
    public String path() {
        return path;
    }

    // ---- transactions

    public Transaction begin(Transaction.Mode mode) {
        return begin(mode, null);
    }

    /**
     * Begins a transaction.
     *
     * @param user who runs it, for changefeeds that show users; null when it is not known
     */
    public Transaction begin(Transaction.Mode mode, @Nullable String user) {
        return locked(() -> {
            String id = "01emulator" + String.format("%016x", nextTransaction++);
            TableTransaction transaction = new TableTransaction(this, id, mode, user);
            running.add(transaction);
            return transaction;
        });
    }

    /** Transactions that have neither committed nor rolled back. */
    public int runningTransactions() {
        return locked(running::size);
    }

    /** Writes rows without a transaction: each shard takes its part for itself. All rows are checked before the first is written. */
    public void bulkUpsert(String table, List<RowWrite> rows, @Nullable String user) {
        locked(() -> {
            StoredTable target = table(table);
            target.requireRoom();
            Map<Shard, List<PendingWrite>> parts = new LinkedHashMap<>();
            for (RowWrite row : rows) {
                PendingWrite write = WriteCheck.admit(target, row, limits);
                parts.computeIfAbsent(target.shardOf(write.key()), shard -> new ArrayList<>())
                        .add(write);
            }
            parts.forEach((shard, writes) -> {
                Commit commit = nextCommit(clock.immediate(), user);
                List<RowChange> changes = new ArrayList<>(writes.size());
                writes.forEach(write -> target.apply(write, commit, null, snapshots, changes));
                publish(commit, Map.of(target, changes), changes);
            });
            return true;
        });
    }

    // ---- scheme

    @Override
    public void createTable(TableSpec spec, boolean ifNotExists) {
        locked(() -> {
            SchemeEntry there = tree.find(spec.path());
            if (ifNotExists && there != null && there.kind() == SchemeEntry.Kind.TABLE) {
                return false;
            }
            tree.checkFree(spec.path(), false);
            TableSchema schema = TablePlan.schemaOf(spec, limits);
            List<@Nullable List<@Nullable Object>> borders = TablePlan.borders(schema, spec.partitioning());
            spec.declarations().check(schema);
            feeds.check(schema, Set.of(), spec.changefeeds());
            Commit commit = nextCommit(clock.planned(), null);
            List<Shard> shards = new ArrayList<>();
            borders.forEach(from -> shards.add(new Shard(nextTablet++, from)));
            StoredTable table = new StoredTable(Layout.first(schema), spec, shards, commit);
            tree.add(spec.path(), SchemeEntry.Kind.TABLE, commit.timestamp());
            tables.put(spec.path(), table);
            spec.changefeeds().forEach(feed -> feeds.open(table, feed, commit));
            return true;
        });
    }

    @Override
    public void alterTable(String table, List<TableSpec.Change> changes) {
        locked(() -> {
            alter(table(table), changes);
            return true;
        });
    }

    @Override
    public void dropTable(String table, boolean ifExists) {
        locked(() -> {
            if (ifExists && tree.find(table) == null) {
                return false;
            }
            StoredTable dropped = table(table);
            List.copyOf(dropped.feeds.keySet()).forEach(feed -> feeds.drop(dropped, feed));
            tree.remove(table);
            tables.remove(table);
            return true;
        });
    }

    /** Makes a table of the same columns, shards and rows, all as of one moment. Changefeeds are not copied. */
    public void copyTable(String source, String destination) {
        locked(() -> {
            StoredTable original = table(source);
            tree.checkFree(destination, false);
            Commit commit = nextCommit(clock.planned(), null);
            List<Shard> shards = new ArrayList<>();
            original.shards().forEach(shard -> shards.add(new Shard(nextTablet++, shard.from())));
            tables.put(destination, original.copy(destination, shards, commit));
            tree.add(destination, SchemeEntry.Kind.TABLE, commit.timestamp());
            return true;
        });
    }

    /**
     * Moves a table; PRECONDITION_FAILED when it has changefeeds.
     *
     * @param replace whether a table that stands at the destination is dropped
     */
    public void renameTable(String source, String destination, boolean replace) {
        locked(() -> {
            StoredTable moved = table(source);
            if (!moved.feeds.isEmpty()) {
                throw new YdbException(Status.PRECONDITION_FAILED, "Cannot move table with cdc streams: " + source);
            }
            if (replace && !source.equals(destination)) {
                dropTable(destination, true);
            }
            tree.checkFree(destination, false);
            Commit commit = nextCommit(clock.planned(), null);
            tree.remove(source);
            tables.remove(source);
            moved.moveTo(destination, commit, snapshots.retainsHistory());
            tables.put(destination, moved);
            tree.add(destination, SchemeEntry.Kind.TABLE, commit.timestamp());
            return true;
        });
    }

    @Override
    public void createTopic(TopicSpec topic, boolean ifNotExists) {
        locked(() -> {
            SchemeEntry there = tree.find(topic.path());
            if (ifNotExists && there != null && there.kind() == SchemeEntry.Kind.TOPIC) {
                return false;
            }
            tree.checkFree(topic.path(), false);
            VirtualTimestamp created = clock.planned();
            topics.create(topic, created);
            tree.add(topic.path(), SchemeEntry.Kind.TOPIC, created);
            return true;
        });
    }

    @Override
    public void alterTopic(String topic, List<TopicSpec.Change> changes) {
        locked(() -> {
            tree.require(topic, SchemeEntry.Kind.TOPIC);
            topics.alter(topic, changes);
            return true;
        });
    }

    @Override
    public void dropTopic(String topic, boolean ifExists) {
        locked(() -> {
            if (ifExists && tree.find(topic) == null) {
                return false;
            }
            tree.require(topic, SchemeEntry.Kind.TOPIC);
            if (tables.containsKey(parentOf(topic))) {
                throw new YdbException(
                        Status.SCHEME_ERROR,
                        Issue.of(Issue.SCHEME, "Topic belongs to a changefeed, drop the changefeed instead: " + topic));
            }
            topics.drop(topic);
            tree.remove(topic);
            return true;
        });
    }

    @Override
    public void makeDirectory(String directory) {
        locked(() -> {
            SchemeEntry there = tree.find(directory);
            if (there != null
                    && (there.kind() == SchemeEntry.Kind.DIRECTORY || there.kind() == SchemeEntry.Kind.DATABASE)) {
                return false;
            }
            tree.checkFree(directory, false);
            tree.add(directory, SchemeEntry.Kind.DIRECTORY, clock.planned());
            return true;
        });
    }

    @Override
    public void removeDirectory(String directory) {
        locked(() -> {
            tree.require(directory, SchemeEntry.Kind.DIRECTORY);
            if (!tree.children(directory).isEmpty()) {
                throw new YdbException(
                        Status.SCHEME_ERROR, Issue.of(Issue.SCHEME, "Directory is not empty: " + directory));
            }
            tree.remove(directory);
            return true;
        });
    }

    /** What stands at a path; SCHEME_ERROR when there is nothing. */
    public SchemeEntry describePath(String wanted) {
        return locked(() -> tree.require(wanted));
    }

    /** The children of a directory or table by name; SCHEME_ERROR when there is nothing at the path. */
    public List<SchemeEntry> list(String directory) {
        return locked(() -> {
            tree.require(directory);
            return tree.children(directory);
        });
    }

    /** SCHEME_ERROR when the path is not a table. */
    public TableDescription describeTable(String table) {
        return locked(() -> table(table).describe());
    }

    // ---- shards

    /**
     * Cuts the shard that holds a key in two, the second beginning with it. OVERLOADED while a changefeed of the table scans.
     *
     * @return false when a shard begins there already
     */
    public boolean splitShard(String table, List<@Nullable Object> at) {
        return locked(() -> {
            StoredTable target = table(table);
            FeedHost.requireNoScan(target);
            Shard parent = target.shardOf(at);
            List<@Nullable Object> from = parent.from();
            if (from != null && target.rows.compare(from, at) == 0) {
                return false;
            }
            Shard left = new Shard(nextTablet++, from);
            Shard right = new Shard(nextTablet++, List.copyOf(at));
            reshard(target, List.of(parent), List.of(left, right));
            return true;
        });
    }

    /**
     * Joins the shard of that number, counted from 0 in key order, with the next one. OVERLOADED while a changefeed of the
     * table scans.
     */
    public void mergeShards(String table, int first) {
        locked(() -> {
            StoredTable target = table(table);
            FeedHost.requireNoScan(target);
            if (first < 0 || first + 1 >= target.shards().size()) {
                throw new YdbException(
                        Status.BAD_REQUEST,
                        "Table " + table + " has " + target.shards().size() + " shards, there is none behind number "
                                + first);
            }
            List<Shard> removed = List.copyOf(target.shards().subList(first, first + 2));
            reshard(
                    target,
                    removed,
                    List.of(new Shard(nextTablet++, removed.get(0).from())));
            return true;
        });
    }

    // ---- time, limits, listeners

    /** Lets changefeeds do what waits: scans, delayed records, barriers. Answers how much was done, 0 for nothing. */
    public int tick() {
        return locked(() -> {
            long now = clock.wallMillis();
            int done = 0;
            for (StoredTable table : tables.values()) {
                for (Changefeed feed : table.feeds.values()) {
                    done += feed.tick(now);
                }
            }
            return done;
        });
    }

    /** The virtual time of the latest commit, at least the wall clock. */
    public VirtualTimestamp now() {
        return locked(() -> {
            clock.now();
            return clock.last();
        });
    }

    /** The wall clock with all jumps, in milliseconds since the epoch: it stamps what changefeeds write. */
    public long wallMillis() {
        return locked(clock::wallMillis);
    }

    /** A position above every commit until now and below every commit from now on. */
    public VirtualTimestamp plannedNow() {
        return locked(clock::planned);
    }

    /** Makes the virtual clock jump; back means that it stands still for that long. */
    public void jumpClock(long millis) {
        locked(() -> {
            clock.jump(millis);
            return true;
        });
    }

    /** Steps become multiples of this many milliseconds, so that more immediate writes share a timestamp. */
    public void setClockResolution(long millis) {
        locked(() -> {
            clock.setResolution(millis);
            return true;
        });
    }

    public Limits limits() {
        return locked(() -> limits);
    }

    /** Holds for writes and schema changes from now on; path limits stay as they were at the start. */
    public void setLimits(Limits changed) {
        locked(() -> {
            limits = changed;
            return true;
        });
    }

    /** Runs something while nothing commits and no schema changes. It must not wait for anything. */
    public void standingStill(Runnable action) {
        locked(() -> {
            action.run();
            return true;
        });
    }

    public void addListener(CommitListener listener) {
        locked(() -> listeners.add(listener));
    }

    /** Keys of a table that are kept in memory, those of removed rows that somebody may still read too. */
    public int storedKeys(String table) {
        return locked(() -> table(table).rows.size());
    }

    // ---- history

    /** From now on all row versions and schemas are kept, for {@link #tableBelow}. They are never dropped again. */
    public void retainHistory() {
        locked(() -> {
            snapshots.retainHistory();
            return true;
        });
    }

    /**
     * A table as all commits and schema changes below a timestamp left it. Needs {@link #retainHistory} from before the first
     * write or schema change that matters, else throws {@link IllegalStateException} or answers what is still known.
     * SCHEME_ERROR when the path is not a table now; what a table of the same name held before it is not found.
     *
     * @param bound when it is not above the table's creation, there are no rows and the columns are the first ones
     */
    public PastTable tableBelow(String table, VirtualTimestamp bound) {
        return locked(() -> {
            if (!snapshots.retainsHistory()) {
                throw new IllegalStateException("call retainHistory() before reading the past of " + table);
            }
            return History.below(table(table), bound);
        });
    }

    /** The rows of {@link #tableBelow}. */
    public Map<List<@Nullable Object>, List<@Nullable Object>> rowsBelow(String table, VirtualTimestamp bound) {
        return tableBelow(table, bound).rows();
    }

    // ---- for transactions, under the lock

    <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    /** SCHEME_ERROR when the path is not a table. */
    StoredTable table(String wanted) {
        StoredTable table = tables.get(wanted);
        if (table == null) {
            throw new YdbException(
                    Status.SCHEME_ERROR,
                    Issue.of(
                            Issue.SCHEME,
                            "Cannot find table '" + wanted
                                    + "' because it does not exist or you do not have access permissions."));
        }
        return table;
    }

    boolean holds(StoredTable table) {
        return tables.get(table.path()) == table;
    }

    long openSnapshot() {
        snapshots.open(version);
        return version;
    }

    void closeSnapshot(long opened) {
        snapshots.close(opened, version);
    }

    VirtualTimestamp snapshotTimestamp() {
        return clock.last();
    }

    void ended(TableTransaction transaction) {
        running.remove(transaction);
    }

    long sizeOf(PendingWrite write) {
        long size = 0;
        for (Object value : write.key()) {
            size += ValueDomain.size(value);
        }
        for (Object value : write.values()) {
            size += ValueDomain.size(value);
        }
        return size;
    }

    /** Applies a transaction that writes, or throws and changes nothing. */
    VirtualTimestamp commit(TableTransaction transaction) {
        transaction.checkCommit();
        transaction.participants().forEach(Transaction.Participant::check);
        VirtualTimestamp timestamp = spansShards(transaction) ? clock.planned() : clock.immediate();
        Commit commit = nextCommit(timestamp, transaction.user());
        Map<StoredTable, List<RowChange>> byTable = new LinkedHashMap<>();
        List<RowChange> all = new ArrayList<>(transaction.queue().size());
        for (TableTransaction.Queued queued : transaction.queue()) {
            int before = all.size();
            queued.target().table.apply(queued.write(), commit, transaction, snapshots, all);
            List<RowChange> added = all.subList(before, all.size());
            if (!added.isEmpty()) {
                byTable.computeIfAbsent(queued.target().table, table -> new ArrayList<>())
                        .addAll(added);
            }
        }
        publish(commit, byTable, all);
        transaction.participants().forEach(participant -> participant.apply(timestamp));
        return timestamp;
    }

    private boolean spansShards(TableTransaction transaction) {
        if (!transaction.participants().isEmpty()) {
            return true;
        }
        Shard only = null;
        for (TableTransaction.Queued queued : transaction.queue()) {
            Shard shard = queued.target().table.shardOf(queued.write().key());
            if (only != null && only.tabletId() != shard.tabletId()) {
                return true;
            }
            only = shard;
        }
        return false;
    }

    private Commit nextCommit(VirtualTimestamp timestamp, @Nullable String user) {
        return new Commit(timestamp, ++version, clock.wallMillis(), user);
    }

    private void publish(Commit commit, Map<StoredTable, List<RowChange>> byTable, List<RowChange> all) {
        byTable.forEach((table, changes) -> {
            table.modified(commit.wallMillis());
            table.feeds.values().forEach(feed -> feed.committed(commit, changes));
        });
        listeners.forEach(listener -> listener.committed(commit, all));
    }

    private void alter(StoredTable table, List<TableSpec.Change> changes) {
        TableAlteration plan = TableAlteration.of(table, changes, limits);
        Set<String> staying = new HashSet<>(table.feeds.keySet());
        staying.removeAll(plan.feedsRemoved());
        feeds.check(plan.layout().schema(), staying, plan.feedsAdded());
        Commit commit = nextCommit(clock.planned(), null);
        plan.feedsRemoved().forEach(feed -> feeds.drop(table, feed));
        table.alter(plan, commit, snapshots.retainsHistory());
        plan.feedsAdded().forEach(feed -> feeds.open(table, feed, commit));
    }

    private void reshard(StoredTable table, List<Shard> removed, List<Shard> added) {
        List<Shard> shards = new ArrayList<>(table.shards());
        int at = shards.indexOf(removed.get(0));
        shards.removeAll(removed);
        shards.addAll(at, added);
        table.setShards(shards, removed, added);
    }

    private static String parentOf(String child) {
        return child.substring(0, child.lastIndexOf('/'));
    }
}
