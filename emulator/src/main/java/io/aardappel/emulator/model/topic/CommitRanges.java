package io.aardappel.emulator.model.topic;

import java.util.Map;
import java.util.TreeMap;

/**
 * The offsets that one reader of a partition committed, in half-open ranges that may arrive out of order: a range is held until
 * all before it are committed too. Not thread-safe.
 */
public final class CommitRanges {
    private final TreeMap<Long, Long> held = new TreeMap<>();
    private long committed;
    /** Messages below this offset are gone and need no commit. */
    private long oldest;

    /**
     * @param committed offset up to which everything is committed
     * @param oldest offset of the oldest message that is left
     */
    public CommitRanges(long committed, long oldest) {
        this.committed = committed;
        this.oldest = oldest;
    }

    /** The offset up to which everything is committed. */
    public long committed() {
        return committed;
    }

    /**
     * Adds a range.
     *
     * @return false, and nothing changed, when the range is empty, lies below the committed offset or overlaps one that is held
     */
    public boolean add(long start, long end) {
        if (start >= end || start < committed || overlaps(start, end)) {
            return false;
        }
        held.put(start, end);
        merge();
        return true;
    }

    /** Somebody else committed up to the offset: what is held below it is forgotten. */
    public void advance(long offset) {
        committed = Math.max(committed, offset);
        while (!held.isEmpty() && held.firstKey() < committed) {
            long end = held.pollFirstEntry().getValue();
            committed = Math.max(committed, end);
        }
        merge();
    }

    /** Messages below the offset are gone: a range held behind a gap of nothing else counts from now on. */
    public void trimmed(long start) {
        oldest = Math.max(oldest, start);
        merge();
    }

    /** How many ranges wait for a gap to be filled. */
    public int heldCount() {
        return held.size();
    }

    private boolean overlaps(long start, long end) {
        Map.Entry<Long, Long> before = held.lowerEntry(end);
        return before != null && before.getValue() > start;
    }

    private void merge() {
        while (!held.isEmpty() && held.firstKey() <= Math.max(committed, oldest)) {
            committed = Math.max(committed, held.pollFirstEntry().getValue());
        }
    }
}
