package io.aardappel.operator.state;

import io.aardappel.contract.StateTable;
import io.aardappel.contract.TableName;
import io.aardappel.crds.api.Replication;
import io.aardappel.operator.act.StateChangeException;
import io.aardappel.operator.act.StateChanges;
import io.aardappel.operator.observe.PolledStates.Destinations;
import io.aardappel.operator.plan.StreamKey;
import io.aardappel.operator.resources.Identity;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import tech.ydb.core.grpc.GrpcTransport;

/**
 * Changes rows in the destinations of resources. Each change is one serializable transaction that reads what it relies on, so that
 * it and whatever another program does meanwhile take effect one after the other, or one of the two does not at all. Opens a
 * connection for each change. Thread-safe.
 */
public final class DestinationChanges implements StateChanges {
    private static final Duration WITHIN = Duration.ofSeconds(20);

    private final Destinations destinations;
    private final String host;
    private final Duration within;

    /**
     * Changes over connections of this kind. A change takes 20 seconds at most, beside the time that opening a connection takes.
     *
     * @param host of the operator, such as its pod's name; it stands in the owner that a change leaves in the row of the lock
     */
    public DestinationChanges(Destinations destinations, String host) {
        this(destinations, host, WITHIN);
    }

    /** @param within how long a change may take, beside the time that opening a connection takes */
    DestinationChanges(Destinations destinations, String host, Duration within) {
        this.destinations = destinations;
        this.host = host;
        this.within = within;
    }

    /** What is done to the rows of an instance. */
    @FunctionalInterface
    private interface Change {
        void to(InstanceRows rows) throws CallFailedException;
    }

    @Override
    public void clearFatal(Replication resource, String lastMessage) {
        change(resource, "FATAL_ERROR could not be cleared", rows -> rows.clearFatal(lastMessage));
    }

    @Override
    public void removeMembers(Replication resource, List<StreamKey> streams) {
        change(resource, "streams could not be taken out", rows -> rows.removeMembers(streams));
    }

    @Override
    public void deleteState(Replication resource) {
        change(resource, "its rows could not be removed", InstanceRows::delete);
    }

    private void change(Replication resource, String failure, Change change) {
        Identity identity = Identity.of(resource);
        String name = "instance " + identity.instanceId() + " in state table " + identity.stateTable() + ": ";
        TableName table = table(identity, name);
        try (StateTransactions transactions = new StateTransactions(open(resource, name + failure), within)) {
            change.to(new InstanceRows(transactions, table, identity.instanceId(), owner()));
        } catch (CallFailedException failed) {
            throw new StateChangeException(
                    name
                            + failure
                            + (failed.isPassing() ? " within " + within.toSeconds() + " s: " : ": ")
                            + failed.getMessage(),
                    failed);
        }
    }

    private static TableName table(Identity identity, String name) {
        try {
            return TableName.parse(identity.stateTable());
        } catch (IllegalArgumentException invalid) {
            throw new StateChangeException(name + invalid.getMessage(), invalid);
        }
    }

    private GrpcTransport open(Replication resource, String what) {
        try {
            return destinations.open(resource);
        } catch (RuntimeException away) {
            throw new StateChangeException(
                    what + ", because the destination cannot be reached: " + away.getMessage(), away);
        }
    }

    /** New for each change, as for each term of a lock. */
    private String owner() {
        return StateTable.OWNER_PREFIX + host + "_" + UUID.randomUUID();
    }
}
