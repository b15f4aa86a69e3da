package io.aardappel.replicator.core;

import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.StreamRecord.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records that are late or do not fit, of all partitions: asked about, decided, carried out. One that is applied takes its
 * place in the order of positions where that is still possible; where its position was passed it is due at once, before
 * everything else. Offsets at or above a record are held until what was decided about it is durable. Not thread-safe.
 */
final class Questions {
    private final List<StreamSpec> streams;
    /** From the question until the decision is durable. */
    private final Map<PartitionId, NavigableMap<Long, Questioned>> undone = new HashMap<>();
    /** Decisions that are durable, of records that may be read again. */
    private final Map<PartitionId, NavigableMap<Long, DecisionRow>> done = new HashMap<>();

    private final List<Questioned> due = new ArrayList<>();
    private int open;
    private boolean unplaced;
    /** Decided, and among the changes of their lanes again. */
    private int placed;

    private long applied;
    private long skipped;

    /** @param rows of decisions that are durable already */
    Questions(List<StreamSpec> streams, List<DecisionRow> rows) {
        this.streams = streams;
        for (int stream = 0; stream < streams.size(); stream++) {
            StreamSpec spec = streams.get(stream);
            for (DecisionRow row : rows) {
                if (row.topic().equals(spec.topic())
                        && row.consumer().equals(spec.consumer())
                        && !row.action().ofWholePosition()) {
                    PartitionId partition = new PartitionId(stream, row.partition());
                    done.computeIfAbsent(partition, none -> new TreeMap<>()).put(row.offset(), row);
                }
            }
        }
    }

    /** Records that wait for a decision. */
    int open() {
        return open;
    }

    long applied() {
        return applied;
    }

    long skipped() {
        return skipped;
    }

    // ---- what is read

    /** What is known of a record that is read: nothing as a rule. */
    enum Known {
        NOTHING,
        /** It was asked about and is kept here, or it is left out: it need not be taken. */
        HERE_OR_SKIPPED,
        /** It is to be applied in its place, whatever the barriers say, and is not applied yet unless its place is passed. */
        TO_APPLY,
        /** The same; it was applied before, when everything below its position was. */
        APPLIED_BEFORE
    }

    Known known(PartitionId partition, long offset) {
        if (undone.isEmpty() && done.isEmpty()) {
            return Known.NOTHING;
        }
        Questioned questioned = find(partition, offset);
        if (questioned != null) {
            return questioned.placed() ? Known.TO_APPLY : Known.HERE_OR_SKIPPED;
        }
        DecisionRow row = durable(partition, offset);
        if (row == null) {
            return Known.NOTHING;
        }
        return row.action() == Action.APPLY ? Known.APPLIED_BEFORE : Known.HERE_OR_SKIPPED;
    }

    private @Nullable DecisionRow durable(PartitionId partition, long offset) {
        NavigableMap<Long, DecisionRow> ofPartition = done.get(partition);
        return ofPartition == null ? null : ofPartition.get(offset);
    }

    /** Whether something was decided about it that is not carried out yet. */
    boolean isDecided(Pending pending) {
        Questioned questioned = find(pending.lane.id, pending.offset);
        return questioned != null && !questioned.open();
    }

    private @Nullable Questioned find(PartitionId partition, long offset) {
        NavigableMap<Long, Questioned> ofPartition = undone.get(partition);
        return ofPartition == null ? null : ofPartition.get(offset);
    }

    /** @param change whole, null when the record cannot become one */
    void ask(Lane lane, long offset, Position position, @Nullable Change change, Problem problem) {
        Questioned questioned = new Questioned(lane, offset, position, change, problem);
        undone.computeIfAbsent(lane.id, none -> new TreeMap<>()).put(offset, questioned);
        lane.holdBack(offset, questioned.bytes());
        open++;
    }

    /**
     * A record that is to be applied in its place was read again when its place was passed, or when a transaction is under way
     * that passes it. It is given its place anew when the outcome is known.
     *
     * @param passed for certain
     * @return false when it is applied: it was before, together with all below its position
     */
    boolean missed(Lane lane, long offset, Change change, boolean passed) {
        Questioned questioned = find(lane.id, offset);
        if (questioned == null) {
            DecisionRow row = durable(lane.id, offset);
            if (passed || row == null) {
                return false;
            }
            Problem asked = new Problem(Reason.LATE_RECORD, row.reason(), "");
            questioned = new Questioned(lane, offset, change.position(), change, asked);
            questioned.decide(row.action(), row.decidedBy());
            undone.computeIfAbsent(lane.id, none -> new TreeMap<>()).put(offset, questioned);
        } else {
            placed--;
            questioned.give(change);
        }
        lane.holdBack(offset, questioned.bytes());
        unplaced = true;
        return true;
    }

