package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.grpc.Calls;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.fault.Hazards.Strike;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks for the faults that a read stream can meet. */
final class ReadFaults {
    private final Faults faults;

    ReadFaults(Faults faults) {
        this.faults = faults;
    }

    /** Throws the refusal that a fault wants for a stream that opens: one occasion, whatever the number of its topics. */
    void refuseOpening(List<TopicSelection> selections) {
        List<Site> sites = selections.stream()
                .map(selection -> selection.topic().path())
                .map(path -> Site.at(path, Operation.TOPIC_READ, path))
                .toList();
        Calls.refuseByFault(
                faults,
                new Site(
                        sites.get(0).database(),
                        Operation.TOPIC_READ,
                        wanted -> sites.stream().anyMatch(site -> site.touches().test(wanted)),
                        -1));
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
