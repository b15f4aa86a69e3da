package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.core.TransactionBounds;
import java.time.Duration;
import java.util.List;

/**
 * Plain values the engine runs by; checked by whoever reads the configuration.
 *
 * @param instanceId names the replication in messages
 * @param streams in configured order, at least one
 * @param heartbeatInterval H, at least a second: the longest time between two barriers of a partition
 * @param multipleInstances wait for the lock for ever; else give up after {@code lockPatience}
 * @param lockTtl of the lock, two H
 * @param lockPatience how long a single instance waits for the lock
 * @param memoryBytes budget of buffered changes
 * @param transaction bounds of one transaction
 * @param retryPauseMax longest pause before a refused batch is tried again; the first is a hundredth of it
 * @param retryTimeMax how long one batch is tried before that is fatal
 * @param offsetMirrorInterval how often it is noted in our rows which offsets may be committed; so late they are
 * @param describeInterval how often each topic is described
 * @param scanAllowance added to the source's time at lock acquisition when an initial scan has no maximum of its own
 */
public record EngineSettings(
        String instanceId,
        List<StreamSpec> streams,
        Duration heartbeatInterval,
        boolean multipleInstances,
        Duration lockTtl,
        Duration lockPatience,
        long memoryBytes,
        TransactionBounds transaction,
        Duration retryPauseMax,
        Duration retryTimeMax,
        Duration offsetMirrorInterval,
        Duration describeInterval,
        Duration scanAllowance) {

    /** Progress counts as missing in the log after this many heartbeat intervals. */
    public static final int PATIENCE_INTERVALS = 3;

    /** Little of a stream's history is left when it is less than the topic's retention period divided by this. */
    public static final int HISTORY_LITTLE = 10;

    /** Defaults for everything but what a configuration must say. */
    public static EngineSettings of(String instanceId, List<StreamSpec> streams, Duration heartbeatInterval) {
        return new EngineSettings(
                instanceId,
                List.copyOf(streams),
                heartbeatInterval,
                true,
                heartbeatInterval.multipliedBy(2),
                Duration.ofSeconds(55),
                Math.max(32L << 20, Runtime.getRuntime().maxMemory() / 4),
                TransactionBounds.DEFAULT,
                Duration.ofSeconds(5),
                Duration.ofMinutes(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5));
    }

    /** Where a row came from, for a person. */
    String place(RowWrite row) {
        return "stream %s, partition %d, key %s, position %s"
                .formatted(
                        streams.get(row.source().stream()).topic(),
                        row.source().partition(),
                        row.key(),
                        row.position());
    }
}
