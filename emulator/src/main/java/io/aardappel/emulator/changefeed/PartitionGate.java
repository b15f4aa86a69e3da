package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.fault.Hazards;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Stands in front of one partition and disturbs the order in which things arrive: within what YDB promises (delay, records
 * that overtake each other between barriers), or against it when a fault strikes. Records of one key never overtake each
 * other.
 */
final class PartitionGate {
    /** What arrives. */
    sealed interface Arrival {}

    record Change(Outbox from, Outgoing.Change change) implements Arrival {}

    record Notice(Outbox from, Outgoing.Announcement announcement) implements Arrival {}

    record Barrier(long step) implements Arrival {}

    private record Waiting(Arrival arrival, long dueMillis) {}

    /** A record taken out of order. A late one waits for a barrier above it, however long that takes. */
    private record Held(Change record, long dueMillis, boolean late) {}

    private final int partition;
    private final String path;
    private final FeedKnobs knobs;
    private final Hazards hazards;
    private final Delivery delivery;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private final List<Held> held = new ArrayList<>();
    private long lastDueMillis;
    private long lastBarrier;

    PartitionGate(int partition, String path, FeedKnobs knobs, Hazards hazards, Delivery delivery) {
        this.partition = partition;
        this.path = path;
        this.knobs = knobs;
        this.hazards = hazards;
        this.delivery = delivery;
    }

    void enter(Arrival arrival, long nowMillis) {
        long delay = knobs.partitionDelay(partition);
        if (delay == 0 && queue.isEmpty() && !knobs.partitionSilent(partition)) {
            pass(arrival, nowMillis);
            return;
        }
        lastDueMillis = Math.max(lastDueMillis, nowMillis + delay);
        // Changes end with a full queue, as the table takes no more writes; barriers do not, but the later one says
        // more.
        if (queue.size() >= knobs.queueMax() && arrival instanceof Barrier && endsWithBarrier()) {
            queue.removeLast();
        }
        queue.add(new Waiting(arrival, lastDueMillis));
    }

    private boolean endsWithBarrier() {
        Waiting last = queue.peekLast();
        return last != null && last.arrival() instanceof Barrier;
    }

    /** How much waits here. The table takes no more writes when that is too much, as {@link FeedKnobs#setQueueMax} says. */
    int waiting() {
        return queue.size() + held.size();
    }

    /** Lets go what is due; answers how much. */
    int release(long nowMillis) {
        int released = 0;
        if (!knobs.partitionSilent(partition)) {
            Waiting next = queue.peek();
            while (next != null && next.dueMillis() <= nowMillis) {
                queue.remove();
                pass(next.arrival(), nowMillis);
                released++;
                next = queue.peek();
            }
        }
        return held.isEmpty() ? released : released + letGo(nowMillis, 0, false);
    }

    /**
     * All records that wait, in order; the partition takes none any more. Barriers and announcements that wait are left out:
     * a later barrier says more than they do.
     */
    List<Change> abandon() {
        List<Change> records = new ArrayList<>();
        held.forEach(each -> records.add(each.record()));
        for (Waiting waiting : queue) {
            if (waiting.arrival() instanceof Change change) {
                records.add(change);
            }
        }
        held.clear();
        queue.clear();
        return records;
    }

    private void pass(Arrival arrival, long nowMillis) {
        if (arrival instanceof Change record) {
            record(record, nowMillis);
        } else if (arrival instanceof Notice notice) {
            delivery.append(partition, notice.from(), notice.announcement(), nowMillis);
        } else if (arrival instanceof Barrier barrier) {
            barrier(barrier.step(), nowMillis);
        } else {
            throw new IllegalStateException("unknown arrival " + arrival);
        }
    }

    private void record(Change record, long nowMillis) {
        if (hazards.strike(Fault.LATE_RECORD, path, partition) != null) {
            held.add(new Held(record, 0, true));
            return;
        }
        long delay = knobs.reorderDelay();
        if (delay > 0 || holds(record.change().keyHash())) {
            held.add(new Held(record, nowMillis + delay, false));
            return;
        }
        delivery.append(partition, record.from(), record.change(), nowMillis);
    }

    private void barrier(long step, long nowMillis) {
        letGo(nowMillis, step, false);
        boolean left = knobs.skipsBarrier(partition) || hazards.strike(Fault.BARRIER_LOST, path, partition) != null;
        if (left) {
            return;
        }
        if (lastBarrier > 0) {
            Hazards.Strike back = hazards.strike(Fault.BARRIER_BACK, path, partition);
            if (back != null) {
                delivery.appendBarrier(partition, Math.max(1, lastBarrier - back.amount()), nowMillis);
            }
        }
        delivery.appendBarrier(partition, step, nowMillis);
        lastBarrier = step;
        letGo(nowMillis, step, true);
    }

    private boolean holds(BigInteger keyHash) {
        for (Held each : held) {
            if (each.record().change().keyHash().equals(keyHash)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Appends held records that may go: those below the barrier, and those due. Late ones only behind the barrier.
     *
     * @param step of the barrier about to be, or just, written, 0 for none
     */
    private int letGo(long nowMillis, long step, boolean behindBarrier) {
        int released = 0;
        Set<BigInteger> stillHeld = new HashSet<>();
        for (Iterator<Held> each = held.iterator(); each.hasNext(); ) {
            Held next = each.next();
            BigInteger keyHash = next.record().change().keyHash();
            boolean below = step > 0
                    && Long.compareUnsigned(next.record().change().timestamp().step(), step) < 0;
            boolean mayGo = next.late() ? below && behindBarrier : below || next.dueMillis() <= nowMillis;
            if (mayGo && !stillHeld.contains(keyHash)) {
                each.remove();
                delivery.append(partition, next.record().from(), next.record().change(), nowMillis);
                released++;
            } else {
                stillHeld.add(keyHash);
            }
        }
        return released;
    }
}
