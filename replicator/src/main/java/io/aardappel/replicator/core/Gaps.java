package io.aardappel.replicator.core;

import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Offsets that a running session passed over, and ends of partitions that it told of: perhaps there was more before the end.
 * Either they never held a record, or the topic forgot them before they were read; only a description asked for afterwards
 * tells. Until then nothing may be applied or committed. Not thread-safe.
 */
final class Gaps {
    /** The first answer may be to a question that was asked before the gap was there. */
    private static final int ANSWERS = 2;

    /** Offsets {@code [from, to)}. */
    record Gap(long from, long to) {}

    private record Doubt(Gap gap, int answers) {}

    private final NavigableMap<PartitionId, Doubt> doubts = new TreeMap<>();

    void found(PartitionId partition, long from, long to) {
        Doubt earlier = doubts.get(partition);
        doubts.put(
                partition,
                new Doubt(new Gap(earlier == null ? from : earlier.gap().from(), to), 0));
    }

    /** It ended, and was read up to the offset. */
    void ended(PartitionId partition, long readUpTo) {
        found(partition, readUpTo, readUpTo);
    }

    /** One of the partitions about which it is not known. */
    Optional<PartitionId> any() {
        return doubts.isEmpty() ? Optional.empty() : Optional.of(doubts.firstKey());
    }

    boolean in(PartitionId partition) {
        return doubts.containsKey(partition);
    }

    boolean inStream(int stream) {
        return doubts.keySet().stream().anyMatch(partition -> partition.stream() == stream);
    }

    /**
     * Takes in which offset is the first that the topic keeps.
     *
     * @return the gap when records are lost in it
     */
    Optional<Gap> described(PartitionId partition, long startOffset) {
        Doubt doubt = doubts.get(partition);
        if (doubt == null) {
            return Optional.empty();
        }
        if (startOffset > doubt.gap().from()) {
            Gap gap = doubt.gap();
            return Optional.of(gap.from() < gap.to() ? gap : new Gap(gap.from(), startOffset));
        }
        if (doubt.answers() + 1 < ANSWERS) {
            doubts.put(partition, new Doubt(doubt.gap(), doubt.answers() + 1));
        } else {
            doubts.remove(partition);
        }
        return Optional.empty();
    }
}
