package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Barrier;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import io.aardappel.replicator.simulation.ModelSource.Part;
import io.aardappel.replicator.simulation.ModelTarget.Attempt;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What must hold at every step, by the numbers of the design's invariants. Throws {@link Violation}.
 *
 * <p>Three have no message of their own. I2: where rows and checkpoint do not take effect together, the comparison after that
 * step finds them apart, as I1. I8: {@link SimulationTest} runs seeds twice, and they must go the same way. I9: among the
 * {@link Others} is another program that knows nothing of our rows; after it had the lock everything is compared as before, as
 * I1, and offsets as I4.
 */
final class Invariants {
    private static final int SILENT_INTERVALS = 3;

    private final Plan plan;
    private final ModelSource source;
    private final History history;
    private final ModelDestination destination;
    private final List<StreamSpec> streams;
    private long compared;
    private boolean scanIsOver;
    /** Somebody else moved the checkpoint, and none of ours was written since. */
    private boolean moved;

    /** @param streams all that there are, by their numbers at the source */
    Invariants(Plan plan, ModelSource source, History history, ModelDestination destination, List<StreamSpec> streams) {
        this.plan = plan;
        this.source = source;
        this.history = history;
        this.destination = destination;
        this.streams = streams;
        this.scanIsOver = plan.stage() == Stage.RUN;
    }

    // ---- a transaction is about to take effect

    void landing(Attempt attempt, Set<String> configured) {
        oneWriter(attempt);
        members(attempt.batch(), configured);
        bounds(attempt.batch());
        progress(attempt.batch());
    }

    private void oneWriter(Attempt attempt) {
        if (!destination.owner().equals(attempt.mark().owner())) {
            throw new Violation(
                    "I3: %s takes effect while %s owns the lock".formatted(attempt.mark(), destination.owner()));
        }
        if (attempt.base() != destination.transactions()) {
            throw new Violation("I3: %s was decided upon %d transactions and takes effect upon %d"
                    .formatted(attempt.mark(), attempt.base(), destination.transactions()));
        }
        if (!destination.stateOk()) {
            throw new Violation("I7: %s takes effect after FATAL_ERROR".formatted(attempt.mark()));
        }
    }

    private void members(Batch batch, Set<String> configured) {
        Set<String> members = new TreeSet<>(destination.members());
        for (StreamRow row : batch.streams()) {
            if (row.state() == StreamState.MEMBER) {
                members.add(row.topic());
            }
        }
        if (!members.equals(configured)) {
            throw new Violation(
                    "I10: a process configured with %s writes while the members are %s".formatted(configured, members));
        }
    }

    private void bounds(Batch batch) {
        boolean above = batch.changes() > plan.bounds().targetRows()
                || batch.bytes() > plan.bounds().targetBytes();
        Set<Position> positions = above && batch.changes() > 1 ? positions(batch) : Set.of();
        boolean tooLarge = batch.changes() > plan.bounds().hardRows()
                || batch.bytes() > plan.bounds().hardBytes();
        boolean ordered = batch.decisions().stream().anyMatch(row -> row.action() == Action.APPLY_ALL)
                || !positions.isEmpty() && positions.stream().allMatch(destination::isOrdered);
        if (positions.size() > 1 || tooLarge && !ordered) {
            throw new Violation("I5: a transaction has %d changes of %d bytes, the bounds are %s, decided was %s"
                    .formatted(batch.changes(), batch.bytes(), plan.bounds(), batch.decisions()));
        }
    }

    private static Set<Position> positions(Batch batch) {
        return batch.tables().stream()
                .flatMap(table -> Stream.concat(table.erases().stream(), table.writes().stream()))
                .map(RowWrite::position)
                .collect(Collectors.toSet());
    }

    private void progress(Batch batch) {
        Position vouched = destination.instance().map(InstanceRow::vouched).orElse(Position.ZERO);
        Position lowest = destination.checkpoint().isBefore(vouched) ? vouched : destination.checkpoint();
        if (batch.checkpoint().filter(next -> next.isBefore(lowest)).isPresent()) {
            throw new Violation("I1: the checkpoint goes back from %s to %s".formatted(lowest, batch.checkpoint()));
        }
        if (destination.stage() == Stage.RUN && batch.stage() != Stage.RUN) {
            throw new Violation("I1: stage RUN goes back to " + batch.stage());
        }
    }

    // ---- after a step

