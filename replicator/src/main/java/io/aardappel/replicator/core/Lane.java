package io.aardappel.replicator.core;

import io.aardappel.replicator.core.StreamRecord.Change;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Set;
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

    /** Offset of nothing. */
    private static final long NOTHING = Long.MAX_VALUE;

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
    record Mark(Position position, long offset) {}

    final PartitionId id;
    final int topicRank;
    final int depth;
    final LaneReading reading = new LaneReading();

    private final Deque<Pending> arrivals = new ArrayDeque<>();
    private final PositionRun run = new PositionRun();
    private final Deque<Mark> barriers = new ArrayDeque<>();
    /** Records left out by their keys, one mark for all between two barriers: the highest of them, and where they begin. */
    private final Deque<Mark> leftOut = new ArrayDeque<>();
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
        if (scout != null && scout.passesOver(change.position())) {
            scout.passOver(change.position(), offset);
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
     * Puts a change that was decided about in its place among those that were read; leaves it where it is to be read, or to
     * be read again with those around it.
     */
    void insert(Change change, long offset) {
        if (offset >= next) {
            return;
        }
        if (scout != null && offset >= scout.from && scout.passesOver(change.position())) {
            scout.passOver(change.position(), offset);
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
        if (scout != null && offset >= scout.from) {
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

    /**
     * A record was left out by its key. Its offset is held until its position was passed: when other keys are left out before
     * that, it is read by these.
     */
    void leftOut(Position position, long offset) {
        if (scout != null && offset >= scout.from) {
            return;
        }
        Mark before = leftOut.peekLast();
        Mark barrier = lastMark();
        if (before == null || (barrier != null && before.offset() < barrier.offset())) {
            leftOut.add(new Mark(position, offset));
            hold(BARRIER_BYTES, 0);
        } else if (before.position().isBefore(position)) {
            leftOut.removeLast();
            leftOut.add(new Mark(position, before.offset()));
        }
    }

    private void forgetLeftOutFrom(long offset) {
        while (!leftOut.isEmpty() && leftOut.getLast().offset() >= offset) {
            leftOut.removeLast();
            hold(-BARRIER_BYTES, 0);
        }
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

    /** Those of the changes that are its own are durable. */
    void appliedAmong(Set<Pending> changes) {
        if (!changes.isEmpty()) {
            run.removeIf(pending -> {
                boolean durable = changes.contains(pending);
                if (durable) {
                    hold(-pending.markApplied(), -1);
                }
                return durable;
            });
            dropApplied();
        }
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
     * first barrier at or above the anchor, is not passed, nor a record left out by its key that lies there.
     *
     * @param anchor rises; barriers below it are forgotten
     */
    long committable(Position anchor) {
        while (!barriers.isEmpty() && barriers.element().position().isBefore(anchor)) {
            beforeBarriers = barriers.remove();
            hold(-BARRIER_BYTES, 0);
        }
        while (!leftOut.isEmpty() && leftOut.element().position().isBefore(anchor)) {
            leftOut.remove();
            hold(-BARRIER_BYTES, 0);
        }
        long done = Math.min(Math.min(heldFrom(), firstPending()), scout == null ? next : scout.from);
        done = leftOut.isEmpty() ? done : Math.min(done, leftOut.element().offset());
        return barriers.isEmpty() ? done : Math.min(done, barriers.element().offset());
    }

    private long heldFrom() {
        return held.isEmpty() ? Long.MAX_VALUE : held.first();
    }

    /** Barriers that are held, the highest first. */
    Iterator<Mark> barriersDownwards() {
        return barriers.descendingIterator();
    }

    /**
     * Forgets the changes and barriers at or above the position, to be read again, and from now on passes over changes that
     * lie there. How far the partition is complete stays known: up to the lowest of them.
     */
    void shed(Position limit) {
        Scout shed = scout == null ? new Scout(limit) : scout;
        scout = shed;
        shed.limit = earlier(shed.limit, limit);
        run.removeFrom(limit, pending -> {
            shed.passOver(pending.position(), pending.offset);
            hold(-pending.change().bytes(), -1);
        });
        arrivals.removeIf(pending -> !pending.applied() && !pending.position().isBefore(limit));
        for (Mark mark : barriers) {
            if (!mark.position().isBefore(limit)) {
                shed.from = Math.min(shed.from, mark.offset());
                break;
            }
        }
        if (shed.from != NOTHING) {
            forgetBarriersFrom(shed);
        }
    }

    /** They are read again with the changes around them; what they said stays known. */
    private void forgetBarriersFrom(Scout shed) {
        shed.barrier = later(shed.barrier, resolved);
        floor = floor == null || shed.lowest == null ? floor : earlier(floor, shed.lowest);
        while (!barriers.isEmpty() && barriers.getLast().offset() >= shed.from) {
            barriers.removeLast();
            hold(-BARRIER_BYTES, 0);
        }
        if (beforeBarriers != null && beforeBarriers.offset() >= shed.from) {
            beforeBarriers = null;
        }
        forgetLeftOutFrom(shed.from);
        resolved = resolution();
    }

    private static Position earlier(Position one, Position other) {
        return one.isBefore(other) ? one : other;
    }

    /** Whether what lies high is passed over; {@link #readAgain} ends that. */
    boolean passesOver() {
        return scout != null;
    }

    /** Whether something of it was shed or passed over; {@link #readAgain} ends that. */
    boolean lacksSomething() {
        return scout != null && scout.from != NOTHING;
    }

    /**
     * Whether something is passed over, and nothing of what is to be read again is held already, here or by a question: what is
     * asked about would count as held below what the partition is complete to, and as still to be read.
     */
    boolean mayReadAgain() {
        if (scout == null || !held.tailSet(scout.from).isEmpty()) {
            return false;
        }
        Iterator<Pending> latest = arrivals.descendingIterator();
        while (latest.hasNext()) {
            Pending pending = latest.next();
            if (pending.offset < scout.from) {
                break;
            }
            if (!pending.applied()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Takes whatever comes from now on, and goes back to the first offset that was shed or passed over. What it is complete to
     * stays known. Only where it {@link #mayReadAgain}.
     *
     * @return whether it goes back
     */
    boolean readAgain() {
        if (scout == null) {
            return false;
        }
        boolean goesBack = lacksSomething();
        if (goesBack) {
            floor = later(floor, complete());
            next = scout.from;
            forgetLeftOutFrom(next);
            while (!arrivals.isEmpty() && arrivals.getLast().offset >= next) {
                arrivals.removeLast();
            }
        }
        scout = null;
        resolved = resolution();
        return goesBack;
    }

    /** Takes what it still holds (barriers) out of the total; the lane is of no use afterwards. */
    void forget() {
        total.add(-bytes, 0);
        bytes = 0;
    }

    /**
     * What was shed or passed over: changes at or above {@code limit}, and barriers. From {@code from} on nothing else is
     * lacking, and nothing at or above the limit is held.
     */
    private static final class Scout {
        private Position limit;
        private long from = NOTHING;
        /** The highest barrier of which it is known. */
        private @Nullable Position barrier;

        private @Nullable Position lowest;

        Scout(Position limit) {
            this.limit = limit;
        }

        boolean passesOver(Position position) {
            return !position.isBefore(limit);
        }

        void passOver(Position position, long offset) {
            lowest = lowest == null ? position : earlier(lowest, position);
            from = Math.min(from, offset);
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
