package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.active;
import static io.aardappel.replicator.core.Given.at;
import static io.aardappel.replicator.core.Given.p;

import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One stream of one partition into a table that takes no row of some keys. */
final class PickyDestination {
    private static final List<StreamSpec> STREAMS = List.of(new StreamSpec("topic", "consumer", "table"));
    static final Problem REFUSAL = new Problem(Reason.DESTINATION_FAILED, "BAD_REQUEST: no", "Repair it");
    private static final long SESSION = 1;

    final Replication replication;
    private final TransactionBounds bounds;
    final Set<Integer> refused = new HashSet<>();
    /** Whether it says which row it is. */
    boolean namesTheRow;

    final Map<Key, Position> rows = new LinkedHashMap<>();
    final List<DecisionRow> decisions = new ArrayList<>();
    final List<Command> commands = new ArrayList<>();
    int refusals;
    private long next;

    PickyDestination(Stage stage, TransactionBounds bounds, List<DecisionRow> decisions) {
        this(
                stage,
                stage == Stage.RUN ? at(5) : Position.ZERO,
                new InstanceRow(
                        stage == Stage.RUN ? at(5) : Position.ZERO,
                        Position.ZERO,
                        stage == Stage.RUN ? ScanPhase.NONE : ScanPhase.APPLYING),
                bounds,
                decisions);
    }

    private PickyDestination(
            Stage stage,
            Position checkpoint,
            InstanceRow instance,
            TransactionBounds bounds,
            List<DecisionRow> decisions) {
        this.bounds = bounds;
        Start start = Start.of(
                new SavedState(checkpoint, "OK", "", stage, Optional.of(instance), List.of(), decisions),
                Position.ZERO,
                STREAMS);
        StreamRow row = new StreamRow("topic", "consumer", "table", 1, StreamState.MEMBER, Map.of());
        this.replication = new Replication(
                STREAMS,
                bounds,
                1L << 30,
                start,
                new Membership(List.of(row), List.of(), List.of()),
                decisions,
                Rules.STANDARD);
        replication.described(0, List.of(active(0)));
        replication.sessionStarted(p(0), SESSION, 0, 0, 100_000);
    }

    /** Another process goes on from what is durable, and reads from the beginning. */
    PickyDestination successor() {
        return successor(replication.checkpoint());
    }

    /** The same after a person has written another checkpoint into the state row. */
    PickyDestination successor(Position checkpoint) {
        PickyDestination next = new PickyDestination(
                replication.stage(),
                checkpoint,
                new InstanceRow(replication.checkpoint(), replication.scanMaximum(), replication.phase()),
                bounds,
                List.copyOf(decisions));
        next.refused.addAll(refused);
        next.namesTheRow = namesTheRow;
        next.rows.putAll(rows);
        next.decisions.addAll(decisions);
        return next;
    }

    void says(StreamRecord... records) {
        long[] offsets = new long[records.length];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = next++;
        }
        replication.records(p(0), SESSION, offsets, List.of(records), next);
    }

    /** Takes batches until there is none, or the process would end. */
    PickyDestination work() {
        return work(Integer.MAX_VALUE);
    }

    /** @param most batches that are tried */
    PickyDestination work(int most) {
        Optional<Batch> batch = replication.next();
        for (int tried = 0; tried < most && batch.isPresent() && failures().isEmpty(); tried++) {
            Batch one = batch.get();
            Optional<RowWrite> bad = one.tables().stream()
                    .flatMap(table -> table.writes().stream())
                    .filter(write -> refused.contains(write.key().part(0)))
                    .findFirst();
            if (bad.isPresent()) {
                refusals++;
                replication.refused(one, namesTheRow ? bad : Optional.empty(), REFUSAL);
            } else {
                one.tables().forEach(table -> table.writes().forEach(write -> rows.put(write.key(), write.position())));
                decisions.addAll(one.decisions());
                replication.committed(one);
            }
            commands.addAll(replication.commands());
            batch = replication.next();
        }
        commands.addAll(replication.commands());
        return this;
    }

    /** Answers every open question alike, until no more come. */
    PickyDestination workAnswering(Action action) {
        work();
        int answered = 0;
        while (questions().size() > answered && failures().isEmpty()) {
            Command.Ask ask = questions().get(answered++);
            replication.decided(ask.partition(), ask.offset(), action, DecidedBy.STRATEGY);
            work();
        }
        return this;
    }

    List<Command.Ask> questions() {
        return commands.stream()
                .filter(Command.Ask.class::isInstance)
                .map(Command.Ask.class::cast)
                .toList();
    }

    List<Command.Fail> failures() {
        return commands.stream()
                .filter(Command.Fail.class::isInstance)
                .map(Command.Fail.class::cast)
                .toList();
    }
}
