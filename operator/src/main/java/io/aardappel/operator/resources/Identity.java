package io.aardappel.operator.resources;

import io.aardappel.crds.api.Database;
import io.aardappel.crds.api.Replication;

/**
 * By which an instance is known outside the cluster: where its row is. Written as the resource writes it; two spellings of one place
 * are told apart only by the lock.
 *
 * @param destination address and path of the database
 * @param stateTable as the resource has it
 * @param instanceId key of the row
 */
public record Identity(String destination, String stateTable, String instanceId) {
    /** Of the instance that a resource replicates. */
    public static Identity of(Replication resource) {
        return new Identity(
                place(resource.getSpec().destination()),
                resource.getSpec().stateTable(),
                ConfigText.instanceId(resource));
    }

    /** Address and path of a database, however the two are written. */
    public static String place(Database database) {
        return ConfigText.connectionString(database);
    }
}
