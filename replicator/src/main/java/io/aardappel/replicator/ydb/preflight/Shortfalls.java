package io.aardappel.replicator.ydb.preflight;

import io.aardappel.contract.TableName;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.ydb.target.Answer;
import io.aardappel.replicator.ydb.target.StateView;
import io.aardappel.replicator.ydb.target.StateView.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a copy would lack from the start on without anything noticing later: the feed tells changes, and not that there were
 * others before. Changes nothing; waits. Stateless.
 */
public final class Shortfalls {
    private Shortfalls() {}

    /**
     * A warning for each stream of a new instance whose consumer stands behind the beginning, and for each table without rows
     * that a checkpoint stands for: whether that is meant, or the source's table is empty, too, a person can tell.
     *
     * @param found what the view found just now
     * @param database absolute path that relative table names belong to
     * @param partitions of a stream's topic as described now; empty when they cannot be described
     */
    public static List<Finding> check(
            StateView view,
            Found found,
            List<StreamSpec> streams,
            String database,
            Function<StreamSpec, List<PartitionInfo>> partitions) {
        if (found instanceof Found.Nothing) {
            List<Finding> passedOver = passedOver(streams, partitions);
            // looked at again: another process may just have begun the instance, and have read since
            return passedOver.isEmpty() || view.look() instanceof Found.Nothing ? passedOver : List.of();
        }
        return found instanceof Found.Saved saved && isSnapshot(saved.state())
                ? empty(view, saved.state().checkpoint(), streams, database)
                : List.of();
    }

    private static boolean isSnapshot(SavedState state) {
        return state.stage() == Stage.RUN && Position.ZERO.isBefore(state.checkpoint());
    }

    private static List<Finding> passedOver(
            List<StreamSpec> streams, Function<StreamSpec, List<PartitionInfo>> partitions) {
        List<Finding> findings = new ArrayList<>();
        for (StreamSpec stream : streams) {
            partitions.apply(stream).stream()
                    .filter(Shortfalls::isBehindTheBeginning)
                    .findFirst()
                    .map(partition -> passedOver(stream, partition))
                    .ifPresent(findings::add);
        }
        return findings;
    }

    private static boolean isBehindTheBeginning(PartitionInfo partition) {
        return partition.committedOffset() > partition.startOffset();
    }

    private static Finding passedOver(StreamSpec stream, PartitionInfo partition) {
        return Finding.warning(
                stream.topic(),
                "the instance begins anew, but consumer %s has read partition %d up to offset %d already; the changes from %d on would be missing from the copy"
                        .formatted(
                                stream.consumer(),
                                partition.id(),
                                partition.committedOffset(),
                                partition.startOffset()),
                "Name a consumer that no other replication uses; or let this one begin anew: "
                        + Statements.renewConsumer(stream.topic(), stream.consumer()));
    }

    private static List<Finding> empty(StateView view, Position checkpoint, List<StreamSpec> streams, String database) {
        List<Finding> findings = new ArrayList<>();
        for (StreamSpec stream : streams) {
            String path = TableName.parse(stream.table()).absolutePath(database);
            if (view.hasRows(path) instanceof Answer.Read<Boolean> rows && !rows.value()) {
                findings.add(
                        Finding.warning(
                                path,
                                "it has no rows, though the checkpoint " + checkpoint + " stands for it",
                                "If the source's table is empty, too, all is well. If this one was dropped and made again, nothing brings"
                                        + " back what it held: bring its stream in anew (docs/runbooks/bring-a-stream-in-anew.md)"));
            }
        }
        return findings;
    }
}
