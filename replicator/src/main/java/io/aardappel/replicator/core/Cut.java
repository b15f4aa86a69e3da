package io.aardappel.replicator.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses what one transaction applies: all changes below a position, in the order (position, topic, depth, offset), as many
 * as fit. Cuts fall between positions, because changes of one position may be one transaction of the source; inside of one only
 * where it is said that they may. A value made by {@link #below}.
 *
 * @param end everything below it is in {@code changes}: the position of the first change left out, or the quorum
 * @param oversized where one position alone exceeds the hard bounds; nothing is to be applied then
 */
record Cut(
        Position end,
        List<Pending> changes,
        long bytes,
        @Nullable Oversized oversized) {
    /**
     * @param rows that were counted before giving up
     * @param bytes of these
     */
    record Oversized(Position position, Pending first, int rows, long bytes) {}

    /** Those of the changes that lie at the end itself: none where it fell between positions. */
    Set<Pending> atEnd() {
        Set<Pending> found = new HashSet<>();
        for (int i = changes.size() - 1; i >= 0 && changes.get(i).position().equals(end); i--) {
            found.add(changes.get(i));
        }
        return found;
    }

    /** Whether there is nothing below the position that it was to reach. */
    boolean isEmpty() {
        return changes.isEmpty() && oversized == null;
    }

    /**
     * The largest cut at or below the quorum that fits.
     *
     * @param border whether it may fall between changes of two positions; see {@link Rules#border}
     */
    static Cut below(
            Position quorum, Collection<Lane> lanes, TransactionBounds bounds, BiPredicate<Position, Position> border) {
        PriorityQueue<Cursor> heads = new PriorityQueue<>(Math.max(1, lanes.size()));
        for (Lane lane : lanes) {
            Cursor cursor = new Cursor(lane.run());
            if (cursor.isBelow(quorum)) {
                heads.add(cursor);
            }
        }
        Builder builder = new Builder(bounds, border);
        Cursor cursor;
        while ((cursor = heads.poll()) != null) {
            Cursor rival = heads.peek();
            do {
                Cut full = builder.take(cursor.head());
                if (full != null) {
                    return full;
                }
                cursor.advance();
            } while (cursor.isBelow(quorum) && (rival == null || cursor.compareTo(rival) <= 0));
            if (cursor.isBelow(quorum)) {
                heads.add(cursor);
            }
        }
        return builder.all(quorum);
    }

    /** All changes of the lowest position that is not applied, in order, however many. */
    static List<Pending> of(Position lowest, Collection<Lane> lanes) {
        TransactionBounds boundless =
                new TransactionBounds(Integer.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE);
        return below(lowest.next(), lanes, boundless, Rules.STANDARD.border()).changes();
    }

    /** A place in one partition's run. */
    private static final class Cursor implements Comparable<Cursor> {
        private final PositionRun run;
        private int index;
        private @Nullable Pending head;

        Cursor(PositionRun run) {
            this.run = run;
            this.head = run.at(0);
        }

        Pending head() {
            if (head == null) {
                throw new IllegalStateException("past the end of a run");
            }
            return head;
        }

        void advance() {
            head = run.at(++index);
        }

        boolean isBelow(Position end) {
            return head != null && head.position().isBefore(end);
        }

        @Override
        public int compareTo(Cursor other) {
            int byPosition = Pending.byPosition(head(), other.head());
            return byPosition != 0 ? byPosition : head().lane.compareTo(other.head().lane);
        }
    }

    /** Takes changes in order until one does not fit. */
    private static final class Builder {
        private final TransactionBounds bounds;
        private final BiPredicate<Position, Position> mayPart;
        private final List<Pending> taken = new ArrayList<>();
        private long bytes;
        private @Nullable Position current;
        /** What was taken below {@link #current}. */
        private int border;

        private long borderBytes;

        Builder(TransactionBounds bounds, BiPredicate<Position, Position> mayPart) {
            this.bounds = bounds;
            this.mayPart = mayPart;
        }

        /** @return the finished cut when this change is not part of it, else null */
        @Nullable
        Cut take(Pending pending) {
            Position position = pending.position();
            if (current == null || mayPart.test(current, position)) {
                if (exceedsTarget(taken.size(), bytes)) {
                    return new Cut(position, taken, bytes, null);
                }
                current = position;
                border = taken.size();
                borderBytes = bytes;
            }
            int rowsThen = taken.size() + 1;
            long bytesThen = bytes + pending.change().bytes();
            if (border > 0 && exceedsTarget(rowsThen, bytesThen)) {
                taken.subList(border, taken.size()).clear();
                return new Cut(position, taken, borderBytes, null);
            }
            if (rowsThen > bounds.hardRows() || bytesThen > bounds.hardBytes()) {
                Pending first = taken.isEmpty() ? pending : taken.get(0);
                return new Cut(position, List.of(), 0, new Oversized(position, first, rowsThen, bytesThen));
            }
            taken.add(pending);
            bytes = bytesThen;
            return null;
        }

        private boolean exceedsTarget(int rows, long size) {
            return rows > bounds.targetRows() || size > bounds.targetBytes();
        }

        Cut all(Position quorum) {
            return new Cut(quorum, taken, bytes, null);
        }
    }
}
