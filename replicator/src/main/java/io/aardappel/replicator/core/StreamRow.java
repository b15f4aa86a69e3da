package io.aardappel.replicator.core;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/**
 * Our row about one stream: which topic the checkpoint stands for, and how far its consumer may be.
 *
 * @param topicCreatedAt when the topic was created, milliseconds since the epoch; tells a re-created topic
 * @param committed offsets up to which we may have committed, by partition id; 0 for a partition that is absent
 * @param tableCreated when the destination table was created, by its database's virtual time; tells one that was made anew.
 *     {@link Position#ZERO} when that is not known
 */
public record StreamRow(
        String topic,
        String consumer,
        String table,
        long topicCreatedAt,
        StreamState state,
        Map<Long, Long> committed,
        Position tableCreated) {

    /** One of which it is not known when its table was created. */
    public StreamRow(
            String topic,
            String consumer,
            String table,
            long topicCreatedAt,
            StreamState state,
            Map<Long, Long> committed) {
        this(topic, consumer, table, topicCreatedAt, state, committed, Position.ZERO);
    }

    /** Whether the checkpoint stands for the stream by this row. */
    public boolean isMember(StreamSpec stream) {
        return state == StreamState.MEMBER && topic.equals(stream.topic()) && consumer.equals(stream.consumer());
    }

    /** The same with when its table was created, where that was not known and is. */
    StreamRow madeKnown(Position created) {
        return tableCreated.equals(Position.ZERO)
                ? new StreamRow(topic, consumer, table, topicCreatedAt, state, committed, created)
                : this;
    }

    /**
     * Whether its table is another one of the same name than the one that the checkpoint stands for.
     *
     * @param created when the table that is there was created; {@link Position#ZERO} when that is not known
     */
    public boolean isOfAnotherTable(Position created) {
        return !tableCreated.equals(Position.ZERO) && !created.equals(Position.ZERO) && !tableCreated.equals(created);
    }

    /** The same of a stream that the checkpoint does not stand for any more. */
    public StreamRow removed() {
        return new StreamRow(topic, consumer, table, topicCreatedAt, StreamState.REMOVED, committed, tableCreated);
    }

    /** The same with no offset lower than these, and without partitions that are not known any more. */
    StreamRow raisedTo(Map<Long, Long> offsets, LongPredicate known) {
        Map<Long, Long> raised = new TreeMap<>(committed);
        offsets.forEach((partition, offset) -> {
            if (offset > 0) {
                raised.merge(partition, offset, Math::max);
            }
        });
        raised.keySet().removeIf(partition -> !known.test(partition));
        return new StreamRow(topic, consumer, table, topicCreatedAt, state, raised, tableCreated);
    }
}
