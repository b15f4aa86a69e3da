package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A transaction of a {@link Database}; every field is guarded by the database's lock. */
final class TableTransaction implements Transaction {
    /** Rows are read in portions of this size, so that a long scan does not keep the database locked. */
    private static final int PORTION_FIRST = 16;

    private static final int PORTION_MAX = 1_024;

    /** What this transaction did to one table. */
    static final class Touched {
        final StoredTable table;
        final TableSchema schema;
        /** Own writes by key, in order for each key. */
        final TreeMap<List<@Nullable Object>, List<PendingWrite>> own;

        private final List<List<@Nullable Object>> lockedKeys = new ArrayList<>();
        private final List<LockTable.Range> lockedRanges = new ArrayList<>();

        Touched(StoredTable table) {
            this.table = table;
            this.schema = table.schema();
            this.own = new TreeMap<>(table.rows.order());
        }

        void unlock(TableTransaction owner) {
            lockedKeys.forEach(key -> table.locks.unlock(owner, key));
            lockedRanges.forEach(table.locks::unlock);
            lockedKeys.clear();
            lockedRanges.clear();
        }
    }

    /** A write with the table it goes to. */
    record Queued(Touched target, PendingWrite write) {}

    private record FoundRow(
            List<@Nullable Object> key, @Nullable Object[] row) {}

    private final Database database;
    private final String id;
    private final Mode mode;
    private final @Nullable String user;
    private final Map<String, Touched> touched = new LinkedHashMap<>();
    private final List<Queued> queue = new ArrayList<>();
    private final List<Participant> participants = new ArrayList<>();
    private long writtenBytes;
    private long snapshot = -1;
    private VirtualTimestamp snapshotTimestamp = VirtualTimestamp.ZERO;
    private @Nullable String brokenAt;
    private boolean finished;

