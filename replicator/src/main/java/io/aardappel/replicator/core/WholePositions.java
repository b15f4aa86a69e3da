package io.aardappel.replicator.core;

import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Positions whose changes cannot be parted and are decided about together: those that exceed what a transaction may hold, and
 * those that the destination refuses without a row to blame. At most one is asked about at a time, and until its decision is
 * carried out nothing above it is applied. Not thread-safe.
 */
final class WholePositions {
    /** Decisions that are durable. */
    private final Map<Position, Action> done = new HashMap<>();

    private @Nullable Asked asked;
    private long applied;
    private long skipped;

    /** The one that is asked about or decided; the question is about its first change. */
    private static final class Asked {
        private final Position position;
        private final PartitionId partition;
        private final long offset;
        private final Problem problem;
        private @Nullable Action action;
        private DecidedBy decidedBy = DecidedBy.STRATEGY;

        Asked(Pending first, Problem problem) {
            this.position = first.position();
            this.partition = first.lane.id;
            this.offset = first.offset;
            this.problem = problem;
        }
    }

    /** @param rows of decisions that are durable already, those about single records among them */
    WholePositions(List<DecisionRow> rows) {
        rows.stream()
                .filter(row -> row.action().ofWholePosition())
                .forEach(row -> done.put(row.position(), row.action()));
    }

    /** Whether one waits for a decision. */
    boolean open() {
        return asked != null && asked.action == null;
    }

    /** The one that was decided and is to be carried out before anything else, null when there is none. */
    @Nullable
    Position decided() {
        return asked == null || asked.action == null ? null : asked.position;
    }

    /** What was decided about it, in this term or before; null when it is to be asked about. */
    @Nullable
    Action actionOf(Position position) {
        return asked != null && asked.position.equals(position) ? asked.action : done.get(position);
    }

    /**
     * Whether it is durable that its changes are left out, those that were decided about singly excepted: they are not taken
     * when they are read again.
     */
    boolean leavesOut(Position position) {
        return !done.isEmpty() && done.get(position) == Action.SKIP_ALL;
    }

    /** @param first of its changes, in the order in which they would be applied */
    void ask(Pending first, Problem problem) {
        asked = new Asked(first, problem);
    }

    /** What was decided before holds again: it is not asked about twice. */
    void recall(Pending first, Problem problem) {
        Asked recalled = new Asked(first, problem);
        recalled.action = done.get(recalled.position);
        asked = recalled;
    }

    /** Answers whether it was this that was asked about. */
    boolean decide(PartitionId partition, long offset, Action action, DecidedBy by) {
        Asked open = asked;
        if (open == null || open.action != null || open.offset != offset || !open.partition.equals(partition)) {
            return false;
        }
        open.action = action == Action.APPLY ? Action.APPLY_ALL : Action.SKIP_ALL;
        open.decidedBy = by;
        return true;
    }

    /** The row to write with what it decides; none when it is durable already. */
    List<DecisionRow> rows() {
        Asked one = asked;
        if (one == null || one.action == null || done.get(one.position) == one.action) {
            return List.of();
        }
        return List.of(DecisionRow.ofPosition(one.position, one.action, one.decidedBy, one.problem.what()));
    }

    /** The decision is durable together with what it decides. */
    void carriedOut(int changes) {
        Asked one = asked;
        if (one == null || one.action == null) {
            throw new IllegalStateException("nothing was decided about a position");
        }
        done.put(one.position, one.action);
        applied += one.action == Action.APPLY_ALL ? changes : 0;
        skipped += one.action == Action.SKIP_ALL ? changes : 0;
        asked = null;
    }

    /** Changes that were applied by such a decision. */
    long applied() {
        return applied;
    }

    long skipped() {
        return skipped;
    }
}
