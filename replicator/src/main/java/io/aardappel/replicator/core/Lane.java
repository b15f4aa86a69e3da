package io.aardappel.replicator.core;

import io.aardappel.replicator.core.StreamRecord.Change;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
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

    private static final Position LAST = new Position(-1, -1);

    /** What became of a change that was read. */
    enum Intake {
        BUFFERED,
        /** It lies below what is applied and was read before the barrier that would make it late. */
        ALREADY_APPLIED,
        /** It lies below a barrier of its own partition. */
        LATE,
        /** There was no room for it: it will be read again. */
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
    /** The newest barrier that was forgotten. */
    private @Nullable Mark beforeBarriers;
    /** Complete to here whatever its own barriers say: from its parents, or from an earlier reading. */
    private @Nullable Position floor;

    private @Nullable Position resolved;
    private long next = UNREAD;
    /** Offsets below it were read before, in this term. */
    private long seen = UNREAD;

    private final TreeSet<Long> held = new TreeSet<>();
    private final Buffered total;
    private final BinaryOperator<Position> completeWhenShed;
    private long bytes;
    private boolean ordered;
    private @Nullable Scout scout;

    /**
     * @param inherited completeness taken over from its parents, null when it has none
     * @param total what all lanes hold together
     * @param completeWhenShed see {@link Rules#shed}
     */
    Lane(
            PartitionId id,
            int topicRank,
            int depth,
            @Nullable Position inherited,
            Buffered total,
            BinaryOperator<Position> completeWhenShed) {
        this.id = id;
        this.topicRank = topicRank;
        this.depth = depth;
        this.total = total;
        this.completeWhenShed = completeWhenShed;
        this.floor = inherited;
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
        seen = Math.max(seen, next);
    }

    /** The last barrier read, or what was inherited; null when there is neither. */
    @Nullable
    Position resolved() {
        return resolved;
    }

    /** Below it nothing comes any more, of the partition or of its children; null before the first barrier. */
    @Nullable
    Position spoken() {
        return scout == null ? resolved : scout.spoken(resolved);
    }

    /**
     * Everything of the partition below this is in the buffer or applied; null before the first barrier. Once its children
     * are live they speak for what is to come, and only what was passed over limits it.
     */
    @Nullable
    Position complete() {
        if (scout == null) {
            return resolved;
        }
        Position lowest = scout.lowest;
        return reading.left && readThrough() && lowest != null
                ? later(lowest, resolved)
                : scout.complete(resolved, completeWhenShed);
    }

    /** Whether it was read to its end, buffering or not. */
    boolean readThrough() {
        return reading.ended && (next == UNREAD || next >= reading.end());
    }

    /** Whether its children are live and nothing that it had is still to be read. */
    boolean holdsNothingBack() {
        return reading.left && readThrough() && (scout == null || scout.lowest == null);
    }

    /** Whether it would be complete further, had nothing been passed over; a late record may lie below what it is complete to. */
    boolean lacksPassedOver() {
        Position complete = complete();
        return scout != null && scout.lowest != null && complete != null && !complete.isBefore(scout.lowest);
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
        Intake intake = judge(change.position(), offset, applied);
        if (intake != Intake.BUFFERED) {
            return intake;
        }
        return keep(change, offset);
    }

    private Intake keep(Change change, long offset) {
        if (scout != null) {
            scout.passOver(change.position());
            return Intake.PASSED_OVER;
        }
        Pending pending = new Pending(change, offset, this);
        arrivals.add(pending);
        if (ordered) {
            run.add(pending);
        }
        hold(change.bytes(), 1);
        return Intake.BUFFERED;
    }

    /**
     * Puts a change that was decided about in its place among those that were read; leaves it where it is to be read again
     * with those around it.
     */
    void insert(Change change, long offset) {
        if (scout != null && offset >= scout.from) {
            scout.passOver(change.position());
            return;
        }
        if (offset >= next) {
            return;
        }
        Deque<Pending> later = new ArrayDeque<>();
        while (!arrivals.isEmpty() && arrivals.getLast().offset > offset) {
            later.addFirst(arrivals.removeLast());
        }
        Pending pending = new Pending(change, offset, this);
        arrivals.add(pending);
        arrivals.addAll(later);
        if (ordered) {
            run.add(pending);
        }
        hold(change.bytes(), 1);
    }

    /** Takes a change out that is asked about now; one that was shed meanwhile is not there. */
    @SuppressWarnings("ReferenceEquality") // the very change, not one that equals it
    void takeOut(Pending pending) {
        if (arrivals.remove(pending)) {
            if (ordered) {
                run.removeIf(one -> one == pending);
            }
            hold(-pending.change().bytes(), -1);
        }
    }

    /** What would become of a record at the position, were there room. */
    Intake judge(Position position, long offset, Position applied) {
        if (offset < seen && position.isBefore(applied)) {
            return Intake.ALREADY_APPLIED;
        }
        Position barrier = spoken();
        if (barrier != null && barrier.compareTo(applied) >= 0) {
            return position.isBefore(barrier) ? Intake.LATE : Intake.BUFFERED;
        }
        return position.isBefore(applied) ? Intake.ALREADY_APPLIED : Intake.BUFFERED;
    }

    /** Answers whether the barrier says anything new. */
    boolean barrier(Position position, long offset) {
        if (scout != null) {
            return scout.barrier(position, resolved);
        }
        Mark last = lastMark();
        if (last != null && position.compareTo(last.position()) <= 0) {
            return false;
        }
        barriers.add(new Mark(position, offset));
        hold(BARRIER_BYTES, 0);
        resolved = resolution();
        return true;
    }

    private @Nullable Mark lastMark() {
        return barriers.isEmpty() ? beforeBarriers : barriers.getLast();
    }

    /** Its own barriers may begin below what it inherited; they count as its witnesses all the same. */
    private @Nullable Position resolution() {
        Mark last = lastMark();
        Position own = last == null ? null : last.position();
        return later(floor, own);
    }

    private static @Nullable Position later(@Nullable Position one, @Nullable Position other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Start.later(one, other);
    }

    /**
     * Nothing at or above the offset may be committed until it is let go.
     *
     * @param size what is kept for it elsewhere
     */
    void holdBack(long offset, int size) {
        held.add(offset);
        hold(size, 0);
    }

    void letGo(long offset, int size) {
        held.remove(offset);
        hold(-size, 0);
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
        long done = Math.min(heldFrom(), arrivals.isEmpty() && scout != null ? scout.from : firstPending());
        return barriers.isEmpty() ? done : Math.min(done, barriers.element().offset());
    }

    private long heldFrom() {
        return held.isEmpty() ? Long.MAX_VALUE : held.first();
    }

    /** Whether there is anything to shed. */
    boolean holdsAnything() {
        return !arrivals.isEmpty() || !barriers.isEmpty();
    }

    private boolean barrierIsLast() {
        return !barriers.isEmpty() && (arrivals.isEmpty() || barriers.getLast().offset() > arrivals.getLast().offset);
    }

    /** Where the change or barrier lies that would go next by {@link #shedLast}. */
    Position lastPosition() {
        if (barrierIsLast()) {
            return barriers.getLast().position();
        }
        Pending last = arrivals.getLast();
        return last.applied() ? LAST : last.position();
    }

    /**
     * Forgets the change or barrier that was read last, to be read again. How far the partition is complete stays known: up
     * to what is forgotten. To be followed by {@link #shedDone}.
     */
    void shedLast() {
        Scout forgotten = scout == null ? new Scout(resolved) : scout;
        scout = forgotten;
        if (barrierIsLast()) {
            forgotten.from = barriers.removeLast().offset();
            hold(-BARRIER_BYTES, 0);
            return;
        }
        Pending shed = arrivals.removeLast();
        forgotten.from = shed.offset;
        if (!shed.applied()) {
            forgotten.passOver(shed.position());
            floor = floor != null && shed.position().isBefore(floor) ? shed.position() : floor;
            hold(-shed.change().bytes(), -1);
        }
    }

    /** Brings everything else in line with what was shed. */
    void shedDone() {
        if (scout == null) {
            return;
        }
        long from = scout.from;
        if (ordered) {
            run.removeIf(pending -> pending.offset >= from);
        }
        if (beforeBarriers != null && beforeBarriers.offset() >= from) {
            beforeBarriers = null;
        }
        resolved = resolution();
    }

    /**
     * From the next offset on the partition is read only to find its barrier; its changes are passed over. Not before its first
     * session, which says what its next offset is.
     */
    void startScouting() {
        if (scout == null && next != UNREAD) {
            scout = new Scout(null);
            scout.from = next;
        }
    }

    /** Whether something of it was shed or passed over; {@link #readAgain} ends that. */
    boolean scouting() {
        return scout != null;
    }

    /** Goes back to the first offset that was shed or passed over. What it is complete to stays known. */
    void readAgain() {
        if (scout == null) {
            return;
        }
        floor = later(floor, complete());
        next = scout.from;
        scout = null;
        resolved = resolution();
    }

    /** Takes what it still holds (barriers) out of the total; the lane is of no use afterwards. */
    void forget() {
        total.add(-bytes, 0);
        bytes = 0;
    }

    /** What is known of the part that was shed or passed over. */
    private static final class Scout {
        private long from;
        private @Nullable Position barrier;
        private @Nullable Position lowest;

        /** @param barrier known of the part */
        Scout(@Nullable Position barrier) {
            this.barrier = barrier;
        }

        void passOver(Position position) {
            lowest = lowest == null || position.isBefore(lowest) ? position : lowest;
        }

        boolean barrier(Position position, @Nullable Position resolved) {
            Position spoken = spoken(resolved);
            if (spoken != null && position.compareTo(spoken) <= 0) {
                return false;
            }
            barrier = position;
            return true;
        }

        @Nullable
        Position spoken(@Nullable Position resolved) {
            return later(barrier, resolved);
        }

        @Nullable
        Position complete(@Nullable Position resolved, BinaryOperator<Position> whenShed) {
            Position spoken = spoken(resolved);
            Position reached = spoken == null || lowest == null ? spoken : whenShed.apply(spoken, lowest);
            return later(reached, resolved);
        }
    }
}
