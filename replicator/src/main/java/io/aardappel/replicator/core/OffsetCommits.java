package io.aardappel.replicator.core;

import io.aardappel.replicator.core.Problem.Reason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Consumer;

/**
 * Which offsets are noted in our rows, and which are committed to the topics: what is durable, not past the witness, a child's
 * only after its parents', and nothing that was not noted before. Not thread-safe.
 */
final class OffsetCommits {
    private final List<StreamSpec> streams;
    private final NavigableMap<PartitionId, Lane> lanes;
    private final List<PartitionGraph> graphs;
    private final Gaps gaps;
    private final OffsetMirror mirror;
    private final Consumer<Command> commands;
    private boolean childrenWait;

    /**
     * @param lanes that there are at any moment
     * @param graphs of the streams, in their order
     */
    OffsetCommits(
            List<StreamSpec> streams,
            NavigableMap<PartitionId, Lane> lanes,
            List<PartitionGraph> graphs,
            Gaps gaps,
            OffsetMirror mirror,
            Consumer<Command> commands) {
        this.streams = streams;
        this.lanes = lanes;
        this.graphs = graphs;
        this.gaps = gaps;
        this.mirror = mirror;
        this.commands = commands;
    }

    /** Asks for what may be committed now. */
    void commit(Position anchor) {
        for (Lane lane : lanes.values()) {
            long done = lane.committable(anchor);
            long upTo = Math.min(done, mirror.noted(lane.id));
            childrenWait |= lane.reading.ended && done > upTo && mayCommit(lane);
            if (lane.reading.open() && upTo > lane.reading.requested() && mayCommit(lane)) {
                commands.accept(new Command.Commit(lane.id, lane.reading.number(), lane.reading.requested(), upTo));
                lane.reading.request(upTo);
            }
        }
    }

    private boolean mayCommit(Lane lane) {
        return !gaps.in(lane.id) && parentsAreDone(lane.id);
    }

    /** A finished parent has no lane any more, and neither have its own parents. */
    boolean parentsAreDone(PartitionId partition) {
        return graphs.get(partition.stream()).parents(partition.partition()).stream()
                .noneMatch(parent -> lanes.containsKey(new PartitionId(partition.stream(), parent)));
    }

    /** Whether a partition that was split or merged could be committed further, which its children may wait for. */
    boolean childrenWait() {
        return childrenWait;
    }

    /** Has noted what could be committed. Only while no transaction is under way. */
    void note(Position anchor) {
        childrenWait = false;
        for (int stream = 0; stream < streams.size(); stream++) {
            Map<Long, Long> offsets = new HashMap<>();
            for (Lane lane : PartitionId.ofStream(lanes, stream).values()) {
                if (mayCommit(lane)) {
                    offsets.put(lane.id.partition(), lane.committable(anchor));
                }
            }
            mirror.note(stream, offsets, graphs.get(stream)::knows);
        }
    }

    /**
     * A consumer that stands beyond what we can have committed was moved, and what it passed over would never be read. One
     * that is read already is another matter. Where another program of this instance was before us, it may have been that one,
     * which commits what it has applied: then it is only told.
     *
     * @param begins whether the partition is read from there on
     * @return false when that must not be, which is asked to be told
     */
    boolean compare(PartitionId partition, long committed, boolean begins) {
        Lane lane = lanes.get(partition);
        boolean read = lane != null && lane.next() != Lane.UNREAD;
        if (read || mirror.explains(partition, committed)) {
            return true;
        }
        long noted = mirror.noted(partition);
        if (!mirror.succeedsOthers()) {
            fail(partition, committed, noted);
            return false;
        }
        if (begins) {
            commands.accept(new Command.TellMovedOn(partition, noted, committed));
        }
        return true;
    }

    private void fail(PartitionId partition, long committed, long noted) {
        StreamSpec stream = streams.get(partition.stream());
        commands.accept(new Command.Fail(new Problem(
                Reason.OFFSETS_MOVED,
                ("stream %s, partition %d: the consumer %s stands at offset %d, but this replication never committed beyond %d"
                                + " (its place here is offset %d)")
                        .formatted(stream.topic(), partition.partition(), stream.consumer(), committed, noted, noted),
                Anew.WHOSE_CONSUMER)));
    }
}
