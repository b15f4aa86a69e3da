package io.aardappel.replicator.core;

import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.SchemaChange;
import io.aardappel.replicator.core.StreamRecord.Wording;
import java.util.List;
import java.util.Optional;

/** What the core wants done. The engine carries commands out in their order. A closed set. */
public sealed interface Command {
    /** Read the partition, from now on and after every loss of its session. */
    record Open(PartitionId partition) implements Command {}

    /** The partition is done with. */
    record Release(PartitionId partition) implements Command {}

    /** The session begins to deliver at the offset. */
    record Confirm(PartitionId partition, long session, long readOffset) implements Command {}

    /** End the session and begin another, to read lower offsets again. */
    record Reopen(PartitionId partition) implements Command {}

    record Park(PartitionId partition) implements Command {}

    record Resume(PartitionId partition) implements Command {}

    /** Commit offsets {@code [from, to)}. */
    record Commit(PartitionId partition, long session, long from, long to) implements Command {}

    /** The topic has partitions that are not known, perhaps not even visible yet: asked for again until they are. */
    record Describe(int stream) implements Command {}

    /**
     * A record needs a decision.
     *
     * @param key as text, empty where it could not be read
     * @param change the record, absent when it cannot become one
     * @param wording what the record would write if it could become one, absent where it does not say or can
     * @param barrier last one of the partition, absent when it has had none
     * @param problem what to report when the answer is to stop
     * @param companions further records that the answer is about as well: all others of its position, or none
     */
    record Ask(
            PartitionId partition,
            long offset,
            Position position,
            String key,
            Optional<Change> change,
            Optional<Wording> wording,
            Optional<Position> barrier,
            Problem problem,
            List<Companion> companions)
            implements Command {}

    /** A record that shares the fate of the one that is asked about. */
    record Companion(PartitionId partition, long offset, Change change) {}

    /** Tell of a change of a source table's schema; what follows from it is read in the destination's. */
    record TellSchemaChange(PartitionId partition, SchemaChange change) implements Command {}

    /**
     * The partition is read from an offset beyond the one at which its consumer was found: by the program that replicated
     * before, or by somebody whom nobody asked.
     *
     * @param found where it stood when the term began
     */
    record TellMovedOn(PartitionId partition, long found, long committed) implements Command {}

    /** Nothing can go on. */
    record Fail(Problem problem) implements Command {}
}
