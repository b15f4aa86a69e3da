package io.aardappel.operator.observe;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.plan.Observed;
import java.util.Optional;

/** What the Secrets hold that resources name. Thread-safe. */
@FunctionalInterface
public interface SecretBook {
    /**
     * What is known of the Secrets of a resource.
     *
     * @param hash of what they hold; empty when there are none, or not all are known
     * @param obstacle what is missing, and what can be done about it
     */
    record Seen(String hash, Optional<Observed.Obstacle> obstacle) {
        /** Of a resource that names none. */
        public static Seen nothing() {
            return new Seen("", Optional.empty());
        }
    }

    /**
     * Of the resource's Secrets. May ask the API server for them, each once in a period. Never throws for what it
     * answers.
     */
    Seen of(Replication resource);
}
