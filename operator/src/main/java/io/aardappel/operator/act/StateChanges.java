package io.aardappel.operator.act;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.plan.StreamKey;
import java.util.List;

/** What is done in the destination. Doing it twice does no harm. Every call may wait for the database, within a bound. */
public interface StateChanges {
    /**
     * Sets the state of the resource's row from FATAL_ERROR to OK.
     *
     * @throws StateChangeException when it could not be done
     */
    void clearFatal(Replication resource);

    /**
     * Takes streams out of the instance's members. Refuses while somebody holds the lock.
     *
     * @throws StateChangeException when it could not be done
     */
    void removeMembers(Replication resource, List<StreamKey> streams);

    /**
     * Removes every row of the instance. Refuses while somebody holds the lock.
     *
     * @throws StateChangeException when it could not be done
     */
    void deleteState(Replication resource);
}
