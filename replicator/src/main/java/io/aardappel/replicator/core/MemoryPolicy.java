package io.aardappel.replicator.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps buffered bytes within the budget. Above the high mark, partitions that are ahead of the quorum are parked. When it is
 * full (an eighth is kept for what is on its way), what lies highest is shed, whichever partition holds it, and the partitions
 * that progress waits for are read on to find their barriers, passing over what lies as high. Either is read again when
 * everything below it is applied, and when memory is below the low mark. So memory holds what is to be applied next, in
 * whatever order it is read, and progress goes on while the changes of one position fit. Where they do not, that is told.
 * Not thread-safe.
 */
final class MemoryPolicy {
    /** What is done about lanes. */
    interface Actions {
        void park(Lane lane);

        void resume(Lane lane);

        /** Reads again what was shed or passed over. */
        void readAgain(Lane lane);

        /** How far the lane is complete may have changed. */
        void changed(Lane lane);

        /** Everything below the position is applied, nothing above it is held, and its changes fill the memory. */
        void doesNotFit(Position position);
    }

    /**
     * How far it is.
     *
     * @param quorum null while a partition has not spoken
     * @param stuck whether everything below the quorum is applied
     * @param ordered whether changes are kept by position; else nothing is shed
     */
    record Progress(@Nullable Position quorum, boolean stuck, boolean ordered) {
        boolean isStuckAt(@Nullable Position position) {
            return stuck && quorum != null && quorum.equals(position);
        }

        /** The lowest position that may be shed: what lies below is about to be applied, and so is what comes next. */
        Position sheddable() {
            if (quorum == null) {
                return Position.ZERO;
            }
            return stuck ? quorum.next() : quorum;
        }
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
     */
    void relieve(Collection<Lane> lanes, long total, Supplier<Set<Lane>> holders, Progress progress, Actions actions) {
        if (!pressed && !isShort(total)) {
            return;
        }
        Set<Lane> holdingBack = holders.get();
        List<Lane> again = lanes.stream()
                .filter(Lane::mayReadAgain)
                .filter(lane -> holdingBack.contains(lane) ? comesNext(lane, total, progress) : total <= low)
                .toList();
        if (again.isEmpty() && progress.ordered() && total > full) {
            makeRoom(lanes, total, holdingBack, progress, actions);
        } else if (!again.isEmpty() && total > low) {
            shed(lanes, total - low, progress.sheddable(), Set.of(), actions);
        }
        again.forEach(actions::readAgain);
        pressed = total > low || lanes.stream().anyMatch(Lane::passesOver);
        for (Lane lane : lanes) {
            boolean ahead = !holdingBack.contains(lane);
            if (ahead && (isShort(total) || lane.passesOver())) {
                park(lane, actions);
            } else if (!ahead || total <= low) {
                resume(lane, actions);
            }
        }
    }

    private static void park(Lane lane, Actions actions) {
        if (!lane.reading.parked) {
            actions.park(lane);
        }
    }

    private static void resume(Lane lane, Actions actions) {
        if (lane.reading.parked) {
            actions.resume(lane);
        }
    }

    /** One that progress waits for is not read again before it has found its barrier, or it would never find it. */
    private boolean comesNext(Lane lane, long total, Progress progress) {
        return lane.lacksSomething() ? progress.isStuckAt(lane.complete()) && lane.lacksPassedOver() : total <= low;
    }

    private void makeRoom(
            Collection<Lane> lanes, long total, Set<Lane> holdingBack, Progress progress, Actions actions) {
        long left = shed(lanes, total - high, progress.sheddable(), holdingBack, actions);
        Position next = progress.quorum();
        if (high + left > full && progress.stuck() && next != null && !holdingBack.isEmpty()) {
            actions.doesNotFit(next);
            shed(lanes, left, next, holdingBack, actions);
        }
    }

    /**
     * @param lowest nothing below it is shed
     * @param reading lanes that are read on, passing over what lies as high as what is shed
     * @return how many bytes could not be freed
     */
    private static long shed(Collection<Lane> lanes, long excess, Position lowest, Set<Lane> reading, Actions actions) {
        PriorityQueue<Held> highestFirst = new PriorityQueue<>(Comparator.reverseOrder());
        lanes.stream().map(Held::new).filter(held -> held.reaches(lowest)).forEach(highestFirst::add);
        long left = excess;
        Position limit = lowest;
        while (left > 0 && !highestFirst.isEmpty()) {
            Held held = highestFirst.remove();
            limit = held.position();
            left -= held.pass();
            if (held.reaches(lowest)) {
                highestFirst.add(held);
            }
        }
        Position from = left > 0 ? lowest : limit;
        for (Lane lane : lanes) {
            if (reading.contains(lane) || new Held(lane).reaches(from)) {
                lane.shed(from);
                actions.changed(lane);
            }
        }
        return Math.max(0, left);
    }

    /** What a lane holds, from the highest downwards. */
    private static final class Held implements Comparable<Held> {
        private final PositionRun run;
        private final Iterator<Lane.Mark> barriers;
        private int index;
        private @Nullable Pending change;
        private Lane.@Nullable Mark barrier;

        Held(Lane lane) {
            this.run = lane.run();
            this.barriers = lane.barriersDownwards();
            this.index = run.size() - 1;
            this.change = run.at(index);
            this.barrier = barriers.hasNext() ? barriers.next() : null;
        }

        boolean reaches(Position lowest) {
            return (change != null || barrier != null) && !position().isBefore(lowest);
        }

        Position position() {
            Position ofChange = change == null ? Position.ZERO : change.position();
            return barrier == null ? ofChange : Start.later(ofChange, barrier.position());
        }

        /** Goes on to what lies below, and answers what this one takes. */
        long pass() {
            if (change != null && (barrier == null || barrier.position().isBefore(change.position()))) {
                int bytes = change.change().bytes();
                change = run.at(--index);
                return bytes;
            }
            barrier = barriers.hasNext() ? barriers.next() : null;
            return Lane.BARRIER_BYTES;
        }

        @Override
        public int compareTo(Held other) {
            return position().compareTo(other.position());
        }
    }
}
