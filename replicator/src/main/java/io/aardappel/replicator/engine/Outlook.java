package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Command;
import io.aardappel.replicator.core.Membership;
import io.aardappel.replicator.core.Membership.Topic;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Replication;
import io.aardappel.replicator.core.Rules;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Start;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.core.TransactionBounds;
import java.util.ArrayList;
import java.util.List;

/** What a term would be refused for before it reads a record, found by the core without a term. Stateless. */
public final class Outlook {
    /** Nothing is read, so nothing is kept. */
    private static final long MEMORY_BYTES = 1L << 20;

    private Outlook() {}

    /**
     * The problems that a term would end with at its beginning, those first that it would come to first; what lies behind a
     * refusal is not looked at. Empty when it would begin.
     *
     * @param instanceId for the texts
     * @param topics as described now, in the order of the streams
     */
    public static List<Problem> problems(
            String instanceId, List<StreamSpec> streams, SavedState saved, List<Topic> topics) {
        List<Problem> ofState = saved.refusal(instanceId).stream().toList();
        if (!ofState.isEmpty()) {
            return ofState;
        }
        Membership membership = Membership.check(streams, saved, topics);
        return membership.problems().isEmpty() ? ofOffsets(streams, saved, topics, membership) : membership.problems();
    }

    private static List<Problem> ofOffsets(
            List<StreamSpec> streams, SavedState saved, List<Topic> topics, Membership membership) {
        Replication replication = new Replication(
                streams,
                TransactionBounds.DEFAULT,
                MEMORY_BYTES,
                Start.of(saved, Position.ZERO, streams),
                membership,
                saved.decisions(),
                Rules.STANDARD);
        for (int stream = 0; stream < topics.size(); stream++) {
            replication.described(stream, topics.get(stream).partitions());
        }
        List<Problem> problems = new ArrayList<>();
        List<PartitionId> opened = new ArrayList<>();
        take(replication, problems, opened);
        for (PartitionId partition : List.copyOf(opened)) {
            begin(replication, partition, topics.get(partition.stream()));
            take(replication, problems, opened);
        }
        return problems.stream().distinct().toList();
    }

    private static void take(Replication replication, List<Problem> problems, List<PartitionId> opened) {
        for (Command command : replication.commands()) {
            if (command instanceof Command.Fail failure) {
                problems.add(failure.problem());
            } else if (command instanceof Command.Open open) {
                opened.add(open.partition());
            }
        }
    }

    /** As the server would begin to deliver the partition. */
    private static void begin(Replication replication, PartitionId partition, Topic topic) {
        for (PartitionInfo info : topic.partitions()) {
            if (info.id() == partition.partition()) {
                replication.sessionStarted(partition, 1, info.committedOffset(), info.startOffset(), info.endOffset());
            }
        }
    }
}