    /** Whether a checkpoint was compared. */
    boolean afterStep() {
        if (compared == destination.transactions()) {
            return false;
        }
        compared = destination.transactions();
        if (destination.stage() != Stage.RUN || !destination.vouched()) {
            moved |= destination.stage() == Stage.RUN && destination.instance().isPresent();
            return false;
        }
        compare();
        moved = false;
        return true;
    }

    /** A position that is left out as a whole, with nothing of it applied. */
    void leavingOut(Position position) {
        if (destination.mayHaveScanned(position)) {
            throw new Violation(
                    "I7: %s is left out as a whole, and the scan may have applied some of it".formatted(position));
        }
    }

    /**
     * What was left out by its key and what was not is applied again, as far as it is read again, by the keys that are left out
     * now: after the checkpoint was set back, and whenever a process takes over in a scan. Nobody can say where reading began.
     */
    private void doubtOnceBlocked() {
        for (int stream = 0; stream < streams.size(); stream++) {
            for (int key = 0; key < plan.keys(); key++) {
                if (destination.wasBlocked(LeftOutKeys.name(stream, key))) {
                    history.doubt(stream, new Key(key));
                }
            }
        }
    }

    private void compare() {
        Position checkpoint = destination.checkpoint();
        List<Map<Key, @Nullable Object[]>> wanted = history.asOf(checkpoint);
        Set<String> members = destination.members();
        if (moved || !scanIsOver) {
            doubtOnceBlocked();
        }
        if (!scanIsOver) {
            scanIsOver = true;
            source.scanIsOver((partition, offset) -> !wasDecided(partition, offset));
            history.settle(
                    checkpoint,
                    streams.stream()
                            .map(stream -> destination.table(stream.table()))
                            .toList(),
                    stream -> members.contains(streams.get(stream).topic()),
                    late -> late.offset() < readFor(checkpoint, source.part(late.partition())));
        }
        for (StreamSpec stream : streams) {
            if (members.contains(stream.topic())) {
                history.believe(history.tableOf(streams.indexOf(stream)), destination.table(stream.table()));
            }
        }
        for (int stream = 0; stream < streams.size(); stream++) {
            StreamSpec spec = streams.get(stream);
            if (members.contains(spec.topic())) {
                int table = history.tableOf(stream);
                compare(spec.table(), known(table, destination.table(spec.table())), known(table, wanted.get(table)));
            }
        }
    }

    private Map<Key, @Nullable Object[]> known(int table, Map<Key, @Nullable Object[]> rows) {
        if (history.knowsAll()) {
            return rows;
        }
        Map<Key, @Nullable Object[]> known = History.table();
        rows.forEach((key, row) -> {
            if (history.isKnown(table, key)) {
                known.put(key, row);
            }
        });
        return known;
    }

    private void compare(String table, Map<Key, @Nullable Object[]> found, Map<Key, @Nullable Object[]> wanted) {
        if (!found.keySet().equals(wanted.keySet())) {
            throw new Violation("I1: at %s %s has keys %s, the source had %s"
                    .formatted(destination.checkpoint(), table, found.keySet(), wanted.keySet()));
        }
        wanted.forEach((key, row) -> {
            if (!Arrays.equals(row, found.get(key))) {
                throw new Violation("I1: at %s row %s of %s is %s, the source had %s"
                        .formatted(
                                destination.checkpoint(),
                                key,
                                table,
                                Arrays.toString(found.get(key)),
                                Arrays.toString(row)));
            }
        });
    }

    // ---- offsets are about to be committed

    /** They follow data, never pass the witness, and a child's follow its parents'. */
    void committing(PartitionId id, long upTo) {
        Part part = source.part(id);
        ancestorsAreDone(id, part);
        for (long offset = part.committed; offset < upTo; offset++) {
            if (source.isOdd(id, offset)) {
                decided(id, offset, upTo);
            } else if (!wasDecided(id, offset)) {
                applied(id, part.log.get((int) offset), offset, upTo);
            }
        }
    }

    private void ancestorsAreDone(PartitionId id, Part part) {
        for (long parent : part.parents) {
            Part before = source.part(new PartitionId(id.stream(), parent));
            if (before.committed < before.log.size()) {
                throw new Violation(
                        "I4: %s commits before %d, of which it came, is committed to its end".formatted(id, parent));
            }
            ancestorsAreDone(id, before);
        }
    }

    private void decided(PartitionId id, long offset, long upTo) {
        if (!wasDecided(id, offset) && !wasBlocked(id, offset) && !source.isExcused(id, offset)) {
            throw new Violation("I7: %s commits up to %d past the record at %d, about which nothing was decided"
                    .formatted(id, upTo, offset));
        }
    }

