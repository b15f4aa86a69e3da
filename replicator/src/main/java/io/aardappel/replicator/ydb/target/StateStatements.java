package io.aardappel.replicator.ydb.target;

import io.aardappel.contract.DecisionTable;
import io.aardappel.contract.InstanceTable;
import io.aardappel.contract.Membership;
import io.aardappel.contract.Stage;
import io.aardappel.contract.State;
import io.aardappel.contract.StateTable;
import io.aardappel.contract.StreamTable;
import io.aardappel.contract.TableName;
import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.DecisionRow;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tech.ydb.proto.ValueProtos.TypedValue;

/**
 * The statements about one instance's lock, checkpoint and rows. Time is always the server's, so that no clock of ours
 * matters to safety.
 */
final class StateStatements {
    private static final String NOW = "CurrentUtcTimestamp()";

    private final TypedValue id;
    private final String instanceId;
    private final TypedValue ttl;
    private final String state;
    private final String instances;
    private final String streams;
    private final TableName stateTable;
    private final String decisions;

    StateStatements(TableName stateTable, String instanceId, Duration lockTtl) {
        this.id = Params.utf8(instanceId);
        this.instanceId = instanceId;
        this.ttl = Params.interval(lockTtl);
        this.state = stateTable.quoted();
        this.instances = InstanceTable.beside(stateTable).quoted();
        this.streams = StreamTable.beside(stateTable).quoted();
        this.stateTable = stateTable;
        this.decisions = DecisionTable.beside(stateTable).quoted();
    }

    /**
     * Insert-only: a row that is there, whoever wrote it, is left as it is. The row of ours that goes with it says that this
     * scan was begun by no predecessor, so that a consumer which has read cannot have read for it.
     */
    Call insertInitialRow() {
        return Call.of(
                "INSERT INTO " + state
                        + " (id, step_id, tx_id, state, stage) VALUES ($id, $zero, $zero, $state, $stage);\nUPSERT INTO "
                        + instances
                        + " (id, commit_seq, vouched_step, vouched_tx) VALUES ($id, $zero, $zero, $zero);\n",
                Map.of(
                        "$id", id,
                        "$zero", Params.uint64(0),
                        "$state", Params.utf8(State.OK.name()),
                        "$stage", Params.utf8(Stage.INITIAL_SCAN.name())));
    }

    /** Gives owner, deadline, checkpoint, stage and, as {@code now}, the server's clock. */
    Call readLock() {
        return Call.of(
                "SELECT lock_owner, lock_deadline, step_id, tx_id, stage, " + NOW + " AS now FROM " + state
                        + " WHERE id = $id;",
                Map.of("$id", id));
    }

    /** Our instance row, whether there is a state row or not. */
    Call readInstanceRow() {
        return Call.of(
                "SELECT commit_seq, vouched_step, vouched_tx, m_step, m_tx, phase FROM " + instances
                        + " WHERE id = $id;\n",
                Map.of("$id", id));
    }

    /** As {@code n}, how many streams our rows record as members, whether there is a state row or not. */
    Call countMembers() {
        return Call.of(
                "SELECT COUNT(*) AS n FROM " + streams + " WHERE id = $id AND state = $member;\n",
                Map.of("$id", id, "$member", Params.utf8(Membership.MEMBER.word())));
    }

    /**
     * Takes or extends where that is allowed, and gives the owner as it is then. Whole in one call that commits.
     *
     * @param previous owner string of an earlier term of this process, whose lock may be taken over; or again the owner
     */
    Call takeLock(String owner, String previous) {
        String may = "(lock_owner = $owner OR lock_owner = $previous OR " + StateTable.LOCK_IS_FREE + ")";
        return Call.of(
                "UPDATE " + state + " SET lock_owner = $owner, lock_deadline = " + NOW + " + $ttl WHERE id = $id AND "
                        + may + ";\nSELECT lock_owner FROM " + state + " WHERE id = $id;",
                Map.of("$id", id, "$owner", Params.utf8(owner), "$previous", Params.utf8(previous), "$ttl", ttl));
    }

    /** Extends the deadline only where the lock is ours, and gives the owner as it is then. */
    Call renewLock(String owner) {
        return Call.of(
                "UPDATE " + state + " SET lock_deadline = " + NOW
                        + " + $ttl WHERE id = $id AND lock_owner = $owner;\nSELECT lock_owner FROM " + state
                        + " WHERE id = $id;",
                Map.of("$id", id, "$owner", Params.utf8(owner), "$ttl", ttl));
    }

    /** The owner stays, the deadline is now: the next to ask gets the lock. */
    Call releaseLock(String owner) {
        return Call.of(
                "UPDATE " + state + " SET lock_deadline = " + NOW + " WHERE id = $id AND lock_owner = $owner;",
                Map.of("$id", id, "$owner", Params.utf8(owner)));
    }

    /** The state row alone. */
    Call readStateRow() {
        return Call.of(stateRow(), Map.of("$id", id));
    }

    private String stateRow() {
        return "SELECT step_id, tx_id, state, stage, last_msg, lock_owner FROM " + state + " WHERE id = $id;\n";
    }

    /** State row, instance row, the first stream rows: three result sets. */
    Call load(int rows) {
        return Call.of(readProof().text() + streamPage("", rows), Map.of("$id", id));
    }

    /** The stream rows that follow this one. */
    Call loadMore(StreamRow last, int rows) {
        return Call.of(
                streamPage(" AND (topic > $topic OR (topic = $topic AND consumer > $consumer))", rows),
                Map.of("$id", id, "$topic", Params.utf8(last.topic()), "$consumer", Params.utf8(last.consumer())));
    }

