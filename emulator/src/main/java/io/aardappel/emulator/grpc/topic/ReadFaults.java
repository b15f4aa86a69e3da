package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.fault.Hazards.Strike;
import org.jspecify.annotations.Nullable;

/** Asks for the faults that a read stream can meet. */
final class ReadFaults {
    private final Faults faults;

    ReadFaults(Faults faults) {
        this.faults = faults;
    }

    @Nullable
    Strike strike(Fault fault, PartitionSession session) {
        return strike(fault, Operation.TOPIC_READ, session);
    }

    @Nullable
    Strike strike(Fault fault, Operation operation, PartitionSession session) {
        String path = session.topic().path();
        return faults.strike(fault, Site.at(path, operation, path).inPartition(session.partition));
    }
}
