package io.aardappel.replicator.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps buffered bytes within the budget. Above the high mark, partitions that are ahead of the quorum are parked; when it
 * is full (an eighth is kept for what is on its way), the highest positions they hold are shed, to be read again; and when
 * even that is not enough, the partition that holds the quorum is read on without buffering, to find its barrier. What was
 * shed or passed over is read again when everything up to it is applied, for which room is made, and when memory is below
 * the low mark. So the partition that progress waits for is always read, and progress goes on while the next position and
 * what was read before it fit a part of the budget. Not thread-safe.
 */
final class MemoryPolicy {
    /** What is done to a lane. */
    interface Actions {
        void park(Lane lane);

        void resume(Lane lane);

        /** Reads again what was shed or passed over. */
        void readAgain(Lane lane);

        /** How far the lane is complete may have changed. */
        void changed(Lane lane);
    }

    private final long full;
    private final long high;
    private final long low;
    private boolean pressed;

    MemoryPolicy(long budget) {
        this.full = budget / 8 * 7;
        this.high = budget / 4 * 3;
        this.low = budget / 2;
    }

    /** Whether partitions that are ahead have to wait. */
    boolean isShort(long total) {
        return total > high;
    }

    /**
     * @param total bytes held by all lanes
     * @param holders answers the lanes that progress waits for; asked only when memory is short
     * @param stuckAt the quorum when everything below it is applied, else null
     * @param mayShed whether the lanes are ordered by position, so that the newest are the highest
     */
    void relieve(
            Collection<Lane> lanes,
            long total,
            Supplier<Set<Lane>> holders,
            @Nullable Position stuckAt,
            boolean mayShed,
            Actions actions) {
        if (!pressed && !isShort(total)) {
            return;
        }
        pressed = total > low;
        if (!pressed) {
            lanes.forEach(lane -> relax(lane, actions));
            return;
        }
        Set<Lane> holdingBack = holders.get();
        for (Lane lane : lanes) {
            if (holdingBack.contains(lane)) {
                resume(lane, actions);
            } else if (isShort(total) && !lane.reading.parked) {
                actions.park(lane);
            }
        }
        List<Lane> passedOver = lanes.stream()
                .filter(lane -> stuckAt != null && stuckAt.equals(lane.complete()) && lane.lacksPassedOver())
                .filter(holdingBack::contains)
                .toList();
        if (!passedOver.isEmpty()) {
            shed(lanes, total - low, holdingBack, actions);
            passedOver.forEach(actions::readAgain);
        } else if (mayShed && total > full && shed(lanes, total - high, holdingBack, actions) > 0) {
            lanes.stream()
                    .filter(lane -> holdingBack.contains(lane) && !lane.scouting() && !lane.readThrough())
                    .forEach(Lane::startScouting);
        }
    }

    private static void relax(Lane lane, Actions actions) {
        if (lane.scouting()) {
            actions.readAgain(lane);
        }
        resume(lane, actions);
    }

    private static void resume(Lane lane, Actions actions) {
        if (lane.reading.parked) {
            actions.resume(lane);
        }
    }

    /** @return how many bytes could not be freed */
    private static long shed(Collection<Lane> lanes, long excess, Set<Lane> holdingBack, Actions actions) {
        PriorityQueue<Lane> highestFirst =
                new PriorityQueue<>(Comparator.comparing(Lane::lastPosition).reversed());
        lanes.stream()
                .filter(lane -> !holdingBack.contains(lane) && lane.holdsAnything())
                .forEach(highestFirst::add);
        Set<Lane> shorn = new LinkedHashSet<>();
        long left = excess;
        while (left > 0 && !highestFirst.isEmpty()) {
            Lane lane = highestFirst.remove();
            long before = lane.bytes();
            lane.shedLast();
            left -= before - lane.bytes();
            shorn.add(lane);
            if (lane.holdsAnything()) {
                highestFirst.add(lane);
            }
        }
        for (Lane lane : shorn) {
            lane.shedDone();
            actions.changed(lane);
        }
        return Math.max(0, left);
    }
}
