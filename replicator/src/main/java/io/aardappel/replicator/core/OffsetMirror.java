package io.aardappel.replicator.core;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.LongPredicate;

/**
 * Our rows about the streams, and how far they say that offsets may be committed. An offset is noted there, in a transaction,
 * before it is committed to the topic; so a consumer that stands further was not moved by us. Where nothing is noted yet, that
 * begins with where the consumers stood when it was decided that this instance reads from there. What is noted only rises. Not
 * thread-safe.
 */
final class OffsetMirror {
    private final BiPredicate<Long, Long> covers;
    private boolean succeedsOthers;
    private final List<StreamRow> rows;
    private final BitSet unwritten = new BitSet();
    private final Map<PartitionId, Long> durable = new HashMap<>();

    /**
     * @param membership accepted
     * @param succeedsOthers whether another program may have committed what the rows do not say
     * @param covers whether what is noted explains a committed offset
     */
    OffsetMirror(Membership membership, boolean succeedsOthers, BiPredicate<Long, Long> covers) {
        this.succeedsOthers = succeedsOthers;
        this.covers = covers;
        this.rows = new ArrayList<>(membership.rows());
        for (int stream = 0; stream < rows.size(); stream++) {
            unwritten.set(stream, membership.changed().contains(rows.get(stream)));
            raise(stream);
        }
    }

    /** In configured order. */
    List<StreamRow> rows() {
        return List.copyOf(rows);
    }

    /** Those that are to be written with the next transaction. */
    List<StreamRow> toWrite() {
        return unwritten.isEmpty()
                ? List.of()
                : unwritten.stream().mapToObj(rows::get).toList();
    }

    /** What {@link #toWrite} gave is durable. */
    void written() {
        unwritten.stream().forEach(this::raise);
        unwritten.clear();
    }

    private void raise(int stream) {
        rows.get(stream)
                .committed()
                .forEach((partition, offset) -> durable.merge(new PartitionId(stream, partition), offset, Math::max));
    }

    /**
     * Everything below these offsets is durable at the destination; to be noted with the next transaction. Only while none is
     * under way.
     *
     * @param offsets by partition
     * @param known whether the topic still has the partition
     */
    void note(int stream, Map<Long, Long> offsets, LongPredicate known) {
        StreamRow then = rows.get(stream).raisedTo(offsets, known);
        if (!then.equals(rows.get(stream))) {
            rows.set(stream, then);
            unwritten.set(stream);
        }
    }

    /** Up to where the partition's offsets may be committed; 0 when nothing is noted. */
    long noted(PartitionId partition) {
        return durable.getOrDefault(partition, 0L);
    }

    /** Whether our commits can have brought the consumer there. */
    boolean explains(PartitionId partition, long committed) {
        return covers.test(noted(partition), committed);
    }

    /** Whether what others committed in good faith may still show. */
    boolean succeedsOthers() {
        return succeedsOthers;
    }

    /** A checkpoint of ours is durable: whoever was before has been silent for long. */
    void tookOver() {
        succeedsOthers = false;
    }
}
