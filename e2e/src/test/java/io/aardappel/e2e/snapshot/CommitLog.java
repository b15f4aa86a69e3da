package io.aardappel.e2e.snapshot;

import io.aardappel.emulator.model.table.Commit;
import io.aardappel.emulator.model.table.CommitListener;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.RowChange;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Every commit of the destination with the user who made it, as the emulator tells them: what a look at the tables cannot
 * show, such as a row written again with the values that it had. Thread-safe.
 */
final class CommitLog implements CommitListener {
    private static final String STATE_TABLE = Scene.DESTINATION + "/state";

    /** The lock as a commit left it. */
    record Lock(String owner, long deadlineMicros) {}

    /**
     * One commit.
     *
     * @param nanos when it was told, by {@link System#nanoTime}
     * @param lock absent where the commit did not touch the state row
     */
    record Entry(long nanos, VirtualTimestamp at, String user, Optional<Lock> lock) {}

    private final List<Entry> entries = new ArrayList<>();

    private CommitLog() {}

    /** From now on. */
    static CommitLog of(Database destination) {
        CommitLog log = new CommitLog();
        destination.addListener(log);
        return log;
    }

    @Override
    public synchronized void committed(Commit commit, List<RowChange> changes) {
        String user = commit.user() == null ? "" : commit.user();
        entries.add(new Entry(System.nanoTime(), commit.timestamp(), user, lock(changes)));
    }

    private static Optional<Lock> lock(List<RowChange> changes) {
        Optional<Lock> last = Optional.empty();
        for (RowChange change : changes) {
            @Nullable Object[] row = change.after();
            if (row != null && change.schema().path().equals(STATE_TABLE)) {
                Object owner = row[change.schema().indexOf("lock_owner")];
                Object deadline = row[change.schema().indexOf("lock_deadline")];
                if (owner instanceof String name && deadline instanceof Long micros) {
                    last = Optional.of(new Lock(name, micros));
                }
            }
        }
        return last;
    }

    synchronized List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Those from that moment on, by {@link System#nanoTime}. */
    List<Entry> since(long nanos) {
        return entries().stream().filter(entry -> entry.nanos() - nanos >= 0).toList();
    }

    /** The first version of the lock from that moment on that fits. */
    Optional<Entry> firstLock(long nanos, Predicate<Lock> fits) {
        return since(nanos).stream()
                .filter(entry -> entry.lock().filter(fits).isPresent())
                .findFirst();
    }

    /** The last version of the lock up to that moment. */
    Optional<Entry> lastLock(long nanos) {
        List<Entry> before = entries().stream()
                .filter(entry -> entry.nanos() - nanos <= 0 && entry.lock().isPresent())
                .toList();
        return before.isEmpty() ? Optional.empty() : Optional.of(before.get(before.size() - 1));
    }
}
