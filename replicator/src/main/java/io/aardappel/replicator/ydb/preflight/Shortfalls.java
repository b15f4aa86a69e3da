package io.aardappel.replicator.ydb.preflight;

import io.aardappel.contract.TableName;
import io.aardappel.replicator.core.Anew;
import io.aardappel.replicator.core.Beginning;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.SourceEvent.Described;
import io.aardappel.replicator.ydb.target.Answer;
import io.aardappel.replicator.ydb.target.StateView;
import io.aardappel.replicator.ydb.target.StateView.Found;
import io.aardappel.replicator.ydb.target.YdbTarget;
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
    private static final String LOST = "docs/runbooks/fatal/STATE_LOST.md";

    private Shortfalls() {}

    /**
     * An error for each stream of a new instance that cannot be read from its beginning any more, unless a neighbour reads it;
     * a warning where that may be a predecessor's work, which is gone on with. A warning, too, for each table that was made anew
     * since its row of ours was written; for each other one without rows that a checkpoint stands for; and for a checkpoint that
     * was moved back. Whether that is meant, or the source's table is empty, too, a person can tell.
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
            List<Finding> passedOver = new ArrayList<>();
            lacks(streams, topics, neighbourhood)
                    .forEach(
                            (stream, lack) -> passedOver.add(passedOver(view.identity(), stream, lack, neighbourhood)));
            // looked at again: another process may just have begun the instance, and have read since
            return passedOver.isEmpty() || view.look() instanceof Found.Nothing ? passedOver : List.of();
        }
        if (!(found instanceof Found.Saved saved)) {
            return List.of();
        }
        Map<StreamSpec, StreamRow> remade = remade(saved.state(), streams, created);
        List<Finding> findings = new ArrayList<>();
        remade.forEach((stream, row) -> findings.add(remade(view, stream, row, database)));
        movedBack(view.identity(), saved.state()).ifPresent(findings::add);
        if (isAPredecessorsScan(saved.state())) {
            List<StreamSpec> begun = streams.stream()
                    .filter(stream -> !isMember(saved.state(), stream))
                    .toList();
            lacks(begun, topics, neighbourhood).forEach((stream, lack) -> findings.add(believed(stream, lack)));
        }
        boolean snapshot = isSnapshot(saved.state());
        if (snapshot || isResetToScan(saved.state())) {
            List<StreamSpec> others = streams.stream()
                    .filter(stream -> !remade.containsKey(stream))
                    .filter(stream -> snapshot || isMember(saved.state(), stream))
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
                        + " was recorded with it; nothing brings back what was applied before to the table that was created at "
                        + Instant.ofEpochMilli(row.tableCreated().step()),
                "Bring the stream in anew (docs/runbooks/bring-a-stream-in-anew.md). If it was restored as of the checkpoint and"
                        + " lacks nothing, say so before the start: "
                        + Statements.acceptTable(
                                view.identity().stateTable(), view.identity().instanceId(), row));
    }

    private static boolean isMember(SavedState state, StreamSpec stream) {
        return state.streams().stream().anyMatch(row -> row.isMember(stream));
    }

    /** In the stage of a scan though a checkpoint stood for its members: of those the scan brings nothing that was read. */
    private static boolean isResetToScan(SavedState state) {
        return state.stage() == Stage.INITIAL_SCAN && Position.ZERO.isBefore(vouched(state));
    }

    private static Position vouched(SavedState state) {
        return state.instance().map(InstanceRow::vouched).orElse(Position.ZERO);
    }

    /** What lies between is applied again, but only as far as the consumers are still given it. */
    private static Optional<Finding> movedBack(YdbTarget.Identity identity, SavedState state) {
        Position ours = vouched(state);
        return state.checkpoint().isBefore(ours)
                ? Optional.of(Finding.warning(
                        "instance " + identity.instanceId(),
                        "its checkpoint " + state.checkpoint() + " is lower than " + ours
                                + ", which our last transaction left: somebody moved it back, or its table was restored from a"
                                + " backup without ours beside it",
                        "If all destination tables hold what they held, all is well: what the consumers are still given of what"
                                + " lies between is applied again. If tables were restored, too, the consumers have to be set"
                                + " back to where they stood then, or the streams brought in anew: " + LOST))
                : Optional.empty();
    }

    private static boolean isSnapshot(SavedState state) {
        return state.stage() == Stage.RUN && Position.ZERO.isBefore(state.checkpoint());
    }

    /** What no scan will bring of the streams that are not recorded; a neighbour's are not begun at all. */
    private static Map<StreamSpec, Beginning.Lack> lacks(
            List<StreamSpec> streams, Function<StreamSpec, Optional<Described>> topics, Neighbourhood neighbourhood) {
        Map<StreamSpec, Beginning.Lack> lacks = new LinkedHashMap<>();
        for (StreamSpec stream : streams) {
            if (!neighbourhood.reads(stream)) {
                topics.apply(stream)
                        .flatMap(topic -> Beginning.lack(stream, topic.partitions()))
                        .ifPresent(lack -> lacks.put(stream, lack));
            }
        }
        return lacks;
    }

    private static Finding passedOver(
            YdbTarget.Identity identity, StreamSpec stream, Beginning.Lack lack, Neighbourhood neighbourhood) {
        return Finding.error(
                stream.topic(),
                "the instance begins anew, but " + lack.what() + ", and nothing would tell",
                remedy(stream, lack, neighbourhood) + ". If the instance "
                        + identity.instanceId() + " ran before, its row in "
                        + identity.stateTable().path() + " is lost, or may not be seen: " + LOST);
    }

    private static String remedy(StreamSpec stream, Beginning.Lack lack, Neighbourhood neighbourhood) {
        if (lack.forgotten()) {
            return lack.remedy(stream);
        }
        return "Name a consumer that no other replication uses"
                + neighbourhood
                        .doubt()
                        .map(doubt -> ". Leave this one alone: " + doubt)
                        .orElse("; or, if nothing else reads by this one, let it begin anew: "
                                + Statements.renewConsumer(stream.topic(), stream.consumer()));
    }

    /** A predecessor may have begun this scan: its row tells, and not how far it came. */
    private static Finding believed(StreamSpec stream, Beginning.Lack lack) {
        return Finding.warning(
                stream.topic(),
                "the state row says that the initial scan is under way, and no row of ours beside it who has begun it, but "
                        + lack.what(),
                "If the Go program has begun this scan with this consumer, all is well. If nobody has, the copy lacks those rows:"
                        + " bring the stream in anew (" + Anew.PAGE + ")");
    }

    private static boolean isAPredecessorsScan(SavedState state) {
        return state.stage() == Stage.INITIAL_SCAN && state.instance().isEmpty();
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
