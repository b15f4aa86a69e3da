package io.aardappel.operator.act;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.plan.StreamKey;
import java.util.List;

/** What is done in the destination. Doing it twice does no harm. Every call may wait for the database, within a bound. */
public interface StateChanges {
    /**
     * Sets the state of the resource's row from FATAL_ERROR to OK, and forgets its message. Does nothing where there is no
     * FATAL_ERROR.
     *
     * @param lastMessage of the row as it was seen, whole; where the row has another one now, nothing is changed
     * @throws StateChangeException when it could not be done
     */
    void clearFatal(Replication resource, String lastMessage);

    /**
     * Takes streams out of the instance's members; those that are none any more are passed over. Refuses while somebody holds the
     * lock.
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
