package io.aardappel.replicator.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The whole configuration, checked: every value is in its range and every path lies in its database. Prints without
 * secrets.
 *
 * @param source the database that is copied
 * @param destination the database that is kept in step; also holds the state
 * @param stateTablePath absolute path of the state table in the destination
 * @param instanceId key of the state row and name of the lock, not empty
 * @param waitForLock whether to wait for the lock without end (a standby), or to give up after {@code replicator.lock_wait}
 * @param heartbeat H, the longest a partition may go without a heartbeat, 1 s or more; the lock lives 2 H
 * @param streams at least one
 * @param problems what is done about records that are late or do not fit
 * @param keyFilterPath absolute path of the table, in the destination, that names the rows to leave out; empty means none
 * @param monitoring where probes and metrics are served; empty means nowhere
 * @param tuning the values of the {@code replicator} section
 */
public record ReplicatorConfig(
        DatabaseConfig source,
        DatabaseConfig destination,
        String stateTablePath,
        String instanceId,
        boolean waitForLock,
        Duration heartbeat,
        LogLevel logLevel,
        List<StreamConfig> streams,
        ProblemHandling problems,
        Optional<String> keyFilterPath,
        Optional<ListenAddress> monitoring,
        Tuning tuning) {
    public ReplicatorConfig {
        streams = List.copyOf(streams);
    }
}
