package io.aardappel.replicator.core;

import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be wrong with a partition or with what it holds, in words for a person. Immutable. */
final class Problems {
    private final List<StreamSpec> streams;

    Problems(List<StreamSpec> streams) {
        this.streams = streams;
    }

    String name(PartitionId partition) {
        return "stream %s, partition %d"
                .formatted(streams.get(partition.stream()).topic(), partition.partition());
    }

    /** Offsets {@code [from, to)} were not read, and the topic keeps none below {@code start}. */
    Problem historyLost(PartitionId partition, long start, long from, long to) {
        return new Problem(
                Reason.HISTORY_LOST,
                "%s keeps offsets from %d on, but [%d, %d) was not read yet"
                        .formatted(name(partition), start, from, to),
                Anew.bringInBeforeAll(streams.get(partition.stream())) + ". Raise the topic's retention");
    }

    /** What a server says at the start of a session does not fit what was read and acknowledged. */
    Problem moved(PartitionId partition, long committed, long end, long read, long acknowledged) {
        return new Problem(
                Reason.OFFSETS_MOVED,
                "%s: the consumer stands at offset %d and the partition ends at %d, but this process had read up to %d and"
                                .formatted(name(partition), committed, end, read)
                        + " committed up to " + acknowledged,
                ("Somebody else commits for this consumer, or the topic is another one: end that, set the consumer back to %d"
                                + " where it stands above, then set state to OK and start again; if the topic no longer keeps"
                                + " that offset, or you cannot say what was passed over, bring the stream in anew with a new"
                                + " consumer (%s)")
                        .formatted(acknowledged, Anew.PAGE));
    }

    /** @param barrier behind which it came */
    Problem late(PartitionId partition, long offset, Change change, @Nullable Position barrier) {
        return new Problem(
                Reason.LATE_RECORD,
                "%s, offset %d, key %s: the change at %s came after the barrier %s of its partition"
                        .formatted(name(partition), offset, change.key(), change.position(), barrier),
                "Order to apply or to skip it in the command queue (cmd_queue), then set state to OK and start again;"
                        + " without an order it stops at this record again");
    }

    Problem unfit(PartitionId partition, long offset, Unfit unfit) {
        return new Problem(
                Reason.UNFIT_RECORD,
                "%s, offset %d, key %s, position %s: %s"
                        .formatted(name(partition), offset, unfit.key(), unfit.position(), unfit.reason()),
                "Make the destination table fit the source table, then set state to OK and start again");
    }

    /** @param held of its changes, there may be more */
    Problem tooLargeForMemory(Position position, List<Pending> held, long memory) {
        long bytes = held.stream().mapToLong(one -> one.change().bytes()).sum();
        return new Problem(
                Reason.OVERSIZED_POSITION,
                "position %s (%s) has at least %d changes of %d bytes, which must be applied together and do not fit the %d"
                                .formatted(position, name(held.get(0).lane.id), held.size(), bytes, memory)
                        + " bytes of replicator.memory",
                "Raise replicator.memory to several times that, and the Java heap with it; then set state to OK and start"
                        + " again");
    }
}
