package io.aardappel.operator.plan;

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
}
