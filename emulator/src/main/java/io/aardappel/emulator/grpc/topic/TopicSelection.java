package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.model.topic.Topic;
import java.util.Set;

/**
 * What a read stream wants of one topic.
 *
 * @param path relative to the database and without a slash at its beginning, as YDB names topics to readers
 * @param partitions only these, empty for all
 * @param maxLagMillis messages older than this are passed over, 0 for none
 * @param readFromMillis messages written before this are passed over, 0 for none
 */
record TopicSelection(Topic topic, String path, Set<Integer> partitions, long maxLagMillis, long readFromMillis) {
    TopicSelection {
        partitions = Set.copyOf(partitions);
    }

    boolean names(int partition) {
        return partitions.contains(partition);
    }

    boolean accepts(int partition) {
        return partitions.isEmpty() || names(partition);
    }
}
