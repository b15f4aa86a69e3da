package io.aardappel.replicator.core;

import java.util.Map;

/**
 * Our row about one stream: which topic the checkpoint stands for, and how far its consumer was.
 *
 * @param topicCreatedAt when the topic was created, milliseconds since the epoch; tells a re-created topic
 * @param committed offsets last acknowledged by the server, by partition id; a mirror, at most a minute old
 */
public record StreamRow(
        String topic,
        String consumer,
        String table,
        long topicCreatedAt,
        StreamState state,
        Map<Long, Long> committed) {}
