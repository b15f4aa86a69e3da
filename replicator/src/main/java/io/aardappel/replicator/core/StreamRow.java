package io.aardappel.replicator.core;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/**
 * Our row about one stream: which topic the checkpoint stands for, and how far its consumer may be.
 *
 * @param topicCreatedAt when the topic was created, milliseconds since the epoch; tells a re-created topic
 * @param committed offsets up to which we may have committed, by partition id; 0 for a partition that is absent
 */
public record StreamRow(
        String topic,
        String consumer,
        String table,
        long topicCreatedAt,
        StreamState state,
        Map<Long, Long> committed) {

    /** The same with no offset lower than these, and without partitions that are not known any more. */
    StreamRow raisedTo(Map<Long, Long> offsets, LongPredicate known) {
        Map<Long, Long> raised = new TreeMap<>(committed);
        offsets.forEach((partition, offset) -> {
            if (offset > 0) {
                raised.merge(partition, offset, Math::max);
            }
        });
        raised.keySet().removeIf(partition -> !known.test(partition));
        return new StreamRow(topic, consumer, table, topicCreatedAt, state, raised);
    }
}
