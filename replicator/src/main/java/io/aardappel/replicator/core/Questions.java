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
    /** Records whose decisions are durable, and that may be read again: whether an earlier term applied them. */
    private final Map<PartitionId, NavigableMap<Long, Done>> done = new HashMap<>();

    private final List<Questioned> due = new ArrayList<>();
    private int open;
    private boolean unplaced;
    /** Decided, and among the changes of their lanes again. */
    private int placed;

    private long applied;
    private long skipped;

    /** The position tells the record from another of its offset, in a topic that was made anew under the same name. */
    private record Done(Position position, boolean appliedBefore) {}

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
                    done.computeIfAbsent(partition, none -> new TreeMap<>())
                            .put(row.offset(), new Done(row.position(), row.action() == Action.APPLY));
                }
            }
        }
    }

    /** Records that wait for a decision. */
    int open() {
        return open;
    }

    /** Whether nothing waits for a decision, or to be carried out. */
    boolean none() {
        return undone.isEmpty();
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
        /** It was asked about and is kept here, or it was left out, or applied in this term: it need not be taken. */
        HERE_OR_DONE,
        /** It is to be applied, whatever the barriers say; there was no room to keep it until now. */
        TO_APPLY,
        /** An earlier term applied it. */
        APPLIED_BEFORE
    }

    /** @param position of the record, {@link Position#ZERO} where it cannot be read */
    Known known(PartitionId partition, long offset, Position position) {
        if (undone.isEmpty() && done.isEmpty()) {
            return Known.NOTHING;
        }
        Questioned questioned = find(partition, offset);
        if (questioned != null) {
            return questioned.placed() ? Known.TO_APPLY : Known.HERE_OR_DONE;
        }
        NavigableMap<Long, Done> ofPartition = done.get(partition);
        Done before = ofPartition == null ? null : ofPartition.get(offset);
        if (before == null || !before.position().equals(position)) {
            return Known.NOTHING;
        }
        return before.appliedBefore() ? Known.APPLIED_BEFORE : Known.HERE_OR_DONE;
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
        keep(new Questioned(lane, offset, position, change, problem));
        open++;
    }

    private void keep(Questioned questioned) {
        undone.computeIfAbsent(questioned.lane.id, none -> new TreeMap<>()).put(questioned.offset, questioned);
        questioned.lane.holdBack(questioned.offset, questioned.bytes());
    }

    /**
     * A record that is to be applied was read again. Its place is found anew, because a transaction that is under way may
     * pass it.
     */
    void readAgain(Lane lane, long offset, Change change) {
        Questioned questioned = find(lane.id, offset);
        if (questioned != null) {
            placed--;
            questioned.give(change);
            lane.holdBack(offset, questioned.bytes());
            unplaced = true;
        }
    }

    /** A record that an earlier term applied is applied again, since what is around it is. */
    void applyAgain(Lane lane, long offset, Change change) {
        keep(Questioned.decidedBefore(lane, offset, change));
        unplaced = true;
    }

    /** The server delivers nothing below the offset again. */
    void forget(PartitionId partition, long below) {
        NavigableMap<Long, Done> ofPartition = done.get(partition);
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
                .filter(one -> !one.decidedBefore())
                .map(one -> one.row(streams.get(one.lane.id.stream())))
                .toList();
    }

    /** The decisions are durable together with what they decide. */
    void carriedOut(List<Questioned> decided) {
        Set<Questioned> carried = new HashSet<>(decided);
        due.removeIf(carried::contains);
        for (Questioned questioned : decided) {
            PartitionId partition = questioned.lane.id;
            if (questioned.placed()) {
                placed--;
            } else {
                questioned.lane.letGo(questioned.offset, questioned.bytes());
            }
            if (!questioned.decidedBefore()) {
                applied += questioned.is(Action.APPLY) ? 1 : 0;
                skipped += questioned.is(Action.SKIP) ? 1 : 0;
            }
            done.computeIfAbsent(partition, none -> new TreeMap<>())
                    .put(questioned.offset, new Done(questioned.position, false));
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