    TableTransaction(Database database, String id, Mode mode, @Nullable String user) {
        this.database = database;
        this.id = id;
        this.mode = mode;
        this.user = user;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Mode mode() {
        return mode;
    }

    @Override
    public boolean finished() {
        return database.locked(() -> finished);
    }

    @Override
    public TableSchema schema(String path) {
        return step(() -> touch(database.table(path)).schema);
    }

    @Override
    public Declarations declarations(String path) {
        return step(() -> touch(database.table(path)).table.declarations());
    }

    @Override
    public @Nullable Object defaultOf(TableSchema table, int ordinal) {
        return this.<@Nullable Object>step(() -> WriteCheck.defaultOf(target(table).table, ordinal));
    }

    @Override
    @Nullable
    public Object @Nullable [] get(TableSchema table, List<@Nullable Object> key) {
        return this.<@Nullable Object @Nullable []>step(() -> {
            Touched target = target(table);
            openSnapshot();
            return readRow(target, key, true);
        });
    }

    @Override
    public void scan(TableSchema table, KeyRange range, boolean reverse, Predicate<@Nullable Object[]> consumer) {
        KeyBounds all = KeyBounds.of(range);
        LockTable.Range lock = step(() -> {
            openSnapshot();
            return rangeLock(target(table), all);
        });
        KeyBounds rest = all;
        for (int portion = PORTION_FIRST; ; portion = Math.min(portion * 2, PORTION_MAX)) {
            int size = portion;
            KeyBounds from = rest;
            List<FoundRow> found = step(() -> readPortion(target(table), from, reverse, size, lock));
            for (FoundRow row : found) {
                if (!consumer.test(row.row())) {
                    database.locked(() -> lock.readUpTo(reverse, from, row.key()));
                    return;
                }
            }
            if (found.size() < size) {
                return;
            }
            List<@Nullable Object> last = found.get(size - 1).key();
            rest = reverse ? new KeyBounds(rest.low(), last) : new KeyBounds(KeyBounds.behind(last), rest.high());
        }
    }

    @Override
    public boolean write(TableSchema table, RowWrite write) {
        return step(() -> {
            requireWritable();
            Touched target = target(table);
            if (readsFirst(write.kind())) {
                refuseBroken();
            }
            PendingWrite pending = WriteCheck.admit(target.table, write, database.limits());
            boolean found = checkPresence(target, pending);
            if (pending.kind() != RowWrite.Kind.UPDATE || found) {
                enqueue(target, pending);
            }
            return found;
        });
    }

    @Override
    public void enlist(Participant participant) {
        step(() -> {
            requireWritable();
            return participants.add(participant);
        });
    }

    @Override
    public VirtualTimestamp commit() {
        return step(() -> {
            VirtualTimestamp timestamp = writesNothing() ? readTimestamp() : database.commit(this);
            end();
            return timestamp;
        });
    }

    @Override
    public void rollback() {
        database.locked(() -> {
            abandon();
            return true;
        });
    }

    boolean writesNothing() {
        return queue.isEmpty() && participants.isEmpty();
    }

    List<Queued> queue() {
        return queue;
    }

    List<Participant> participants() {
        return participants;
    }

    @Nullable
    String user() {
        return user;
    }

    /** Somebody committed into what this transaction read. */
    void breakLock(@Nullable TableTransaction writer, String path) {
        if (writer != this && brokenAt == null) {
            brokenAt = path;
        }
    }

    /** What must hold at commit; throws ABORTED otherwise and changes nothing. */
    void checkCommit() {
        touched.values().forEach(this::requireSameSchema);
        refuseBroken();
        touched.values().stream().filter(target -> !target.own.isEmpty()).forEach(target -> target.table.requireRoom());
        if (mode == Mode.SNAPSHOT_READ_WRITE && snapshot >= 0) {
            for (Queued queued : queue) {
                RowStore.Chain chain =
                        queued.target().table.rows.chain(queued.write().key());
                if (chain != null && chain.head.commit.version() > snapshot) {
                    throw locksInvalidated(queued.target().table.path());
                }
            }
        }
    }

    private <T extends @Nullable Object> T step(Supplier<T> action) {
        return database.locked(() -> {
            if (finished) {
                throw new YdbException(
                        Status.NOT_FOUND, Issue.of(Issue.TRANSACTION_NOT_FOUND, "Transaction not found: " + id));
            }
            try {
                return action.get();
            } catch (RuntimeException failure) {
                abandon();
                throw failure;
            }
        });
    }

    private void abandon() {
        if (!finished) {
            end();
            participants.forEach(Participant::discard);
        }
    }

    private void end() {
        finished = true;
        touched.values().forEach(target -> target.unlock(this));
        touched.clear();
        queue.clear();
        if (snapshot >= 0) {
            database.closeSnapshot(snapshot);
        }
        database.ended(this);
    }

    private void requireWritable() {
        if (mode.readOnly()) {
            throw new YdbException(Status.GENERIC_ERROR, "Operation can't be performed in read only transaction");
        }
    }

    private Touched touch(StoredTable table) {
        Touched known = touched.get(table.path());
        if (known == null) {
            known = new Touched(table);
            touched.put(table.path(), known);
        }
        requireSameSchema(known);
        return known;
    }

    private Touched target(TableSchema schema) {
        Touched known = touched.get(schema.path());
        if (known == null || !known.schema.equals(schema)) {
            known = touch(database.table(schema.path()));
            if (!known.schema.equals(schema)) {
                throw schemaChanged(schema.path());
            }
        } else {
            requireSameSchema(known);
        }
        return known;
    }

    private void requireSameSchema(Touched target) {
        if (target.table.schema().version() != target.schema.version() || !database.holds(target.table)) {
            throw schemaChanged(target.schema.path());
        }
    }

    private static YdbException schemaChanged(String path) {
        return new YdbException(
                Status.ABORTED, Issue.of(Issue.SCHEME_MISMATCH, "Table scheme changed. Table: `" + path + "`"));
    }

    /** Blind writes are kept back until the commit, as YDB does, so only that may find a lock broken. */
    private static boolean readsFirst(RowWrite.Kind kind) {
        return kind == RowWrite.Kind.INSERT || kind == RowWrite.Kind.UPDATE;
    }

    private void refuseBroken() {
        String path = brokenAt;
        if (path != null) {
            throw locksInvalidated(path);
        }
    }

    private static YdbException locksInvalidated(String path) {
        return new YdbException(
                Status.ABORTED,
                Issue.of(Issue.LOCKS_INVALIDATED, "Transaction locks invalidated. Table: `" + path + "`"));
    }

    /** Modes without a snapshot of their own see the latest rows at each call. */
    private void openSnapshot() {
        boolean fresh = mode == Mode.ONLINE_READ_ONLY || mode == Mode.STALE_READ_ONLY;
        if (fresh && snapshot >= 0) {
            database.closeSnapshot(snapshot);
            snapshot = -1;
        }
        if (snapshot < 0) {
            snapshot = database.openSnapshot();
            snapshotTimestamp = database.snapshotTimestamp();
        }
    }

    private VirtualTimestamp readTimestamp() {
        return snapshot < 0 ? database.snapshotTimestamp() : snapshotTimestamp;
    }

    private boolean takesLocks() {
        return mode == Mode.SERIALIZABLE_READ_WRITE;
    }

    /** INSERT and UPDATE read the row and depend on it; the others only tell whether it was there. */
    private boolean checkPresence(Touched target, PendingWrite write) {
        return switch (write.kind()) {
            case UPSERT, REPLACE -> true;
            case INSERT -> {
                openSnapshot();
                if (readRow(target, write.key(), true) != null) {
                    throw duplicate(target.table.path());
                }
                yield true;
            }
            case UPDATE -> {
                openSnapshot();
                yield readRow(target, write.key(), true) != null;
            }
            case DELETE -> readRow(target, write.key(), false) != null;
        };
    }

    private static YdbException duplicate(String path) {
        return new YdbException(
                Status.PRECONDITION_FAILED,
                new Issue(
                        Issue.CONSTRAINT_VIOLATION,
                        "Constraint violated. Table: `" + path + "`.",
                        0,
                        0,
                        List.of(Issue.of(Issue.CONSTRAINT_VIOLATION, "Conflict with existing key."))));
    }

    private void enqueue(Touched target, PendingWrite write) {
        queue.add(new Queued(target, write));
        target.own.computeIfAbsent(write.key(), key -> new ArrayList<>(1)).add(write);
        writtenBytes += database.sizeOf(write);
        Limits limits = database.limits();
        if (writtenBytes > limits.transactionBytes() || queue.size() > limits.transactionRows()) {
            throw new YdbException(
                    Status.PRECONDITION_FAILED,
                    "Transaction writes " + queue.size() + " rows of " + writtenBytes + " bytes, more than "
                            + limits.transactionRows() + " rows or " + limits.transactionBytes() + " bytes");
        }
    }

    private @Nullable Object @Nullable [] readRow(Touched target, List<@Nullable Object> key, boolean lock) {
        RowStore.Chain chain = target.table.rows.chain(key);
        if (lock && takesLocks() && target.table.locks.lock(this, key)) {
            target.lockedKeys.add(key);
        }
        if (lock) {
            noticeNewer(target, chain);
        }
        List<PendingWrite> own = target.own.get(key);
        return overlay(target.table.layout(), visible(target, chain), own == null ? List.of() : own);
    }

    /** What the locks missed because the snapshot is older than they are. */
    private void noticeNewer(Touched target, RowStore.@Nullable Chain chain) {
        if (takesLocks() && chain != null && brokenAt == null && chain.head.commit.version() > snapshot) {
            brokenAt = target.table.path();
        }
    }

    private @Nullable Object @Nullable [] visible(Touched target, RowStore.@Nullable Chain chain) {
        if (chain == null) {
            return null;
        }
        RowStore.Version version = snapshot < 0 ? chain.head : chain.at(snapshot);
        return version == null || version.row == null
                ? null
                : target.table.layout().read(version.row);
    }

    private static @Nullable Object @Nullable [] overlay(
            Layout layout, @Nullable Object @Nullable [] row, List<PendingWrite> own) {
        @Nullable Object @Nullable [] seen = row;
        for (PendingWrite write : own) {
            seen = write.takesEffectOn(seen) ? write.after(layout, seen) : seen;
        }
        return seen;
    }

    /** The lock of a scan; it covers nothing before the first portion is read. */
    private LockTable.Range rangeLock(Touched target, KeyBounds bounds) {
        LockTable.Range range = new LockTable.Range(this, bounds.low(), bounds.high());
        if (takesLocks()) {
            target.table.locks.lock(range);
            target.lockedRanges.add(range);
        }
        return range;
    }

    private List<FoundRow> readPortion(
            Touched target, KeyBounds bounds, boolean reverse, int max, LockTable.Range lock) {
        NavigableMap<List<@Nullable Object>, RowStore.Chain> stored =
                target.table.rows.range(bounds.low(), bounds.high());
        NavigableMap<List<@Nullable Object>, List<PendingWrite>> own = part(target.own, bounds);
        List<FoundRow> found = new ArrayList<>(Math.min(max, 64));
        KeyMerge<RowStore.Chain, List<PendingWrite>> merge =
                new KeyMerge<>(reverse ? stored.descendingMap() : stored, reverse ? own.descendingMap() : own);
        while (found.size() < max && merge.advance()) {
            noticeNewer(target, merge.left());
            List<PendingWrite> writes = merge.right();
            @Nullable
            Object @Nullable [] row =
                    overlay(target.table.layout(), visible(target, merge.left()), writes == null ? List.of() : writes);
            if (row != null) {
                found.add(new FoundRow(merge.key(), row));
            }
        }
        lock.readUpTo(
                reverse, bounds, found.size() < max ? null : found.get(max - 1).key());
        return found;
    }

    private static <V> NavigableMap<List<@Nullable Object>, V> part(
            NavigableMap<List<@Nullable Object>, V> map, KeyBounds bounds) {
        NavigableMap<List<@Nullable Object>, V> part = map;
        List<@Nullable Object> low = bounds.low();
        List<@Nullable Object> high = bounds.high();
        if (map.isEmpty() || (low != null && high != null && map.comparator().compare(low, high) >= 0)) {
            return new TreeMap<>(map.comparator());
        }
        if (low != null) {
            part = part.tailMap(low, true);
        }
        return high == null ? part : part.headMap(high, false);
    }
}
