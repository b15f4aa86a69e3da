package io.aardappel.replicator.core;

import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.StreamRecord.Change;
import java.util.List;
import java.util.Optional;

/**
 * Finds the records that the destination refuses and has them asked about: those that make a row it named, or else by smaller
 * batches. What cannot be parted is asked about as a whole. Not thread-safe.
 */
final class Culprits {
    private final Lanes lanes;
    private final Questions questions;
    private final WholePositions wholes;
    private final Fold fold;
    private final Suspects suspects = new Suspects();

    Culprits(Lanes lanes, Questions questions, WholePositions wholes, Fold fold) {
        this.lanes = lanes;
        this.questions = questions;
        this.wholes = wholes;
        this.fold = fold;
    }

    /**
     * A batch that was refused.
     *
     * @param changes in it
     * @param canBeParted whether some of them may be tried without the others
     * @param whole whether it was decided that they be applied together
     * @param row that is refused, empty when the destination did not say
     */
    record Refused(List<Pending> changes, boolean canBeParted, boolean whole, Optional<RowWrite> row, Problem why) {}

    void refused(Refused refused) {
        Problem why = refused.why();
        List<Pending> changes = refused.changes();
        List<Pending> suspected = changes.stream()
                .filter(pending -> refused.row().isEmpty()
                        || fold.makes(pending, refused.row().get()))
                .toList();
        boolean pinned = suspected.size() == 1;
        if (!pinned && refused.canBeParted()) {
            suspects.among(changes.size());
        } else if (suspects.found(why.reason() == Reason.DESTINATION_FAILED) || changes.isEmpty()) {
            lanes.fail(why);
        } else if (pinned || refused.row().isPresent()) {
            suspected.forEach(pending -> askAbout(pending, why));
        } else if (refused.whole()) {
            lanes.fail(allTheSame(asAWhole(changes, why)));
        } else {
            askAboutAll(changes, asAWhole(changes, why));
        }
    }

    /** The bounds to cut by while something is looked for. */
    TransactionBounds narrow(TransactionBounds bounds) {
        return suspects.narrow(bounds);
    }

    /** A batch is durable. */
    void cleared(int changes, int rows) {
        suspects.cleared(changes, rows);
    }

    /** A record that the destination refuses. */
    private void askAbout(Pending pending, Problem why) {
        Problem problem = new Problem(
                Reason.UNFIT_RECORD,
                "%s, offset %d, key %s, position %s: %s"
                        .formatted(
                                lanes.problems().name(pending.lane.id),
                                pending.offset,
                                pending.change().key(),
                                pending.position(),
                                why.what()),
                why.remedy());
        if (questions.isDecided(pending)) {
            lanes.fail(allTheSame(problem));
            return;
        }
        Change change = pending.change();
        pending.lane.takeOut(pending);
        questions.ask(pending.lane, pending.offset, change.position(), change, problem);
        lanes.command(question(pending, change, problem, List.of()));
    }

    private static Problem allTheSame(Problem problem) {
        return new Problem(
                problem.reason(),
                problem.what() + "; a command orders to apply it, and the destination refuses it all the same",
                problem.remedy());
    }

    /** All changes of one position; what was decided about them before holds. */
    void askAboutAll(List<Pending> changes, Problem why) {
        Pending first = changes.stream()
                .filter(pending -> !questions.isDecided(pending))
                .findFirst()
                .orElse(changes.get(0));
        if (wholes.actionOf(first.position()) != null) {
            wholes.recall(first, why);
            return;
        }
        wholes.ask(first, why);
        List<Command.Companion> companions = changes.stream()
                .filter(pending -> !pending.equals(first))
                .map(pending -> new Command.Companion(pending.lane.id, pending.offset, pending.change()))
                .toList();
        lanes.command(question(first, first.change(), why, companions));
    }

    private static Command.Ask question(
            Pending about, Change change, Problem problem, List<Command.Companion> companions) {
        return new Command.Ask(
                about.lane.id,
                about.offset,
                change.position(),
                change.key().toString(),
                Optional.of(change),
                Optional.empty(),
                Optional.empty(),
                problem,
                companions);
    }

    private Problem asAWhole(List<Pending> changes, Problem why) {
        Pending first = changes.get(0);
        return new Problem(
                Reason.UNFIT_RECORD,
                "position %s (%s, offset %d, key %s): its %d changes are refused together, and it is not known for which: %s"
                        .formatted(
                                first.position(),
                                lanes.problems().name(first.lane.id),
                                first.offset,
                                first.change().key(),
                                changes.size(),
                                why.what()),
                why.remedy());
    }
}
