package io.aardappel.replicator.core;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Pending changes of one partition by (position, offset). They arrive nearly sorted, so they are appended and only what is
 * out of order is sorted, when the order is asked for: the cost of a change is that of an array slot. Not thread-safe.
 */
final class PositionRun {
    private static final int SMALLEST = 16;

    private @Nullable Pending[] items = new @Nullable Pending[SMALLEST];
    private int head;
    private int tail;
    /** Items in [head, sortedTo) are in order; those after it may lie anywhere from {@code lowest} on. */
    private int sortedTo;

    private Position lowest = Position.ZERO;

    int size() {
        return tail - head;
    }

    void add(Pending pending) {
        makeRoom();
        Position position = pending.position();
        if (sortedTo == tail) {
            if (tail == head || get(tail - 1).position().compareTo(position) <= 0) {
                sortedTo = tail + 1;
            } else {
                lowest = position;
            }
        } else if (position.isBefore(lowest)) {
            lowest = position;
        }
        items[tail++] = pending;
    }

    /** The change at the index by order, from 0; null past either end. */
    @Nullable
    Pending at(int index) {
        settle();
        return index >= 0 && index < size() ? items[head + index] : null;
    }

    /** Removes all changes below the position and hands them over, in order. */
    void removeBelow(Position end, Consumer<Pending> removed) {
        settle();
        while (head < tail && get(head).position().isBefore(end)) {
            removed.accept(get(head));
            items[head++] = null;
        }
        sortedTo = tail;
    }

    /** Removes all changes at or above the position and hands them over, the highest first. */
    void removeFrom(Position begin, Consumer<Pending> removed) {
        settle();
        while (head < tail && !get(tail - 1).position().isBefore(begin)) {
            removed.accept(get(tail - 1));
            items[--tail] = null;
        }
        sortedTo = tail;
    }

    /** Removes what matches; order stays. */
    void removeIf(Predicate<Pending> matches) {
        settle();
        int kept = head;
        for (int i = head; i < tail; i++) {
            if (!matches.test(get(i))) {
                items[kept++] = items[i];
            }
        }
        Arrays.fill(items, kept, tail, null);
        tail = kept;
        sortedTo = tail;
    }

    private Pending get(int index) {
        Pending pending = items[index];
        if (pending == null) {
            throw new IllegalStateException("empty slot " + index);
        }
        return pending;
    }

    /** The sort takes existing runs as they are, so that this is a merge of the new changes with those they overlap. */
    private void settle() {
        if (sortedTo == tail) {
            return;
        }
        int from = firstAbove(lowest);
        Arrays.sort(items, from, tail, PositionRun::compare);
        sortedTo = tail;
    }

    private static int compare(@Nullable Pending one, @Nullable Pending other) {
        if (one == null || other == null) {
            throw new IllegalStateException("empty slot");
        }
        return Pending.byPosition(one, other);
    }

    /** Index of the first sorted item above the position, or the end of the sorted ones. */
    private int firstAbove(Position position) {
        int low = head;
        int high = sortedTo;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (get(middle).position().compareTo(position) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void makeRoom() {
        if (tail < items.length) {
            return;
        }
        int size = size();
        @Nullable Pending[] target = size > items.length / 2 ? new @Nullable Pending[items.length * 2] : items;
        System.arraycopy(items, head, target, 0, size);
        if (target == items) {
            Arrays.fill(items, size, tail, null);
        }
        items = target;
        sortedTo -= head;
        tail = size;
        head = 0;
    }
}
