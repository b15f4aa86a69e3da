package io.aardappel.operator.plan;

import io.aardappel.contract.Membership;
import io.aardappel.crds.api.Database;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationSpec;
import io.aardappel.crds.api.ReplicationStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * By which a person says that members are to be taken out for good. It counts once: one that was carried out stands in the status,
 * and must be taken away, or written otherwise, before it is heeded again. Else it would confirm a mistake of a later day.
 *
 * <p>It counts for a resource that is served alone, for only of such a one does its status tell what is kept. One that stands before
 * that, or while the instance is another resource's, is void for good: the status has it as one that was carried out.
 *
 * @param value of the annotation, as it is written
 * @param entries each {@code TOPIC:CONSUMER}
 */
record Confirmation(String value, Set<String> entries) {
    private static final String BETWEEN = "[,\\s]+";

    /** In a status, in characters. */
    private static final int VALUE_MAX = 253;

    private static final int HASH_DIGITS = 32;

    /** The one that stands at a resource, carried out or not. */
    static Optional<Confirmation> of(Replication resource) {
        Map<String, String> annotations = resource.getMetadata().getAnnotations();
        String value = annotations == null ? null : annotations.get(Commands.REMOVE_STREAMS);
        if (value == null || value.isBlank()) {
            return Optional.empty();
        }
        Set<String> entries = new LinkedHashSet<>();
        for (String entry : value.strip().split(BETWEEN, -1)) {
            entries.add(entry);
        }
        entries.remove("");
        return Optional.of(new Confirmation(value, entries));
    }

    /** By which the status knows it: its value, or a hash of one that is long. */
    String id() {
        return value.length() <= VALUE_MAX ? value : "sha256:" + Digest.of(value, HASH_DIGITS);
    }

    /** The one that is to be heeded. */
    static Optional<Confirmation> open(Observed seen) {
        ReplicationStatus status = seen.resource().getStatus();
        String answered = status == null ? null : status.removed();
        return of(seen.resource())
                .filter(one -> !isVoid(seen))
                .filter(one -> !one.id().equals(answered));
    }

    /**
     * Whether one that stands now was set for nothing: the resource is not served, or was not when its status was written last, and so
     * has told nobody what there is to be confirmed.
     */
    static boolean isVoid(Observed seen) {
        Optional<String> before = StatusText.previous(seen.resource().getStatus(), ConditionType.CONFIGURED)
                .map(Condition::getReason);
        return !seen.isServed() || before.isEmpty() || before.get().equals(Reason.CONFLICT.word());
    }

    /**
     * Whether it is about a stream.
     *
     * @param source to which its topics may be relative
     */
    boolean names(StreamKey key, Database source) {
        return entries.contains(key.written(source)) || entries.contains(key.topic() + ":" + key.consumer());
    }

    /** Entries that name neither a stream of the instance nor one of the resource; none while the rows are not known. */
    Set<String> unknown(ReplicationSpec spec, Streams streams) {
        Set<String> left = new LinkedHashSet<>(entries);
        if (streams.rows().isEmpty()) {
            return Set.of();
        }
        java.util.stream.Stream.concat(
                        streams.rows().keySet().stream(),
                        spec.streams().stream().map(stream -> StreamKey.of(stream, spec.source())))
                .forEach(key -> {
                    left.remove(key.written(spec.source()));
                    left.remove(key.topic() + ":" + key.consumer());
                });
        return left;
    }

    /**
     * What the status is to say of it: its value once it was carried out, that is when something that it names was taken out
     * and nothing is left that it would take out now; or when it is void. While the rows cannot be read it is not known whether it was
     * carried out.
     */
    static Optional<String> answered(Observed seen, Streams streams) {
        Replication resource = seen.resource();
        Optional<Confirmation> one = of(resource);
        if (isVoid(seen)) {
            return one.map(Confirmation::id);
        }
        ReplicationStatus status = resource.getStatus();
        Optional<String> before = Optional.ofNullable(status == null ? null : status.removed());
        if (!(seen.state() instanceof StateSeen.Row)) {
            return before;
        }
        if (one.isEmpty() || before.equals(one.map(Confirmation::id))) {
            return one.map(Confirmation::id);
        }
        boolean done = streams.removed().isEmpty()
                && streams.rows().values().stream()
                        .filter(row -> row.membership() == Membership.REMOVED)
                        .anyMatch(row ->
                                one.get().names(row.key(), resource.getSpec().source()));
        return done ? Optional.of(one.get().id()) : Optional.empty();
    }
}
