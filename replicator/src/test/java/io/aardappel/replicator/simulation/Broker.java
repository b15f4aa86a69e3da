package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.simulation.ModelSource.Part;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/** The servers of the source as all processes share them: which reader has a partition, and what is committed. */
final class Broker {
    private final ModelSource source;
    private final ObjLongConsumer<PartitionId> check;
    private final Map<PartitionId, ModelReader> readers = new HashMap<>();
    private long sessions;

    /** @param check looks at every commit before it takes effect */
    Broker(ModelSource source, ObjLongConsumer<PartitionId> check) {
        this.source = source;
        this.check = check;
    }

    Part part(PartitionId partition) {
        return source.part(partition);
    }

    /** The reader has the partition from now on, and nobody else. */
    long begin(PartitionId partition, ModelReader reader) {
        ModelReader other = readers.put(partition, reader);
        if (other != null && other != reader) {
            other.lose(partition, "taken by another reader");
        }
        return ++sessions;
    }

    void end(PartitionId partition, ModelReader reader) {
        readers.remove(partition, reader);
    }

    /** Nothing happens when as much was committed already. */
    void commit(PartitionId partition, long offset) {
        if (offset > part(partition).committed) {
            check.accept(partition, offset);
            part(partition).committed = offset;
        }
    }
}
