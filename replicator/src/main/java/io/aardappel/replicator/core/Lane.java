package io.aardappel.replicator.core;

import io.aardappel.replicator.core.StreamRecord.Change;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one partition: how far it was read, what of it is buffered, how far it is complete, what may be
 * committed. Buffer, next offset and completeness only ever change together, so that each of them can be believed.
 * Not thread-safe.
 */
final class Lane implements Comparable<Lane> {
    /** What a barrier costs in memory, as the budget counts it. */
    static final int BARRIER_BYTES = 64;

    static final long UNREAD = -1;

    /** What became of a change that was read. */
    enum Intake {
        BUFFERED,
        /** It lies below what is applied and was read before the barrier that would make it late. */
        ALREADY_APPLIED,
        /** It lies below a barrier of its own partition. */
        LATE,
        /** It was read without room for it and will be read again. */
        PASSED_OVER
    }

    /** A barrier and where it stands. */
    private record Mark(Position position, long offset) {}

    final PartitionId id;
    final int topicRank;
    final int depth;
    final LaneReading reading = new LaneReading();

    private final Deque<Pending> arrivals = new ArrayDeque<>();
    private final PositionRun run = new PositionRun();
    private final Deque<Mark> barriers = new ArrayDeque<>();
    private final @Nullable Position inherited;
    /** The newest barrier that was forgotten. */
    private @Nullable Mark beforeBarriers;

    private @Nullable Position resolved;
    private long next = UNREAD;
    private long heldAt = Long.MAX_VALUE;
    private final Buffered total;
    private long bytes;
    private boolean ordered;
    private @Nullable Scout scout;

    /**
     * @param inherited completeness taken over from its parents, null when it has none
     * @param total what all lanes hold together
     */
    Lane(PartitionId id, int topicRank, int depth, @Nullable Position inherited, Buffered total) {
        this.id = id;
        this.topicRank = topicRank;
        this.depth = depth;
        this.total = total;
        this.inherited = inherited;
        this.resolved = inherited;
    }

    /** The order among changes of equal position: topic, then depth in the partition graph. */
    @Override
    public int compareTo(Lane other) {
        int byTopic = Integer.compare(topicRank, other.topicRank);
        int byDepth = byTopic != 0 ? byTopic : Integer.compare(depth, other.depth);
        return byDepth != 0 ? byDepth : id.compareTo(other.id);
    }

    /** Next offset to be read, -1 before the first session. */
    long next() {
        return next;
    }

    void readFrom(long offset) {
        next = offset;
    }

    /** Everything below the offset was read. */
    void readUpTo(long offset) {
        next = Math.max(next, offset);
    }

    /** The last barrier read, or what was inherited; null when there is neither. */
    @Nullable
    Position resolved() {
        return resolved;
    }

    /** Everything below this that was read of the partition is in the buffer or applied; null before the first barrier. */
    @Nullable
    Position complete() {
        return scout == null ? resolved : scout.complete(resolved);
    }

    /** Bytes held, barriers included. */
    long bytes() {
        return bytes;
    }

    private void hold(int size, int count) {
        bytes += size;
        total.add(size, count);
    }

    int changes() {
        return arrivals.size();
    }

    PositionRun run() {
        return run;
    }

    /** Changes in the order of their offsets. */
    Iterable<Pending> arrivals() {
        return arrivals;
    }

    /** Offset of the first change not yet applied, or the next to be read. */
    long firstPending() {
        return arrivals.isEmpty() ? next : arrivals.element().offset;
    }

    /** From now on changes are also kept by position. */
    void order() {
        if (!ordered) {
            ordered = true;
            arrivals.forEach(run::add);
        }
    }

    /** @param applied everything below it is applied */
    Intake change(Change change, long offset, Position applied) {
        if (scout != null) {
            scout.change(change.position());
            return Intake.PASSED_OVER;
        }
        Intake intake = judge(change.position(), applied);
        if (intake == Intake.BUFFERED) {
            Pending pending = new Pending(change, offset, this);
            arrivals.add(pending);
            if (ordered) {
                run.add(pending);
            }
            hold(change.bytes(), 1);
        }
        return intake;
    }

    /** What would become of a record at the position. */
    Intake judge(Position position, Position applied) {
        Position barrier = resolved;
        if (barrier != null && barrier.compareTo(applied) >= 0) {
            return position.isBefore(barrier) ? Intake.LATE : Intake.BUFFERED;
        }
        return position.isBefore(applied) ? Intake.ALREADY_APPLIED : Intake.BUFFERED;
    }

