package io.aardappel.contract;

import java.util.List;

/**
 * Our row per decision about a record that came late or did not fit, or about all records of a position together. Written in
 * the transaction that carries the decision out, and never taken twice.
 *
 * <p>A row about a record is named by its stream, partition and offset. A row about a position is named by the position alone:
 * its topic and consumer are empty, which no stream's are, and the step and transaction id stand in place of partition and
 * offset. Earlier versions named it by the first record of the position; such a row means the same, so whoever reads goes by
 * {@link #ACTION}, {@link #STEP_ID} and {@link #TX_ID}.
 */
public final class DecisionTable {
    /** Added to the state table's name. */
    public static final String SUFFIX = "_decisions";

    /** The instance. Utf8, key. */
    public static final String ID = "id";
    /** Absolute path; empty in a row about a position. Utf8, key. */
    public static final String TOPIC = "topic";
    /** Empty in a row about a position. Utf8, key. */
    public static final String CONSUMER = "consumer";
    /** The topic's partition, or the position's step. Uint64, key. */
    public static final String PARTITION = "partition_id";
    /** The record's offset, or the position's transaction id. Uint64, key. */
    public static final String OFFSET = "topic_offset";
    /**
     * {@code apply} or {@code skip}, as commands spell it; {@link #APPLY_ALL} or {@link #SKIP_ALL} in a row about a position.
     * Utf8.
     */
    public static final String ACTION = "action";
    /** Word of {@link #ACTION}: all records of the position were applied together, whichever streams they came in. */
    public static final String APPLY_ALL = "apply_all";
    /** Word of {@link #ACTION}: all records of the position were left out together, whichever streams they came in. */
    public static final String SKIP_ALL = "skip_all";
    /** What decided: {@code command}, {@code strategy} or {@code replay}. Utf8. */
    public static final String DECIDED_BY = "decided_by";
    /** The position, or that of the record: step. Uint64. */
    public static final String STEP_ID = "step_id";
    /** The position, or that of the record: transaction id. Uint64. */
    public static final String TX_ID = "tx_id";
    /** What was wrong with the record or the position. Utf8. */
    public static final String REASON = "reason";
    /** By the servers' clock. Timestamp. */
    public static final String DECIDED_AT = "decided_at";

    public static final List<Column> COLUMNS = List.of(
            new Column(ID, "Utf8"),
            new Column(TOPIC, "Utf8"),
            new Column(CONSUMER, "Utf8"),
            new Column(PARTITION, "Uint64"),
            new Column(OFFSET, "Uint64"),
            new Column(ACTION, "Utf8"),
            new Column(DECIDED_BY, "Utf8"),
            new Column(STEP_ID, "Uint64"),
            new Column(TX_ID, "Uint64"),
            new Column(REASON, "Utf8"),
            new Column(DECIDED_AT, "Timestamp"));

    /** Names of the primary key's columns, in key order. */
    public static final List<String> KEY = List.of(ID, TOPIC, CONSUMER, PARTITION, OFFSET);

    private DecisionTable() {}

    public static TableName beside(TableName stateTable) {
        return stateTable.beside(SUFFIX);
    }

    /** Creates the table where it is absent. */
    public static String createIfAbsent(TableName stateTable) {
        return Ddl.createIfAbsent(beside(stateTable), COLUMNS, KEY);
    }

    /**
     * Deletes what was decided about single records of streams that are taken out, so that it is not found again when a topic is
     * made anew under its name. What was decided about a position stays, also in a row that an earlier version named by a record
     * of such a stream: it holds for the other streams too. The instance is the parameter {@code $id}.
     *
     * @param topics parameter with absolute paths, a list of Utf8
     * @param consumer parameter with the consumer of all of them, Utf8
     */
    public static String forgetStreams(TableName stateTable, String topics, String consumer) {
        return "DELETE FROM " + beside(stateTable).quoted() + " WHERE " + ID + " = $id AND " + TOPIC + " IN " + topics
                + " AND " + CONSUMER + " = " + consumer + " AND (" + ACTION + " IS NULL OR (" + ACTION + " != '"
                + APPLY_ALL
                + "'u AND " + ACTION + " != '" + SKIP_ALL + "'u));\n";
    }
}