    /** The server delivers nothing below the offset again. */
    void forget(PartitionId partition, long below) {
        NavigableMap<Long, DecisionRow> ofPartition = done.get(partition);
        if (ofPartition != null) {
            ofPartition.headMap(below).clear();
            if (ofPartition.isEmpty()) {
                done.remove(partition);
            }
        }
    }

    // ---- what is decided

    /**
     * Takes a decision; one about a record that is not asked about is ignored.
     *
     * @return why it cannot be carried out, absent when it can
     */
    Optional<Problem> decide(PartitionId partition, long offset, Action action, DecidedBy by) {
        Questioned questioned = find(partition, offset);
        if (questioned == null || !questioned.open()) {
            return Optional.empty();
        }
        if (action == Action.APPLY && questioned.change().isEmpty()) {
            Problem asked = questioned.problem;
            return Optional.of(new Problem(
                    Reason.UNFIT_RECORD,
                    asked.what() + "; a command orders to apply it, but it does not say what to write",
                    "Make the destination table fit the source table, or order to skip it; then set state to OK and start"
                            + " again"));
        }
        questioned.decide(action, by);
        open--;
        unplaced = true;
        return Optional.empty();
    }

    /**
     * Gives everything that was decided its place. Only while nothing is open, so that records of one partition are placed in
     * the order of their offsets, and no transaction is under way, which would pass their positions.
     *
     * @param applied everything below it is applied
     * @return whether anything was placed
     */
    boolean place(Position applied) {
        if (!unplaced) {
            return false;
        }
        unplaced = false;
        due.clear();
        for (NavigableMap<Long, Questioned> ofPartition : undone.values()) {
            for (Questioned questioned : ofPartition.values()) {
                Change change = questioned.change().orElse(null);
                if (questioned.is(Action.SKIP)
                        || (change != null && change.position().isBefore(applied))) {
                    due.add(questioned);
                } else if (change != null) {
                    questioned.lane.letGo(questioned.offset, questioned.bytes());
                    questioned.give(null);
                    questioned.lane.insert(change, questioned.offset);
                    placed++;
                }
            }
        }
        return true;
    }

    // ---- what is carried out

    /** What is due before everything else, in the order of positions, as much as fits the targets and at least one. */
    List<Questioned> due(TransactionBounds bounds) {
        due.sort(Questioned.ORDER);
        int count = 0;
        long bytes = 0;
        while (count < due.size()) {
            bytes += due.get(count).bytes();
            if (count > 0 && (count >= bounds.targetRows() || bytes > bounds.targetBytes())) {
                break;
            }
            count++;
        }
        return List.copyOf(due.subList(0, count));
    }

    /** Those among the changes that were decided about. */
    List<Questioned> among(List<Pending> changes) {
        if (placed == 0) {
            return List.of();
        }
        List<Questioned> found = new ArrayList<>();
        for (Pending pending : changes) {
            Questioned questioned = find(pending.lane.id, pending.offset);
            if (questioned != null) {
                found.add(questioned);
            }
        }
        return found;
    }

    List<DecisionRow> rows(List<Questioned> decided) {
        return decided.stream()
                .map(one -> one.row(streams.get(one.lane.id.stream())))
                .toList();
    }

    /** The decisions are durable together with what they decide. */
    void carriedOut(List<Questioned> decided) {
        Set<Questioned> carried = new HashSet<>(decided);
        due.removeIf(carried::contains);
        for (Questioned questioned : decided) {
            PartitionId partition = questioned.lane.id;
            boolean apply = questioned.is(Action.APPLY);
            if (questioned.placed()) {
                placed--;
            } else {
                questioned.lane.letGo(questioned.offset, questioned.bytes());
            }
            applied += apply ? 1 : 0;
            skipped += apply ? 0 : 1;
            done.computeIfAbsent(partition, none -> new TreeMap<>())
                    .put(questioned.offset, questioned.row(streams.get(partition.stream())));
            NavigableMap<Long, Questioned> ofPartition = undone.get(partition);
            if (ofPartition != null) {
                ofPartition.remove(questioned.offset);
                if (ofPartition.isEmpty()) {
                    undone.remove(partition);
                }
            }
        }
    }
}
