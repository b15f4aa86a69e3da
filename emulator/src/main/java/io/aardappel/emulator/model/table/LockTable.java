package io.aardappel.emulator.model.table;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The optimistic locks that running transactions hold on keys and ranges of one table. The database's lock guards it. */
final class LockTable {
    /**
     * A locked range of keys from {@code low} (with it) to {@code high} (without it), null for open. It follows a scan:
     * empty at first, then as far as the scan has read.
     */
    static final class Range {
        final TableTransaction owner;

        @Nullable
        List<@Nullable Object> low;

        @Nullable
        List<@Nullable Object> high;

        private boolean empty = true;

        Range(TableTransaction owner, @Nullable List<@Nullable Object> low, @Nullable List<@Nullable Object> high) {
            this.owner = owner;
            this.low = low;
            this.high = high;
        }

        /** The scan has read up to a key, or to the end of its bounds for null. */
        boolean readUpTo(boolean reverse, KeyBounds bounds, @Nullable List<@Nullable Object> last) {
            if (reverse) {
                low = last == null ? bounds.low() : last;
            } else {
                high = last == null ? bounds.high() : KeyBounds.behind(last);
            }
            empty = false;
            return true;
        }
    }

    private final RowStore rows;
    private final TreeMap<List<@Nullable Object>, List<TableTransaction>> points;
    private final List<Range> ranges = new ArrayList<>();

    LockTable(RowStore rows) {
        this.rows = rows;
        this.points = new TreeMap<>(rows.order());
    }

    /** Answers whether the owner did not hold it before. */
    boolean lock(TableTransaction owner, List<@Nullable Object> key) {
        List<TableTransaction> owners = points.computeIfAbsent(key, missing -> new ArrayList<>(1));
        return !owners.contains(owner) && owners.add(owner);
    }

    void lock(Range range) {
        ranges.add(range);
    }

    void unlock(TableTransaction owner, List<@Nullable Object> key) {
        List<TableTransaction> owners = points.get(key);
        if (owners != null && owners.remove(owner) && owners.isEmpty()) {
            points.remove(key);
        }
    }

    void unlock(Range range) {
        ranges.remove(range);
    }

    /** Breaks every lock on the key but those of the writer itself. */
    void written(List<@Nullable Object> key, @Nullable TableTransaction writer, String path) {
        if (!points.isEmpty()) {
            List<TableTransaction> owners = points.get(key);
            if (owners != null) {
                owners.forEach(owner -> owner.breakLock(writer, path));
            }
        }
        for (Range range : ranges) {
            if (contains(range, key)) {
                range.owner.breakLock(writer, path);
            }
        }
    }

    private boolean contains(Range range, List<@Nullable Object> key) {
        return !range.empty
                && (range.low == null || rows.compare(range.low, key) <= 0)
                && (range.high == null || rows.compare(key, range.high) < 0);
    }
}
