package io.aardappel.operator.plan;

import io.aardappel.contract.Membership;
import io.aardappel.crds.api.Database;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationSpec;
import io.aardappel.crds.api.ReplicationStatus;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * By which a person says that members are to be taken out for good. It counts once: one that was carried out stands in the status,
 * and must be taken away, or written otherwise, before it is heeded again. Else it would confirm a mistake of a later day.
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
    static Optional<Confirmation> open(Replication resource) {
        ReplicationStatus status = resource.getStatus();
        String answered = status == null ? null : status.removed();
        return of(resource).filter(one -> !one.id().equals(answered));
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
     * and nothing is left that it would take out now.
     */
    static Optional<String> answered(Replication resource, Streams streams) {
        Optional<Confirmation> one = of(resource);
        if (one.isEmpty()) {
            return Optional.empty();
        }
        ReplicationStatus status = resource.getStatus();
        String before = status == null ? null : status.removed();
        if (before != null && one.get().id().equals(before)) {
            return Optional.of(before);
        }
        boolean done = streams.removed().isEmpty()
                && streams.rows().values().stream()
                        .filter(row -> row.membership() == Membership.REMOVED)
                        .anyMatch(row ->
                                one.get().names(row.key(), resource.getSpec().source()));
        return done ? Optional.of(one.get().id()) : Optional.empty();
    }
}
