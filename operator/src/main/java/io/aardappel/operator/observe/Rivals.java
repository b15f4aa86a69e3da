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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Resources that must not be served both: two of one instance would take each other's lock, two readers by one consumer each get a
 * part of what they need. The elder is served. Thread-safe.
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

    /**
     * What a resource claims, at one version of it.
     *
     * @param consumers database as it is written, topic and consumer; also of streams that were left out and run on
     */
    private record Claims(String version, Identity instance, Set<String> consumers) {
        static Claims of(Replication one) {
            return new Claims(version(one), Identity.of(one), readers(one));
        }

        static String version(Replication one) {
            return String.valueOf(one.getMetadata().getResourceVersion());
        }
    }

    /** By uid. Each look at one resource compares it with all others, and nearly all are as they were at the look before. */
    private final Map<String, Claims> known = new ConcurrentHashMap<>();

    /** What keeps this one from being served, among all there are; it names an elder that is served, where there is one. */
    public Optional<Observed.Obstacle> obstacle(Replication one, java.util.stream.Stream<Replication> all) {
        List<Replication> everyone = all.toList();
        forgetOthers(everyone);
        List<Elder> elders = elders(one, everyone);
        return elders.stream()
                .limit(ELDERS_MAX)
                .filter(elder -> elders(elder.resource(), everyone).isEmpty())
                .findFirst()
                .map(Elder::why)
                .or(() -> elders.stream().findFirst().map(elder -> elder.why() + refused(elder, everyone)))
                .map(why -> new Observed.Obstacle(Reason.CONFLICT, why));
    }

    /** Seldom: of those that are gone not many more are kept than there are. */
    private void forgetOthers(List<Replication> everyone) {
        if (known.size() > 2 * everyone.size()) {
            known.keySet()
                    .retainAll(everyone.stream()
                            .map(one -> one.getMetadata().getUid())
                            .collect(Collectors.toSet()));
        }
    }

    private Claims claims(Replication one) {
        String uid = one.getMetadata().getUid();
        Claims before = known.get(uid);
        if (before != null && before.version().equals(Claims.version(one))) {
            return before;
        }
        Claims now = Claims.of(one);
        known.put(uid, now);
        return now;
    }

    private String refused(Elder elder, List<Replication> everyone) {
        return elders(elder.resource(), everyone).stream()
                .findFirst()
                .map(eldest -> ". That one is not served either, because of " + Elder.name(eldest.resource()))
                .orElse("");
    }

    /** The oldest first. */
    private List<Elder> elders(Replication one, List<Replication> all) {
        Claims ours = claims(one);
        return all.stream()
                .filter(other ->
                        !other.getMetadata().getUid().equals(one.getMetadata().getUid()))
                .filter(other -> other.getMetadata().getDeletionTimestamp() == null)
                .filter(other -> BY_AGE.compare(other, one) < 0)
                .flatMap(elder -> conflict(ours, elder).map(why -> new Elder(elder, why)).stream())
                .sorted(Comparator.comparing(Elder::resource, BY_AGE))
                .toList();
    }

    private Optional<String> conflict(Claims ours, Replication elder) {
        String name = Elder.name(elder);
        Claims theirs = claims(elder);
        if (theirs.instance().equals(ours.instance())) {
            return Optional.of(name + " is older and replicates the same instance, "
                    + ours.instance().instanceId()
                    + ", with the same state table: delete one of the two, or give this one an instanceId of its own");
        }
        return theirs.consumers().stream()
                .filter(ours.consumers()::contains)
                .findFirst()
                .map(consumer -> name + " is older and reads by the same consumer: " + consumer.replace("\t", ", ")
                        + "; give this one a consumer of its own");
    }

    private static Set<String> readers(Replication one) {
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
