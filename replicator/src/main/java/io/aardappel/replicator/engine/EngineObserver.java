package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Batch;

/** Told on the engine's thread what histograms need and a snapshot cannot hold. Must not block or throw. */
public interface EngineObserver {
    /** Sees nothing. */
    EngineObserver NONE = new EngineObserver() {};

    /**
     * A transaction is durable.
     *
     * @param nanos from its first request to its outcome, retries included
     * @param waitedNanos from the last transaction's outcome to this one's decision
     */
    default void committed(Batch batch, long nanos, long waitedNanos) {}

    /** That many changes of the stream went into the last committed transaction. */
    default void applied(int stream, int changes) {}

    /** A transaction is tried again. */
    default void retried(String cause) {}

    /** A record says that the schema of the stream's source table changed; again when it is read again. */
    default void schemaChanged(int stream) {}
}
