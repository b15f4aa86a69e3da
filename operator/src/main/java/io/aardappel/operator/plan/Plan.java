package io.aardappel.operator.plan;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationStatus;
import java.util.List;

/**
 * What is to be done, and what the status is to say once it was done. Immutable.
 *
 * @param actions in this order; none when there is nothing to do
 */
public record Plan(List<Action> actions, ReplicationStatus status) {
    public Plan {
        actions = List.copyOf(actions);
    }

    /** Whether nothing is left of a resource that is being deleted once this was done, so that it has no status either. */
    public boolean letsGo(Replication resource) {
        return resource.getMetadata().getDeletionTimestamp() != null && actions.contains(new Action.Release());
    }
}