    /** @return whether the barrier says anything new */
    boolean barrier(Position position, long offset) {
        if (scout != null) {
            return scout.barrier(position);
        }
        Mark last = lastMark();
        if (last != null && position.compareTo(last.position()) <= 0) {
            return false;
        }
        barriers.add(new Mark(position, offset));
        hold(BARRIER_BYTES, 0);
        resolved = resolvedBy(position);
        return true;
    }

    private @Nullable Mark lastMark() {
        return barriers.isEmpty() ? beforeBarriers : barriers.getLast();
    }

    /** A child's own barriers may begin below what it inherited; they count as its witnesses all the same. */
    private Position resolvedBy(Position barrier) {
        return inherited != null && barrier.isBefore(inherited) ? inherited : barrier;
    }

    /** Nothing at or above the offset may be committed until what is wrong with it is decided. */
    void hold(long offset) {
        heldAt = Math.min(heldAt, offset);
    }

    /** Everything below the position is durable. */
    void appliedBelow(Position end) {
        run.removeBelow(end, pending -> hold(-pending.markApplied(), -1));
        dropApplied();
    }

    /** The first changes in the order of their offsets are durable. Only before {@link #order}. */
    void appliedFirst(int count) {
        for (int i = 0; i < count; i++) {
            hold(-arrivals.remove().markApplied(), -1);
        }
    }

    private void dropApplied() {
        while (!arrivals.isEmpty() && arrivals.element().applied()) {
            arrivals.remove();
        }
    }

    /**
     * End of the offsets that may be committed: everything below it was applied, dropped or ignored, and the witness, the
     * first barrier at or above the anchor, is not passed.
     *
     * @param anchor rises; barriers below it are forgotten
     */
    long committable(Position anchor) {
        while (!barriers.isEmpty() && barriers.element().position().isBefore(anchor)) {
            beforeBarriers = barriers.remove();
            hold(-BARRIER_BYTES, 0);
        }
        long done = Math.min(heldAt, arrivals.isEmpty() && scout != null ? scout.from : firstPending());
        return barriers.isEmpty() ? done : Math.min(done, barriers.element().offset());
    }

    /**
     * Makes it as if the partition had only been read up to the offset: what came after is forgotten, the completeness with
     * it.
     */
    void rewind(long offset) {
        long to = scout == null ? offset : Math.min(offset, scout.from);
        scout = null;
        while (!arrivals.isEmpty() && arrivals.getLast().offset >= to) {
            Pending shed = arrivals.removeLast();
            hold(-shed.change().bytes(), shed.applied() ? 0 : -1);
        }
        if (ordered) {
            run.removeIf(pending -> pending.offset >= to);
        }
        while (!barriers.isEmpty() && barriers.getLast().offset() >= to) {
            barriers.removeLast();
            hold(-BARRIER_BYTES, 0);
        }
        Mark last = lastMark();
        resolved = last == null ? inherited : last.offset() >= to ? null : resolvedBy(last.position());
        next = Math.min(next, to);
    }

    /** Takes what it still holds (barriers) out of the total; the lane is of no use afterwards. */
    void forget() {
        total.add(-bytes, 0);
        bytes = 0;
    }

    /** The offset to {@link #rewind} to so that at least that many bytes go, if there are as many. */
    long offsetToFree(long wanted) {
        long freed = 0;
        long offset = next;
        Iterator<Pending> newestFirst = arrivals.descendingIterator();
        while (freed < wanted && newestFirst.hasNext()) {
            Pending pending = newestFirst.next();
            offset = pending.offset;
            freed += pending.change().bytes();
        }
        return offset;
    }

    /** From the next offset on the partition is read only to find its barrier; its changes are passed over. */
    void startScouting() {
        if (scout == null) {
            scout = new Scout(next);
        }
    }

    /** Whether it reads without buffering; {@link #rewind} ends that. */
    boolean scouting() {
        return scout != null;
    }

    /** What reading without buffering has seen. */
    private static final class Scout {
        final long from;
        private @Nullable Position barrier;
        private @Nullable Position lowest;

        Scout(long from) {
            this.from = from;
        }

        void change(Position position) {
            lowest = lowest == null || position.isBefore(lowest) ? position : lowest;
        }

        boolean barrier(Position position) {
            if (barrier != null && position.compareTo(barrier) <= 0) {
                return false;
            }
            barrier = position;
            return true;
        }

        @Nullable
        Position complete(@Nullable Position resolved) {
            Position spoken = barrier == null ? resolved : barrier;
            return spoken == null || lowest == null || spoken.isBefore(lowest) ? spoken : lowest;
        }
    }
}
