package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.DecisionRow;
import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.core.TableWrites;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The destination database: tables, state row with the lock, our rows. */
final class ModelDestination {
    /** What a transaction reads first, to prove that all is as its process left it. */
    record Proof(String owner, Position checkpoint, Stage stage, long commitSeq) {}

    /** What a transaction leaves in our instance row to be recognised by. */
    record Mark(String owner, long attempt) {}

    private final Map<String, Map<Key, @Nullable Object[]>> tables = new LinkedHashMap<>();
    private final Map<String, StreamRow> streams = new LinkedHashMap<>();
    private final Map<String, DecisionRow> decisions = new LinkedHashMap<>();
    /** Names of rows that are left out; and of those that once were. */
    private Set<String> blocked = Set.of();

    private final Set<String> onceBlocked = new HashSet<>();
    /** Values below zero that are taken, though at first they were not. */
    private final Set<Integer> accepted = new HashSet<>();
    /** None down to this one is refused any more. */
    private int acceptedTo;

    private Position checkpoint = Position.ZERO;
    private Stage stage;
    private String state = "OK";
    private String lastMessage = "";
    private Optional<InstanceRow> instance;
    private long commitSeq;
    private Mark mark = new Mark("", 0);
    private String owner = "";
    private long deadline;
    private long version;
    private long transactions;

    /** @param begunByUs whether a process of ours made the state row, and its own beside it; a predecessor makes no other */
    ModelDestination(List<String> names, Stage stage, boolean begunByUs) {
        this.stage = stage;
        this.instance = begunByUs
                ? Optional.of(new InstanceRow(Position.ZERO, Position.ZERO, ScanPhase.NONE))
                : Optional.empty();
        names.forEach(name -> tables.put(name, History.table()));
    }

    // ---- what there is

    Map<Key, @Nullable Object[]> table(String name) {
        Map<Key, @Nullable Object[]> rows = tables.get(name);
        if (rows == null) {
            throw new Violation("there is no table " + name);
        }
        return rows;
    }

    Position checkpoint() {
        return checkpoint;
    }

    Stage stage() {
        return stage;
    }

    boolean stateOk() {
        return state.equals("OK");
    }

    String owner() {
        return owner;
    }

    Mark mark() {
        return mark;
    }

    /** Rises with every write to the rows that every transaction reads. */
    long version() {
        return version;
    }

    /** How many transactions took effect: those that write rows, the checkpoint or what our rows say. */
    long transactions() {
        return transactions;
    }

    boolean locked(long now) {
        return now < deadline;
    }

    Proof proof() {
        return new Proof(owner, checkpoint, stage, commitSeq);
    }

    Optional<InstanceRow> instance() {
        return instance;
    }

    /** Whether the checkpoint is the one of our last transaction. */
    boolean vouched() {
        return instance.filter(row -> row.vouched().equals(checkpoint)).isPresent();
    }

    /** Topics that the checkpoint stands for. */
    Set<String> members() {
        Set<String> members = new TreeSet<>();
        streams.values().stream()
                .filter(row -> row.state() == StreamState.MEMBER)
                .forEach(row -> members.add(row.topic()));
        return members;
    }

    /** Up to where the consumer may have been committed by us, as the stream's row says. */
    long noted(String topic, long partition) {
        StreamRow row = streams.get(topic);
        return row == null ? 0 : row.committed().getOrDefault(partition, 0L);
    }

    boolean wasRemoved(String topic) {
        StreamRow row = streams.get(topic);
        return row != null && row.state() == StreamState.REMOVED;
    }

    /** About the record itself. */
    boolean wasDecided(String topic, long partition, long offset) {
        return decisions.containsKey(key(topic, partition, offset));
    }

    /** Whether it was decided that a position is applied whatever the bounds. */
    boolean isOrdered(Position position) {
        return decisions.values().stream()
                .anyMatch(row ->
                        row.action() == Action.APPLY_ALL && row.position().equals(position));
    }

    /** Whether a scan has applied changes of as high a position, and perhaps those of this one. */
    boolean mayHaveScanned(Position position) {
        return stage == Stage.INITIAL_SCAN
                && instance.filter(row -> !row.scanMaximum().isBefore(position)).isPresent();
    }

    int decisions() {
        return decisions.size();
    }

    private static String key(String topic, long partition, long offset) {
        return topic + "/" + partition + "@" + offset;
    }

