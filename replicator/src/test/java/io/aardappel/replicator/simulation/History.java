package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Every change that the source ever made, so that it can be said what its tables were at any position; and the late records
 * that were applied, which count from the moment that this was done.
 */
final class History {
    static final int COLUMNS = 4;

    private record Historic(Position position, int stream, Change change) {}

    /**
     * A late record that was applied in a scan.
     *
     * @param partition of its stream, and its offset there
     * @param arrival how many changes of its key were sent before it
     * @param certain false when it may not have been applied
     */
    record InScan(PartitionId partition, long offset, Change change, int arrival, boolean certain) {
        int stream() {
            return partition.stream();
        }
    }

    private final int[] tableOf;
    private final List<Historic> history = new ArrayList<>();
    private final List<Map<Key, @Nullable Object[]>> replayed = new ArrayList<>();
    private final List<InScan> uncertain = new ArrayList<>();
    /** Rows of which it is not known when a late record is applied again, by table. */
    private final Map<Integer, Set<Key>> unknown = new TreeMap<>();

    /** Rows that are believed at the next checkpoint, by table. */
    private final Map<Integer, Set<Key>> doubted = new TreeMap<>();

    private int replayedChanges;
    /** Names of rows whose changes are passed over. */
    private Set<String> leftOut = Set.of();

    /** @param tableOf number of the table that each stream writes */
    History(int... tableOf) {
        this.tableOf = tableOf;
        for (int table = 0; table <= Arrays.stream(tableOf).max().orElse(0); table++) {
            replayed.add(table());
        }
    }

    static Map<Key, @Nullable Object[]> table() {
        return new TreeMap<>(Comparator.comparingInt(History::number));
    }

    static int number(Key key) {
        return key.part(0) instanceof Integer number ? number : 0;
    }

    int tableOf(int stream) {
        return tableOf[stream];
    }

    /** Positions never fall. */
    void add(int stream, Change change) {
        history.add(new Historic(change.position(), stream, change));
    }

    /**
     * A late record was applied in stage RUN. One above the checkpoint is as good as in time; another counts from now on.
     */
    void applied(int stream, Change change, Position checkpoint) {
        if (change.position().isBefore(checkpoint)) {
            apply(asOf(checkpoint).get(tableOf[stream]), change.operation(), change.key(), change.columns());
            return;
        }
        int place = replayedChanges;
        while (place < history.size()
                && !change.position().isBefore(history.get(place).position())) {
            place++;
        }
        history.add(place, new Historic(change.position(), stream, change));
    }

    /** How many changes a position has that were not left out. */
    int at(Position position) {
        return (int)
                history.stream().filter(one -> one.position().equals(position)).count();
    }

    /** Changes of these rows are left out from the position on that was asked for last. */
    void leaveOut(Set<String> rows) {
        leftOut = rows;
    }

    /**
     * A change is left out for good.
     *
     * @param perhapsApplied whether it may have been applied before: together with a later one of its row, which hid it
     */
    void leftOut(int stream, Change change, boolean perhapsApplied) {
        boolean removed = history.subList(replayedChanges, history.size())
                .removeIf(one -> one.stream() == stream && one.change().equals(change));
        if (perhapsApplied || !removed) {
            doubt(stream, change.key());
        }
    }

    /** All changes of a position are, but for some. */
    void leftOut(Position position, List<StreamRecord> but) {
        Predicate<Historic> leftOut = one -> one.position().equals(position) && !but.contains(one.change());
        history.subList(0, replayedChanges).stream()
                .filter(leftOut)
                .forEach(one -> doubt(one.stream(), one.change().key()));
        history.subList(replayedChanges, history.size()).removeIf(leftOut);
    }

    /**
     * What the row is depends on where reading begins again: a change of it was applied and is now left out where it is read
     * again, or the other way round. Whatever it is at the next checkpoint is believed, that once.
     */
    void doubt(int stream, Key key) {
        doubted.computeIfAbsent(tableOf[stream], none -> new HashSet<>()).add(key);
    }

    private boolean isDoubted(int table, Key key) {
        return doubted.getOrDefault(table, Set.of()).contains(key);
    }

    /** Takes rows that are doubted for what they are. The tables must have been asked for as of the checkpoint. */
    void believe(int table, Map<Key, @Nullable Object[]> found) {
        Set<Key> keys = doubted.remove(table);
        if (keys != null) {
            keys.forEach(key -> believe(table, key, found.get(key)));
        }
    }

