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
import java.util.List;
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

    /** Among so many elders, the oldest first, one is looked for that is served itself. */
    private static final int ELDERS_MAX = 10;

    /**
     * An elder that keeps another from being served.
     *
     * @param why for a person
     */
    private record Elder(Replication resource, String why) {
        static String name(Replication one) {
            return one.getMetadata().getNamespace() + "/" + one.getMetadata().getName();
        }
    }

    private Rivals() {}

    /** What keeps this one from being served, among all there are; it names an elder that is served, where there is one. */
    public static Optional<Observed.Obstacle> obstacle(Replication one, java.util.stream.Stream<Replication> all) {
        List<Replication> everyone = all.toList();
        List<Elder> elders = elders(one, everyone);
        return elders.stream()
                .limit(ELDERS_MAX)
                .filter(elder -> elders(elder.resource(), everyone).isEmpty())
                .findFirst()
                .map(Elder::why)
                .or(() -> elders.stream().findFirst().map(elder -> elder.why() + refused(elder, everyone)))
                .map(why -> new Observed.Obstacle(Reason.CONFLICT, why));
    }

    private static String refused(Elder elder, List<Replication> everyone) {
        return elders(elder.resource(), everyone).stream()
                .findFirst()
                .map(eldest -> ". That one is not served either, because of " + Elder.name(eldest.resource()))
                .orElse("");
    }

    /** The oldest first. */
    private static List<Elder> elders(Replication one, List<Replication> all) {
        Identity instance = Identity.of(one);
        Set<String> consumers = consumers(one);
        return all.stream()
                .filter(other ->
                        !other.getMetadata().getUid().equals(one.getMetadata().getUid()))
                .filter(other -> other.getMetadata().getDeletionTimestamp() == null)
                .filter(other -> BY_AGE.compare(other, one) < 0)
                .flatMap(elder -> conflict(instance, consumers, elder).map(why -> new Elder(elder, why)).stream())
                .sorted(Comparator.comparing(Elder::resource, BY_AGE))
                .toList();
    }

    private static Optional<String> conflict(Identity instance, Set<String> consumers, Replication elder) {
        String name = Elder.name(elder);
        if (Identity.of(elder).equals(instance)) {
            return Optional.of(name + " is older and replicates the same instance, " + instance.instanceId()
                    + ", with the same state table: delete one of the two, or give this one an instanceId of its own");
        }
        return consumers(elder).stream()
                .filter(consumers::contains)
                .findFirst()
                .map(consumer -> name + " is older and reads by the same consumer: " + consumer.replace("\t", ", ")
                        + "; give this one a consumer of its own");
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
