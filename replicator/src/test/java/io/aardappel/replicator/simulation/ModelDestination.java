package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.DecisionRow;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.TableWrites;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The destination database: tables, state row with the lock, our rows. */
final class ModelDestination {
    final Map<String, Map<Key, @Nullable Object[]>> tables = new LinkedHashMap<>();
    private final Map<String, StreamRow> streams = new LinkedHashMap<>();
    private final Map<String, DecisionRow> decisions = new LinkedHashMap<>();
    private final BiConsumer<DecisionRow, Position> decided;
    private final boolean forgetsDecisions;
    Position checkpoint = Position.ZERO;
    Stage stage;
    String state = "OK";
    String lastMessage = "";
    Optional<InstanceRow> instance = Optional.empty();
    long commitSeq;
    String attempt = "";
    String owner = "";
    long deadline;
    /** Rises with every write to the rows that every transaction reads. */
    long version;
    /** Rises with every write to what an observer compares. */
    long changes;

    /**
     * @param decided told of each decision with the checkpoint that stood when it was carried out
     * @param forgetsDecisions a planted fault: nobody learns what was decided
     */
    ModelDestination(
            List<String> names, Stage stage, BiConsumer<DecisionRow, Position> decided, boolean forgetsDecisions) {
        this.stage = stage;
        this.decided = decided;
        this.forgetsDecisions = forgetsDecisions;
        names.forEach(name -> tables.put(name, new TreeMap<>(ModelSource::byNumber)));
    }

    SavedState saved() {
        return new SavedState(
                checkpoint,
                state,
                lastMessage,
                stage,
                instance,
                new ArrayList<>(streams.values()),
                forgetsDecisions ? List.of() : new ArrayList<>(decisions.values()));
    }

    boolean lock(String who, long now, long ttl) {
        if (!owner.equals(who) && now < deadline) {
            return false;
        }
        owner = who;
        deadline = now + ttl;
        version++;
        return true;
    }

    void release(String who, long now) {
        if (owner.equals(who)) {
            deadline = now;
            version++;
        }
    }

    /** Rows, checkpoint and our rows at once. */
    void apply(Batch batch, String newAttempt, long newDeadline, String by) {
        batch.tables().forEach(this::apply);
        applyState(batch, newAttempt, newDeadline);
        if (!owner.equals(by)) {
            throw new Violation(by + " commits while " + owner + " owns the lock");
        }
    }

    void apply(TableWrites writes) {
        changes++;
        Map<Key, @Nullable Object[]> table = tables.get(writes.table());
        if (table == null) {
            throw new Violation("no table " + writes.table());
        }
        for (RowWrite row : writes.erases()) {
            ModelSource.apply(table, row.operation(), row.key(), row.columns());
        }
        for (RowWrite row : writes.writes()) {
            ModelSource.apply(table, row.operation(), row.key(), row.columns());
        }
    }

    void applyState(Batch batch, String newAttempt, long newDeadline) {
        Position vouchedBefore = instance.map(InstanceRow::vouched).orElse(Position.ZERO);
        changes++;
        for (DecisionRow row : batch.decisions()) {
            decisions.put(key(row.topic(), row.partition(), row.offset()), row);
            decided.accept(row, checkpoint);
        }
        checkpoint = batch.checkpoint().orElse(checkpoint);
        stage = batch.stage();
        instance = Optional.of(
                new InstanceRow(batch.checkpoint().orElse(vouchedBefore), batch.scanMaximum(), batch.phase()));
        batch.streams().forEach(row -> streams.put(row.topic(), row));
        commitSeq++;
        attempt = newAttempt;
        deadline = newDeadline;
        version++;
    }

    boolean wasDecided(String topic, long partition, long offset) {
        return decisions.containsKey(key(topic, partition, offset));
    }

    int decisions() {
        return decisions.size();
    }

    private static String key(String topic, long partition, long offset) {
        return topic + "/" + partition + "@" + offset;
    }

    /** Whether the checkpoint is the one of our last transaction. */
    boolean vouched() {
        return instance.filter(row -> row.vouched().equals(checkpoint)).isPresent();
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
        checkpoint = complete;
        version++;
        changes++;
    }
}
