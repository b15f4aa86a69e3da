package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamSpec;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Programs and persons that have a hand in the same rows. */
final class Others {
    private final Schedule schedule;
    private final ModelSource source;
    private final History history;
    private final ModelDestination destination;
    /** What somebody moved and nobody set back yet. */
    private final Set<PartitionId> moved = new TreeSet<>();

    private long acts;
    private long moves;

    Others(Schedule schedule, ModelSource source, History history, ModelDestination destination) {
        this.schedule = schedule;
        this.source = source;
        this.history = history;
        this.destination = destination;
    }

    /** How often they did something. */
    long acts() {
        return acts;
    }

    /** Another program takes the lock, brings everything up to a later checkpoint, and knows nothing of our rows. */
    void moveOn() {
        Position complete = source.complete();
        boolean known = destination.vouched() || destination.instance().isEmpty() && source.readableBelow(complete);
        if (destination.stage() == Stage.RUN
                && !destination.locked(schedule.millis())
                && source.original()
                && known
                && destination.checkpoint().isBefore(complete)) {
            schedule.note("another program moves the checkpoint to %s", complete);
            acts++;
            destination.moveTo(complete, history.asOf(complete));
            source.commitAllBelow(complete);
        }
    }

    /** A person takes the lock away from whoever has it, or sets the checkpoint back. */
    void lendAHand() {
        acts++;
        Position lower = lower();
        if (mayGoBackTo(lower) && schedule.random.nextBoolean()) {
            setBackTo(lower);
        } else {
            schedule.note("a person takes the lock");
            destination.takeLock("person" + acts, schedule.millis() + Plan.TTL_MILLIS);
        }
    }

    private Position lower() {
        return new Position(Math.max(0, destination.checkpoint().step() - schedule.someMillis(1_000)), 0);
    }

    private boolean mayGoBackTo(Position lower) {
        return destination.stage() == Stage.RUN && destination.vouched() && lower.isBefore(destination.checkpoint());
    }

    private void setBackTo(Position lower) {
        schedule.note("a person sets the checkpoint back to %s", lower);
        destination.setCheckpoint(lower);
    }

    /**
     * A person makes the destination take what it refused until now, and sets the checkpoint back to have it applied; what is
     * decided already stays as it was decided.
     */
    void repairDestination() {
        schedule.note("a person makes the destination take what it refused");
        acts++;
        destination.acceptAll(source.lastValue());
        Position lower = lower();
        if (mayGoBackTo(lower)) {
            setBackTo(lower);
        }
    }

    /** A person blocks some keys, and lets others through again. */
    void changeBlockedKeys(int streams, int keys) {
        Set<String> then = new TreeSet<>(destination.blocked());
        for (int i = schedule.random.nextInt(3); i >= 0; i--) {
            String row = LeftOutKeys.name(schedule.random.nextInt(streams), schedule.random.nextInt(keys));
            if (!then.remove(row)) {
                then.add(row);
            }
        }
        acts++;
        schedule.note("a person blocks %s", Set.copyOf(then));
        destination.block(then);
    }

    /**
     * Somebody who has no business here commits for the consumer of a partition. Only where it can be known: its stream is
     * recorded, and nobody but us has moved the checkpoint.
     */
    void moveConsumer(PartitionId partition, String topic) {
        ModelSource.Part part = source.part(partition);
        boolean recorded = destination.members().contains(topic);
        boolean ours = destination.stage() == Stage.INITIAL_SCAN || Position.ZERO.isBefore(destination.checkpoint());
        int ahead = part.log.size() - (int) part.committed;
        if (recorded && ours && ahead > 0) {
            part.committed += 1 + schedule.random.nextInt(ahead);
            schedule.note("somebody moves the consumer of %s to %s", partition, part.committed);
            acts++;
            moves++;
            moved.add(partition);
        }
    }

    /** Whether somebody moved a consumer. */
    boolean movedConsumers() {
        return moves > 0;
    }

    /** A person sets the consumers back to where our rows say that they may be. */
    void setConsumersBack(List<StreamSpec> streams) {
        for (PartitionId partition : moved) {
            long noted = destination.noted(streams.get(partition.stream()).topic(), partition.partition());
            ModelSource.Part part = source.part(partition);
            if (part.committed > noted) {
                schedule.note("a person sets the consumer of %s back from %s to %s", partition, part.committed, noted);
                part.committed = noted;
            }
        }
        moved.clear();
    }

    /** A person takes a stream out while no process runs. */
    void removeMember() {
        List<String> members = List.copyOf(destination.members());
        if (members.size() > 1 && !destination.locked(schedule.millis())) {
            String chosen = members.get(schedule.random.nextInt(members.size()));
            schedule.note("a person removes %s", chosen);
            acts++;
            destination.takeLock("members" + acts, schedule.millis());
            destination.removeMember(chosen);
        }
    }
}
