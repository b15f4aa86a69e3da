package io.aardappel.replicator.core;

import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.StreamRecord.Change;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A record that needs a decision, from the question until what was decided is durable. Not thread-safe. */
final class Questioned {
    /** What one costs in memory beside its change, as the budget counts it. */
    private static final int BYTES = 256;

    /** As changes are applied: by position, then by partition and offset. */
    static final Comparator<Questioned> ORDER = Comparator.<Questioned, Position>comparing(one -> one.position)
            .thenComparing(one -> one.lane)
            .thenComparing(one -> one.offset);

    final Lane lane;
    final long offset;
    final Position position;
    final Problem problem;
    /** Whole, so that it can be applied; null when it cannot become one, or when the lane holds it again. */
    private @Nullable Change change;

    private @Nullable Action action;
    private DecidedBy decidedBy = DecidedBy.STRATEGY;
    private boolean decidedBefore;

    Questioned(Lane lane, long offset, Position position, @Nullable Change change, Problem problem) {
        this.lane = lane;
        this.offset = offset;
        this.position = position;
        this.change = change;
        this.problem = problem;
    }

    /** One about which the decision to apply it is durable already. */
    static Questioned decidedBefore(Lane lane, long offset, Change change) {
        Problem settled = new Problem(Problem.Reason.LATE_RECORD, "it was decided about before", "");
        Questioned questioned = new Questioned(lane, offset, change.position(), change, settled);
        questioned.decide(Action.APPLY, DecidedBy.STRATEGY);
        questioned.decidedBefore = true;
        return questioned;
    }

    boolean decidedBefore() {
        return decidedBefore;
    }

    Optional<Change> change() {
        return Optional.ofNullable(change);
    }

    void give(@Nullable Change kept) {
        change = kept;
    }

    int bytes() {
        return BYTES + (change == null ? 0 : change.bytes());
    }

    boolean open() {
        return action == null;
    }

    boolean is(Action wanted) {
        return action == wanted;
    }

    /** Whether it is to be applied, and is among the changes of its lane again. */
    boolean placed() {
        return action == Action.APPLY && change == null;
    }

    void decide(Action what, DecidedBy by) {
        action = what;
        decidedBy = by;
    }

    DecisionRow row(StreamSpec stream) {
        Action decided = action;
        if (decided == null) {
            throw new IllegalStateException("nothing was decided about offset " + offset + " of " + lane.id);
        }
        return new DecisionRow(
                stream.topic(),
                stream.consumer(),
                lane.id.partition(),
                offset,
                decided,
                decidedBy,
                position,
                problem.what());
    }
}
