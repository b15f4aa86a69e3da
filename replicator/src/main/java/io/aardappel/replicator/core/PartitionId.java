package io.aardappel.replicator.core;

/**
 * One partition of one stream's topic.
 *
 * @param stream index of the stream in the configured order, from 0
 * @param partition the topic's own partition id
 */
public record PartitionId(int stream, long partition) implements Comparable<PartitionId> {
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
