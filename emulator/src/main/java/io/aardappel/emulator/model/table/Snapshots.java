package io.aardappel.emulator.model.table;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which past versions are still being read, and which row versions go when they no longer are. */
final class Snapshots {
    private record Garbage(RowStore rows, List<@Nullable Object> key, long version) {}

    private final TreeMap<Long, Integer> active = new TreeMap<>();
    private final ArrayDeque<Garbage> garbage = new ArrayDeque<>();
    private boolean retainHistory;

    void retainHistory() {
        retainHistory = true;
    }

    boolean retainsHistory() {
        return retainHistory;
    }

    void open(long version) {
        active.merge(version, 1, Integer::sum);
    }

    void close(long version, long latest) {
        active.computeIfPresent(version, (key, count) -> count == 1 ? null : count - 1);
        sweep(latest);
    }

    /** Whether a version overwritten now may still be read. */
    boolean keepOlder() {
        return retainHistory || !active.isEmpty();
    }

    /** Notes that a key keeps versions below this one. */
    void superseded(RowStore rows, List<@Nullable Object> key, long version) {
        if (!retainHistory) {
            garbage.add(new Garbage(rows, key, version));
        }
    }

    private void sweep(long latest) {
        Map.Entry<Long, Integer> first = active.firstEntry();
        long oldest = first == null ? latest : first.getKey();
        Garbage next = garbage.peek();
        while (next != null && next.version() <= oldest) {
            next.rows().trim(next.key(), oldest);
            garbage.remove();
            next = garbage.peek();
        }
    }
}