    private boolean wasBlocked(PartitionId id, long offset) {
        return destination.wasBlocked(
                LeftOutKeys.name(id.stream(), source.part(id).log.get((int) offset)));
    }

    private boolean wasDecided(PartitionId id, long offset) {
        return destination.wasDecided(streams.get(id.stream()).topic(), id.partition(), offset);
    }

    private void applied(PartitionId id, StreamRecord record, long offset, long upTo) {
        boolean scanning = destination.stage() == Stage.INITIAL_SCAN;
        if (scanning ? destination.instance().isEmpty() : !destination.vouched()) {
            return;
        }
        Position anchor = scanning
                ? destination.instance().map(InstanceRow::scanMaximum).orElse(Position.ZERO)
                : destination.checkpoint();
        if (record instanceof Barrier barrier && !barrier.position().isBefore(anchor)) {
            throw new Violation("I4: %s commits up to %d past its witness at %d".formatted(id, upTo, offset));
        }
        if (!scanning && record instanceof Change change && !change.position().isBefore(anchor)) {
            throw new Violation("I4: %s commits up to %d, but offset %d at %s is not applied at %s"
                    .formatted(id, upTo, offset, change.position(), anchor));
        }
    }

    /** Questions are asked about records that need an answer, and about no others. */
    void asked(PartitionId id, long offset) {
        boolean oversized = source.sharesWithMoreThan(plan.bounds().hardRows(), id, offset);
        if (!source.isOdd(id, offset) && !source.mayBeRefused(id, offset) && !oversized) {
            throw new Violation("I7: asked about %s offset %d, which is not late, unfit, refused or too much: %s"
                    .formatted(id, offset, source.part(id).log.get((int) offset)));
        }
    }

    // ---- what a process says of itself

    /** A new one was published. */
    void status(SimulatedProcess process, long now) {
        EngineStatus status = process.engine.status();
        if (status.bufferedBytes() > plan.memory()) {
            throw new Violation("I5: %d bytes are buffered, the budget is %d: %s"
                    .formatted(status.bufferedBytes(), plan.memory(), status));
        }
        boolean asLeft = process.target.known().equals(destination.proof());
        if (status.aligned() && asLeft && !(destination.stage() == Stage.RUN && destination.vouched())) {
            throw new Violation(
                    "I1: %s says that the destination is a snapshot, and it is none".formatted(process.host.name));
        }
        boolean working = status.mode() != Mode.STARTING && status.mode() != Mode.STOPPING;
        boolean slept = now - process.heardAt > Plan.INTERVAL_MILLIS;
        process.heardAt = now;
        if (slept || !working || status.blocking().isPresent()) {
            process.unexplainedSince = now;
        }
        long silentFor = now - Math.max(process.clockSetAt, now - (status.at() - status.lastProgressAt()));
        boolean promised = plan.barrierMillis() <= Plan.INTERVAL_MILLIS;
        if (promised
                && silentFor > SILENT_INTERVALS * Plan.INTERVAL_MILLIS
                && now - process.unexplainedSince > Plan.INTERVAL_MILLIS) {
            throw new Violation("I6: no progress for %d ms, and nothing is said to stand in the way: %s"
                    .formatted(silentFor, status));
        }
    }

    // ---- at the end

    /** A record below the checkpoint about which nothing was decided yet, though it needs it. */
    Optional<String> undecided() {
        Set<String> members = destination.members();
        for (int stream = 0; stream < streams.size(); stream++) {
            if (members.contains(streams.get(stream).topic())) {
                for (Part part : source.parts(stream)) {
                    PartitionId id = new PartitionId(stream, part.id);
                    long read = readFor(destination.checkpoint(), part);
                    for (long offset : source.oddOffsets(id)) {
                        boolean settled =
                                wasDecided(id, offset) || wasBlocked(id, offset) || source.isExcused(id, offset);
                        if (offset < read && !settled) {
                            return Optional.of("I7: nothing was decided about offset %d of %s".formatted(offset, id));
                        }
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** How far a partition must have been read at least, for the checkpoint to be reached. */
    private static long readFor(Position checkpoint, Part part) {
        Position highest = Position.ZERO;
        long read = 0;
        for (int offset = 0; offset < part.log.size(); offset++) {
            if (part.log.get(offset) instanceof Barrier barrier && highest.isBefore(barrier.position())) {
                highest = barrier.position();
                read = checkpoint.isBefore(highest) ? read : offset;
            }
        }
        return read;
    }
}
