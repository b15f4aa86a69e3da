package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.simulation.ModelDestination.Mark;
import io.aardappel.replicator.simulation.ModelDestination.Proof;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A way to the destination that leaves out one of the things that make it safe. */
final class FaultyTarget extends ModelTarget {
    private final Fault fault;
    private final List<StreamSpec> configured;

    /** @param configured streams of the process */
    FaultyTarget(
            Schedule schedule,
            ModelDestination destination,
            Host host,
            LeftOutKeys leftOut,
            Check check,
            double refusals,
            Fault fault,
            List<StreamSpec> configured) {
        super(schedule, destination, host, leftOut, check, refusals);
        this.fault = fault;
        this.configured = configured;
    }

    @Override
    boolean proves(Proof found) {
        return switch (fault) {
            case NO_LOCK_PROOF -> true;
            case NO_COMMIT_SEQ ->
                found.owner().equals(known().owner())
                        && found.checkpoint().equals(known().checkpoint())
                        && found.stage() == known().stage();
            default -> super.proves(found);
        };
    }

    @Override
    boolean serverTakes(Attempt attempt, long versionSeen) {
        return switch (fault) {
            case NO_LOCK_PROOF -> true;
            case LATE_REQUEST_AFTER_A_RETRY ->
                destination.owner().equals(attempt.mark().owner());
            default -> super.serverTakes(attempt, versionSeen);
        };
    }

    @Override
    boolean fences() {
        return fault != Fault.NO_LOCK_PROOF
                && fault != Fault.LATE_REQUEST_AFTER_A_RETRY
                && fault != Fault.NO_COMMIT_SEQ;
    }

    @Override
    Optional<Runnable> outcome(Attempt attempt, Set<Long> fencesLeft, Proof found, Mark mark) {
        return switch (fault) {
            case NO_LOCK_PROOF ->
                mark.equals(attempt.mark()) ? Optional.of(() -> tellCommitted(attempt)) : Optional.empty();
            case NO_COMMIT_SEQ -> outcomeByCheckpoint(attempt, fencesLeft, found, mark);
            default -> super.outcome(attempt, fencesLeft, found, mark);
        };
    }

    private Optional<Runnable> outcomeByCheckpoint(Attempt attempt, Set<Long> fencesLeft, Proof found, Mark mark) {
        if (!found.owner().equals(known().owner())) {
            return super.outcome(attempt, fencesLeft, found, mark);
        }
        boolean there =
                attempt.batch().checkpoint().filter(found.checkpoint()::equals).isPresent();
        return Optional.of(() -> {
            if (there) {
                tellCommitted(attempt);
            } else {
                tellRefused(attempt);
            }
        });
    }

    @Override
    void write(Attempt attempt) {
        if (fault != Fault.CHECKPOINT_OUTSIDE_THE_TRANSACTION) {
            super.write(attempt);
            return;
        }
        destination.applyState(attempt.batch(), attempt.mark(), schedule.millis() + Plan.TTL_MILLIS);
        schedule.afterMillis(5, () -> host.run(() -> attempt.batch().tables().forEach(destination::apply)));
    }

    @Override
    Batch sent(Batch batch) {
        return fault != Fault.M_NOT_PERSISTED
                ? batch
                : new Batch(
                        batch.number(),
                        batch.tables(),
                        batch.checkpoint(),
                        batch.stage(),
                        Position.ZERO,
                        batch.phase(),
                        batch.streams(),
                        batch.decisions(),
                        batch.rows(),
                        batch.bytes(),
                        batch.changes());
    }

    @Override
    SavedState loaded(SavedState saved) {
        return switch (fault) {
            case MEMBERSHIP_IGNORED ->
                saved.streams().isEmpty()
                        ? saved
                        : with(
                                saved,
                                configured.stream()
                                        .map(stream -> member(stream, saved))
                                        .toList());
            case APPLY_CARRIED_OUT_TWICE ->
                new SavedState(
                        saved.checkpoint(),
                        saved.state(),
                        saved.lastMessage(),
                        saved.stage(),
                        saved.instance(),
                        saved.streams(),
                        List.of());
            default -> saved;
        };
    }

    private static SavedState with(SavedState saved, List<StreamRow> streams) {
        return new SavedState(
                saved.checkpoint(),
                saved.state(),
                saved.lastMessage(),
                saved.stage(),
                saved.instance(),
                streams,
                saved.decisions());
    }

    private static StreamRow member(StreamSpec stream, SavedState saved) {
        Map<Long, Long> committed = saved.streams().stream()
                .filter(row -> row.topic().equals(stream.topic()))
                .findFirst()
                .map(StreamRow::committed)
                .orElse(Map.of());
        return new StreamRow(stream.topic(), stream.consumer(), stream.table(), 1, StreamState.MEMBER, committed);
    }
}