    SavedState saved() {
        return new SavedState(
                checkpoint,
                state,
                lastMessage,
                stage,
                instance,
                new ArrayList<>(streams.values()),
                new ArrayList<>(decisions.values()));
    }

    // ---- what processes do

    boolean lock(String who, long now, long ttl) {
        if (!owner.equals(who) && now < deadline) {
            return false;
        }
        takeLock(who, now + ttl);
        return true;
    }

    /** Whoever has it. */
    void takeLock(String who, long until) {
        owner = who;
        deadline = until;
        version++;
    }

    void release(String who, long now) {
        if (owner.equals(who)) {
            deadline = now;
            version++;
        }
    }

    /** Rows, checkpoint and our rows at once. */
    void apply(Batch batch, Mark left, long newDeadline) {
        batch.tables().forEach(this::apply);
        applyState(batch, left, newDeadline);
    }

    void apply(TableWrites writes) {
        Map<Key, @Nullable Object[]> rows = table(writes.table());
        for (RowWrite row : writes.erases()) {
            History.apply(rows, row.operation(), row.key(), row.columns());
        }
        for (RowWrite row : writes.writes()) {
            History.apply(rows, row.operation(), row.key(), row.columns());
        }
    }

    void applyState(Batch batch, Mark left, long newDeadline) {
        Position vouchedBefore = instance.map(InstanceRow::vouched).orElse(Position.ZERO);
        for (DecisionRow row : batch.decisions()) {
            if (decisions.put(key(row.topic(), row.partition(), row.offset()), row) != null) {
                throw new Violation("I7: twice decided, the second time as " + row);
            }
        }
        checkpoint = batch.checkpoint().orElse(checkpoint);
        stage = batch.stage();
        instance = Optional.of(
                new InstanceRow(batch.checkpoint().orElse(vouchedBefore), batch.scanMaximum(), batch.phase()));
        batch.streams().forEach(row -> streams.put(row.topic(), row));
        leave(left);
        deadline = newDeadline;
        transactions++;
    }

    /** The next number, and whose. */
    void leave(Mark left) {
        commitSeq++;
        mark = left;
        version++;
    }

    void fatal(String message) {
        state = "FATAL_ERROR";
        lastMessage = message;
        version++;
    }

    /** The first of the values that are refused, absent when all are taken. */
    Optional<Integer> refuses(Columns columns) {
        return Arrays.stream(columns.values())
                .filter(value -> value instanceof Integer number && number < acceptedTo && !accepted.contains(number))
                .map(Integer.class::cast)
                .findFirst();
    }

    Set<String> blocked() {
        return blocked;
    }

    boolean wasBlocked(String row) {
        return onceBlocked.contains(row);
    }

    // ---- what others do

    /** A person says which rows are left out from now on. */
    void block(Set<String> rows) {
        blocked = Set.copyOf(rows);
        onceBlocked.addAll(rows);
    }

    /** A person makes the destination take the values. */
    void accept(Columns columns) {
        for (Object value : columns.values()) {
            if (value instanceof Integer number) {
                accepted.add(number);
            }
        }
    }

    /** A person makes the destination take all values that the source has written so far. */
    void acceptAll(int written) {
        acceptedTo = -written;
    }

    /** A person repaired what the state row names. */
    void repaired() {
        state = "OK";
    }

    /** A person moves the checkpoint. */
    void setCheckpoint(Position position) {
        checkpoint = position;
        version++;
        transactions++;
    }

    /** A person takes a stream out, under the lock. */
    void removeMember(String topic) {
        StreamRow row = streams.get(topic);
        if (row != null) {
            streams.put(
                    topic,
                    new StreamRow(
                            row.topic(),
                            row.consumer(),
                            row.table(),
                            row.topicCreatedAt(),
                            StreamState.REMOVED,
                            row.committed()));
            leave(new Mark("members", version));
            transactions++;
        }
    }

    /** What a program leaves that keeps the state row as we do, and has no other rows. */
    void moveTo(Position complete, List<Map<Key, @Nullable Object[]>> asOf) {
        int table = 0;
        for (Map<Key, @Nullable Object[]> rows : tables.values()) {
            rows.clear();
            rows.putAll(asOf.get(table++));
        }
        owner = "foreigner" + complete;
        deadline = 0;
        setCheckpoint(complete);
    }
}