    private void believe(int table, Key key, @Nullable Object @Nullable [] row) {
        if (row == null) {
            replayed.get(table).remove(key);
        } else {
            replayed.get(table).put(key, row.clone());
        }
    }

    /** The same during a scan: whether in the order of positions or of arrival, shows at the first checkpoint. */
    void appliedInScan(InScan late) {
        uncertain.add(late);
    }

    /** The tables with all changes below the position. Positions asked for must not fall. */
    List<Map<Key, @Nullable Object[]>> asOf(Position position) {
        int end = replayedChanges;
        while (end < history.size() && history.get(end).position().isBefore(position)) {
            end++;
        }
        if (end > replayedChanges) {
            replayTo(end);
        }
        return replayed;
    }

    private void replayTo(int end) {
        // changes of one position are ordered by topic, as they must be when two streams write one table
        List<Historic> next = new ArrayList<>(history.subList(replayedChanges, end));
        next.sort(Comparator.comparing(Historic::position).thenComparing(Historic::stream));
        replayedChanges = end;
        for (Historic one : next) {
            Change change = one.change();
            if (leftOut.contains(LeftOutKeys.name(one.stream(), change))) {
                continue;
            }
            apply(replayed.get(tableOf[one.stream()]), change.operation(), change.key(), change.columns());
        }
    }

    /**
     * At the first checkpoint: rows of late records may be any that an order between position and arrival makes of them. One that
     * was applied by a process before, and need not have been read again for this checkpoint, is applied again some time later.
     *
     * @param isMember whether the checkpoint stands for a stream
     * @param isRead whether a record must have been read for the checkpoint
     */
    void settle(
            Position checkpoint,
            List<Map<Key, @Nullable Object[]>> found,
            IntPredicate isMember,
            Predicate<InScan> isRead) {
        asOf(checkpoint);
        for (InScan late : uncertain) {
            int table = tableOf[late.stream()];
            Key key = late.change().key();
            if (late.certain() && !isRead.test(late)) {
                unknown.computeIfAbsent(table, none -> new HashSet<>()).add(key);
                continue;
            }
            @Nullable Object[] row = found.get(table).get(key);
            if (isDoubted(table, key) || mayBe(late, checkpoint, row)) {
                believe(table, key, row);
            } else if (late.certain() && isMember.test(late.stream())) {
                throw new Violation("I7: row %s of table%d is %s, in which %s is not applied"
                        .formatted(key, table, Arrays.toString(row), late.change()));
            }
        }
        uncertain.clear();
    }

    boolean knowsAll() {
        return unknown.isEmpty();
    }

    boolean isKnown(int table, Key key) {
        return !unknown.getOrDefault(table, Set.of()).contains(key);
    }

    private boolean mayBe(InScan late, Position checkpoint, @Nullable Object @Nullable [] found) {
        Key key = late.change().key();
        List<Change> changes = history.stream()
                .filter(one ->
                        one.stream() == late.stream() && one.change().key().equals(key))
                .filter(one -> one.position().isBefore(checkpoint))
                .map(Historic::change)
                .toList();
        int byPosition = (int) changes.stream()
                .filter(change -> change.position().isBefore(late.change().position()))
                .count();
        int byArrival = Math.max(byPosition, Math.min(late.arrival(), changes.size()));
        for (int place = byPosition; place <= byArrival; place++) {
            Map<Key, @Nullable Object[]> row = table();
            List<Change> order = new ArrayList<>(changes);
            order.add(place, late.change());
            order.forEach(change -> apply(row, change.operation(), change.key(), change.columns()));
            if (Arrays.equals(row.get(key), found)) {
                return true;
            }
        }
        return false;
    }

    /** What a change does to a table, said as plainly as possible. */
    static void apply(Map<Key, @Nullable Object[]> table, Operation operation, Key key, Columns columns) {
        if (operation == Operation.ERASE) {
            table.remove(key);
            return;
        }
        @Nullable Object[] old = operation == Operation.UPDATE ? table.get(key) : null;
        @Nullable Object[] row = old == null ? new @Nullable Object[COLUMNS] : old.clone();
        for (int i = 0; i < columns.ordinals().length; i++) {
            row[columns.ordinals()[i]] = columns.values()[i];
        }
        table.put(key, row);
    }
}
