package io.aardappel.replicator.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Keeps buffered bytes within the budget. Above the high mark, partitions that are ahead of the quorum are parked; when it
 * is full (an eighth is kept for what is on its way), the newest of what they hold is shed, to be read again; and when even
 * that is not enough, the partition that holds the quorum is read on without buffering, to find its barrier. When everything up to the first change passed over is
 * applied, room is made and it is read again. Below the low mark everything is undone. So the partition that progress waits
 * for is always read, and progress goes on while what lies between two of its positions fits half the budget. Not
 * thread-safe.
 */
final class MemoryPolicy {
    /** What is done to a lane. */
    interface Actions {
        void park(Lane lane);

        void resume(Lane lane);

        /** Forgets what was read at and above the offset, and reads it again. */
        void rewind(Lane lane, long offset);

        void scout(Lane lane);
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

    /**
     * @param total bytes held by all lanes
     * @param holdsBack whether progress waits for the lane
     * @param stuck whether everything below the quorum is applied
     * @param mayShed whether the lanes are ordered by position, so that the newest are the highest
     */
    void relieve(
            Collection<Lane> lanes,
            long total,
            Predicate<Lane> holdsBack,
            boolean stuck,
            boolean mayShed,
            Actions actions) {
        if (!pressed && total <= high) {
            return;
        }
        pressed = total > low;
        if (!pressed) {
            lanes.forEach(lane -> relax(lane, actions));
            return;
        }
        for (Lane lane : lanes) {
            if (holdsBack.test(lane)) {
                resume(lane, actions);
            } else if (total > high && !lane.reading.parked && !lane.reading.ended) {
                actions.park(lane);
            }
        }
        List<Lane> passedOver = lanes.stream()
                .filter(lane -> stuck && lane.scouting() && holdsBack.test(lane))
                .toList();
        if (!passedOver.isEmpty()) {
            shed(lanes, total - low, holdsBack, actions);
            passedOver.forEach(lane -> actions.rewind(lane, lane.next()));
        } else if (mayShed && total > full && shed(lanes, total - high, holdsBack, actions) > 0) {
            lanes.stream()
                    .filter(lane -> holdsBack.test(lane) && !lane.scouting() && !lane.reading.ended)
                    .forEach(actions::scout);
        }
    }

    private static void relax(Lane lane, Actions actions) {
        if (lane.scouting()) {
            actions.rewind(lane, lane.next());
        }
        resume(lane, actions);
    }

    private static void resume(Lane lane, Actions actions) {
        if (lane.reading.parked) {
            actions.resume(lane);
        }
    }

    /** @return how many bytes could not be freed */
    private static long shed(Collection<Lane> lanes, long excess, Predicate<Lane> holdsBack, Actions actions) {
        long wanted = excess;
        List<Lane> highestFirst = lanes.stream()
                .filter(lane -> !holdsBack.test(lane) && !lane.reading.ended && lane.changes() > 0)
                .sorted(Comparator.comparing(MemoryPolicy::reached).reversed())
                .toList();
        for (Lane lane : highestFirst) {
            if (wanted <= 0) {
                break;
            }
            long before = lane.bytes();
            actions.rewind(lane, lane.offsetToFree(wanted));
            wanted -= before - lane.bytes();
        }
        return Math.max(0, wanted);
    }

    private static Position reached(Lane lane) {
        Position complete = lane.complete();
        return complete == null ? Position.ZERO : complete;
    }
}
