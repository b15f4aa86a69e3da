package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Barrier;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.engine.SourceEvent;
import java.util.function.Supplier;

/** A reader that commits offsets otherwise than it was asked to. */
final class FaultyReader extends ModelReader {
    private final Fault fault;
    private final Supplier<Position> checkpoint;

    /** @param checkpoint as the destination has it */
    FaultyReader(Parts parts, Fault fault, Supplier<Position> checkpoint) {
        super(parts);
        this.fault = fault;
        this.checkpoint = checkpoint;
    }

    @Override
    public void taken(SourceEvent.Records records) {
        super.taken(records);
        Session session = session(records.partition());
        if (fault == Fault.OFFSETS_BEFORE_COMMIT && session != null && session.number == records.session()) {
            super.commit(records.partition(), session, records.nextOffset());
        }
    }

    @Override
    void commit(PartitionId partition, Session session, long to) {
        switch (fault) {
            case OFFSETS_PAST_THE_WITNESS -> super.commit(partition, session, pastTheWitness(partition, session, to));
            case CHILD_COMMITTED_BEFORE_ITS_PARENT -> {
                acknowledge(partition, session, to);
                later(partition, 400, () -> commitAtOnce(partition, session, to));
            }
            default -> super.commit(partition, session, to);
        }
    }

    /** Up to the first change that is not applied, whatever barriers lie before it. */
    private long pastTheWitness(PartitionId partition, Session session, long to) {
        long end = to;
        while (end < session.position) {
            StreamRecord record = broker.part(known(partition)).log.get((int) end);
            boolean done = record instanceof Barrier
                    || record instanceof Change change && change.position().isBefore(checkpoint.get());
            if (!done) {
                break;
            }
            end++;
        }
        return end;
    }
}
