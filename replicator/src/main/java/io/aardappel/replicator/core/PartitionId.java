package io.aardappel.replicator.core;

import java.util.NavigableMap;

/**
 * One partition of one stream's topic.
 *
 * @param stream index of the stream in the configured order, from 0
 * @param partition the topic's own partition id
 */
public record PartitionId(int stream, long partition) implements Comparable<PartitionId> {
    /** What the map has of one stream's partitions, as a view. */
    static <T> NavigableMap<PartitionId, T> ofStream(NavigableMap<PartitionId, T> all, int stream) {
        return all.subMap(new PartitionId(stream, Long.MIN_VALUE), true, new PartitionId(stream, Long.MAX_VALUE), true);
    }

    @Override
    public int compareTo(PartitionId other) {
        int byStream = Integer.compare(stream, other.stream);
        return byStream != 0 ? byStream : Long.compare(partition, other.partition);
    }

    @Override
    public String toString() {
        return stream + "/" + partition;
    }
}