    /** The first decision rows. */
    Call loadDecisions(int rows) {
        return Call.of(DecisionRows.page(decisions, "", rows), Map.of("$id", id));
    }

    /** The decision rows that follow this one. */
    Call loadDecisions(DecisionRow last, int rows) {
        return Call.of(
                DecisionRows.page(decisions, DecisionRows.following(), rows),
                Map.of(
                        "$id", id,
                        "$topic", Params.utf8(last.topic()),
                        "$consumer", Params.utf8(last.consumer()),
                        "$partition", Params.uint64(last.partition()),
                        "$offset", Params.uint64(last.offset())));
    }

    /** All columns: a table made by an earlier version lacks some, and is read before they are added. */
    private String streamPage(String after, int rows) {
        return "SELECT * FROM " + streams + " WHERE id = $id" + after + " ORDER BY topic, consumer LIMIT " + rows
                + ";\n";
    }

    /** State row and instance row: two result sets. */
    Call readProof() {
        return Call.of(
                stateRow() + "SELECT commit_seq, owner, attempt, vouched_step, vouched_tx, m_step, m_tx, phase FROM "
                        + instances + " WHERE id = $id;\n",
                Map.of("$id", id));
    }

    /**
     * What a batch writes beside its rows: checkpoint where there is one, our rows, the mark, the lock extended.
     *
     * @param vouched to write into the instance row where the batch has no checkpoint; absent leaves what stands there
     */
    Call mark(Mark mark, Batch batch, Optional<Position> vouched) {
        Upsert stateRow = extended();
        batch.checkpoint()
                .ifPresent(checkpoint -> setPosition(stateRow, StateTable.STEP_ID, StateTable.TX_ID, checkpoint)
                        .set(StateTable.STAGE, Params.utf8(batch.stage().name())));
        Upsert instanceRow = marked(mark);
        batch.checkpoint()
                .or(() -> vouched)
                .ifPresent(position ->
                        setPosition(instanceRow, InstanceTable.VOUCHED_STEP, InstanceTable.VOUCHED_TX, position));
        setPosition(instanceRow, InstanceTable.M_STEP, InstanceTable.M_TX, batch.scanMaximum())
                .set(InstanceTable.PHASE, Params.utf8(batch.phase().name()));
        Call rows = both(stateRow, instanceRow);
        if (batch.streams().isEmpty() && batch.decisions().isEmpty()) {
            return rows;
        }
        StringBuilder text = new StringBuilder(rows.text());
        Map<String, TypedValue> parameters = new LinkedHashMap<>(rows.parameters());
        if (!batch.streams().isEmpty()) {
            text.append(StreamRows.upsert(streams, "$streams"));
            parameters.put("$streams", StreamRows.parameter(instanceId, batch.streams()));
            forgetDecisions(batch.streams(), text, parameters);
        }
        if (!batch.decisions().isEmpty()) {
            text.append(DecisionRows.upsert(decisions, "$decisions"));
            parameters.put("$decisions", DecisionRows.parameter(instanceId, batch.decisions()));
        }
        return Call.of(text.toString(), parameters);
    }

    /** What was decided about a stream's records must not be found again when a topic is made anew under its name. */
    private void forgetDecisions(List<StreamRow> rows, StringBuilder text, Map<String, TypedValue> parameters) {
        int count = 0;
        for (StreamRow row : rows) {
            if (row.state() == StreamState.REMOVED) {
                count++;
                String topics = "$topics" + count;
                String consumer = "$consumer" + count;
                text.append(DecisionTable.forgetStreams(stateTable, topics, consumer));
                parameters.put(topics, Params.utf8s(List.of(row.topic())));
                parameters.put(consumer, Params.utf8(row.consumer()));
            }
        }
    }

    /** Nothing but the mark: after it an attempt that read the row before can take no effect any more. */
    Call fence(Mark mark) {
        return both(extended(), marked(mark));
    }

    Call fatal(Mark mark, String message) {
        Upsert stateRow = extended()
                .set(StateTable.STATE, Params.utf8(State.FATAL_ERROR.name()))
                .set(StateTable.LAST_MSG, Params.utf8(message));
        return both(stateRow, marked(mark));
    }

    private Upsert extended() {
        return new Upsert(state).set(StateTable.ID, id).setExpression(StateTable.LOCK_DEADLINE, NOW + " + $ttl");
    }

    private Upsert marked(Mark mark) {
        return new Upsert(instances)
                .set(InstanceTable.ID, id)
                .set(InstanceTable.COMMIT_SEQ, Params.uint64(mark.commitSeq()))
                .set(InstanceTable.OWNER, Params.utf8(mark.owner()))
                .set(InstanceTable.ATTEMPT, Params.uint64(mark.attempt()))
                .setExpression(InstanceTable.UPDATED_AT, NOW);
    }

    private Call both(Upsert stateRow, Upsert instanceRow) {
        Map<String, TypedValue> parameters = new LinkedHashMap<>(stateRow.parameters());
        parameters.putAll(instanceRow.parameters());
        parameters.put("$ttl", ttl);
        return Call.of(stateRow.text() + instanceRow.text(), parameters);
    }

    private static Upsert setPosition(Upsert row, String step, String tx, Position position) {
        return row.set(step, Params.uint64(position.step())).set(tx, Params.uint64(position.txId()));
    }
}
