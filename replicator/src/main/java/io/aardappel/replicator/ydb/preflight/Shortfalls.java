package io.aardappel.replicator.ydb.preflight;

import io.aardappel.contract.TableName;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.SourceEvent.Described;
import io.aardappel.replicator.ydb.target.Answer;
import io.aardappel.replicator.ydb.target.StateView;
import io.aardappel.replicator.ydb.target.StateView.Found;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a copy would lack from the start on without anything noticing later: the feed tells changes, and not that there were
 * others before. Changes nothing; waits. Stateless.
 */
public final class Shortfalls {
    private Shortfalls() {}

    /**
     * A warning for each stream of a new instance whose consumer stands behind the beginning, unless a neighbour reads by it;
     * for each table that was made anew since its row of ours was written; and for each other one without rows that a
     * checkpoint stands for. Whether that is meant, or the source's table is empty, too, a person can tell.
     *
     * @param found what the view found just now
     * @param database absolute path that relative table names belong to
     * @param created when the tables that are there were created, by their names as configured, where that is known
     * @param topics a stream's topic as it is now; empty when it cannot be described
     */
    public static List<Finding> check(
            StateView view,
            Found found,
            List<StreamSpec> streams,
            String database,
            Map<String, Position> created,
            Function<StreamSpec, Optional<Described>> topics,
            Neighbourhood neighbourhood) {
        if (found instanceof Found.Nothing) {
            List<Finding> passedOver = passedOver(streams, topics, neighbourhood);
            // looked at again: another process may just have begun the instance, and have read since
            return passedOver.isEmpty() || view.look() instanceof Found.Nothing ? passedOver : List.of();
        }
        if (!(found instanceof Found.Saved saved)) {
            return List.of();
        }
        Map<StreamSpec, StreamRow> remade = remade(saved.state(), streams, created);
        List<Finding> findings = new ArrayList<>();
        remade.forEach((stream, row) -> findings.add(remade(view, stream, row, database)));
        if (isSnapshot(saved.state())) {
            List<StreamSpec> others = streams.stream()
                    .filter(stream -> !remade.containsKey(stream))
                    .toList();
            findings.addAll(empty(view, others, database));
        }
        return findings;
    }

    /** Members whose table is another one of its name, in the order of the streams. */
    private static Map<StreamSpec, StreamRow> remade(
            SavedState state, List<StreamSpec> streams, Map<String, Position> created) {
        Map<StreamSpec, StreamRow> remade = new LinkedHashMap<>();
        for (StreamSpec stream : streams) {
            Position now = created.getOrDefault(stream.table(), Position.ZERO);
            state.streams().stream()
                    .filter(row -> row.isMember(stream) && row.table().equals(stream.table()))
                    .filter(row -> row.isOfAnotherTable(now))
                    .findFirst()
                    .ifPresent(row -> remade.put(stream, row));
        }
        return remade;
    }

    private static Finding remade(StateView view, StreamSpec stream, StreamRow row, String database) {
        return Finding.warning(
                TableName.parse(stream.table()).absolutePath(database),
                "it was made anew since stream " + stream.topic()
                        + " was recorded with it; nothing brings back what the table held that was created at "
                        + Instant.ofEpochMilli(row.tableCreated().step()),
                "Bring the stream in anew (docs/runbooks/bring-a-stream-in-anew.md). If it was restored as of the checkpoint and"
                        + " lacks nothing, say so before the start: "
                        + Statements.acceptTable(
                                view.identity().stateTable(), view.identity().instanceId(), row));
    }

    private static boolean isSnapshot(SavedState state) {
        return state.stage() == Stage.RUN && Position.ZERO.isBefore(state.checkpoint());
    }

    private static List<Finding> passedOver(
            List<StreamSpec> streams, Function<StreamSpec, Optional<Described>> topics, Neighbourhood neighbourhood) {
        List<Finding> findings = new ArrayList<>();
        for (StreamSpec stream : streams) {
            if (!neighbourhood.reads(stream)) {
                topics.apply(stream).stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .filter(Shortfalls::isBehindTheBeginning)
                        .findFirst()
                        .map(partition -> passedOver(stream, partition, neighbourhood))
                        .ifPresent(findings::add);
            }
        }
        return findings;
    }

    private static boolean isBehindTheBeginning(PartitionInfo partition) {
        return partition.committedOffset() > partition.startOffset();
    }

    private static Finding passedOver(StreamSpec stream, PartitionInfo partition, Neighbourhood neighbourhood) {
        return Finding.warning(
                stream.topic(),
                "the instance begins anew, but consumer %s has read partition %d up to offset %d already; the changes from %d on would be missing from the copy"
                        .formatted(
                                stream.consumer(),
                                partition.id(),
                                partition.committedOffset(),
                                partition.startOffset()),
                "Name a consumer that no other replication uses"
                        + neighbourhood
                                .doubt()
                                .map(doubt -> ". Leave this one alone: " + doubt)
                                .orElse("; or, if nothing else reads by this one, let it begin anew: "
                                        + Statements.renewConsumer(stream.topic(), stream.consumer())));
    }

    private static List<Finding> empty(StateView view, List<StreamSpec> streams, String database) {
        List<Finding> findings = new ArrayList<>();
        for (StreamSpec stream : streams) {
            String path = TableName.parse(stream.table()).absolutePath(database);
            if (view.hasRows(path) instanceof Answer.Read<Boolean> rows && !rows.value()) {
                findings.add(
                        Finding.warning(
                                path,
                                "it has no rows, though a checkpoint stands for it",
                                "If the source's table is empty, too, all is well. If this one was dropped and made again, nothing brings"
                                        + " back what it held: bring its stream in anew (docs/runbooks/bring-a-stream-in-anew.md)"));
            }
        }
        return findings;
    }
}
