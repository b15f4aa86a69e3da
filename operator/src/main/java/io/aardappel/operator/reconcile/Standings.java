package io.aardappel.operator.reconcile;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationStatus;

/** Is told how each resource is, after each pass. Thread-safe, and returns at once. */
public interface Standings {
    /** The resource is like this now. */
    void now(Replication resource, ReplicationStatus status);

    /** The resource is gone. */
    void gone(Replication resource);
}
