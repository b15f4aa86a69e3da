package io.aardappel.replicator.ydb.target;

import io.aardappel.replicator.ydb.target.StateView.Holder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Another instance that keeps its state in the same table.
 *
 * @param instance key of its row
 * @param holder of its lock, absent while that is free
 * @param freeSince when its lock became free, by the server's clock; absent while it is held, and where nobody ever took it
 * @param isRecorded whether rows of ours say which streams it has; the Go program leaves none, and a new one has none yet
 * @param streams those that are recorded, without those that were removed
 */
public record Neighbour(
        String instance,
        Optional<Holder> holder,
        Optional<Instant> freeSince,
        boolean isRecorded,
        List<Stream> streams) {
    /**
     * What to do where another instance reads a stream by the same consumer; without a full stop.
     *
     * @param instance name of the other
     */
    public static String howToKeepApart(String instance) {
        return "To go on with that copy, use its name, instance_id: " + instance
                + ". For a copy beside it, name a consumer and tables that no other instance uses."
                + " If that instance is given up for good, take its stream out with its own file:"
                + " bin/replicator members remove (docs/members.md)";
    }

    /**
     * What it replicates.
     *
     * @param topicCreatedAt when the topic was created, milliseconds since the epoch; 0 where that is not known
     */
    public record Stream(String topic, String consumer, String table, long topicCreatedAt) {}
}
