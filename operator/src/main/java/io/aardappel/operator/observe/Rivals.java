package io.aardappel.operator.observe;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationSpec;
import io.aardappel.crds.api.ReplicationStatus;
import io.aardappel.crds.api.Stream;
import io.aardappel.operator.plan.Observed;
import io.aardappel.operator.plan.Reason;
import io.aardappel.operator.plan.StreamKey;
import io.aardappel.operator.resources.Identity;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Resources that must not be served both: two of one instance would take each other's lock, two readers by one consumer each get a
 * part of what they need. The elder is served.
 */
public final class Rivals {
    private static final Comparator<Replication> BY_AGE = Comparator.comparing(
                    (Replication one) -> one.getMetadata().getCreationTimestamp())
            .thenComparing(one -> one.getMetadata().getUid());

    private Rivals() {}

    /** What keeps this one from being served, among all there are. */
    public static Optional<Observed.Obstacle> obstacle(Replication one, java.util.stream.Stream<Replication> all) {
        Identity instance = Identity.of(one);
        Set<String> consumers = consumers(one);
        return all.filter(other ->
                        !other.getMetadata().getUid().equals(one.getMetadata().getUid()))
                .filter(other -> other.getMetadata().getDeletionTimestamp() == null)
                .filter(other -> BY_AGE.compare(other, one) < 0)
                .map(elder -> conflict(instance, consumers, elder))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<Observed.Obstacle> conflict(Identity instance, Set<String> consumers, Replication elder) {
        String name =
                elder.getMetadata().getNamespace() + "/" + elder.getMetadata().getName();
        if (Identity.of(elder).equals(instance)) {
            return Optional.of(
                    new Observed.Obstacle(
                            Reason.CONFLICT,
                            name + " is older and replicates the same instance, " + instance.instanceId()
                                    + ", with the same state table: delete one of the two, or give this one an instanceId of its own"));
        }
        return consumers(elder).stream()
                .filter(consumers::contains)
                .findFirst()
                .map(consumer -> new Observed.Obstacle(
                        Reason.CONFLICT,
                        name + " is older and reads by the same consumer: " + consumer.replace("\t", ", ")
                                + "; give this one a consumer of its own"));
    }

    /** Database as it is written, topic and consumer; also of streams that were left out and run on. */
    private static Set<String> consumers(Replication one) {
        ReplicationSpec spec = one.getSpec();
        ReplicationStatus status = one.getStatus();
        Set<String> all = new HashSet<>();
        String database = Identity.place(spec.source());
        for (Stream stream : spec.streams()) {
            StreamKey key = StreamKey.of(stream, spec.source());
            all.add(database + "\t" + key.topic() + "\t" + key.consumer());
        }
        if (status != null && status.streams() != null && status.streams().worst() != null) {
            status.streams().worst().stream()
                    .filter(stream -> stream.state().equals(ReplicationStatus.KEPT))
                    .forEach(stream -> all.add(database + "\t" + stream.sourceTopic() + "\t" + stream.consumer()));
        }
        return all;
    }
}
