package io.aardappel.contract;

import java.util.List;

/**
 * Our row per dead letter that a person let be replayed: the audit of it. Written in the transaction that writes the row of
 * the letter; made when the first letter is replayed.
 */
public final class ReplayTable {
    /** Added to the state table's name. */
    public static final String SUFFIX = "_replays";

    /** The instance. Utf8, key. */
    public static final String ID = "id";
    /** Of the record. Utf8, key. */
    public static final String TOPIC = "topic";
    /** Utf8, key. */
    public static final String CONSUMER = "consumer";
    /** The topic's partition. Uint64, key. */
    public static final String PARTITION = "partition_id";
    /** The record's offset. Uint64, key. */
    public static final String OFFSET = "topic_offset";
    /** By the servers' clock. Timestamp, key. */
    public static final String REPLAYED_AT = "replayed_at";
    /** Where the letter stands among the dead letters: partition, colon, offset. Utf8. */
    public static final String LETTER = "letter";
    /** Who ordered it. Utf8. */
    public static final String WHO = "who";
    /** {@code update}, {@code replace} or {@code erase}. Utf8. */
    public static final String OPERATION = "operation";
    /** The table that was written. Utf8. */
    public static final String DST_TABLE = "dst_table";
    /** Position of the record: step. Uint64. */
    public static final String STEP_ID = "step_id";
    /** Position of the record: transaction id. Uint64. */
    public static final String TX_ID = "tx_id";
    /** The objections that {@code --force} overruled; empty as a rule. Utf8. */
    public static final String OVERRULED = "overruled";

    public static final List<Column> COLUMNS = List.of(
            new Column(ID, "Utf8"),
            new Column(TOPIC, "Utf8"),
            new Column(CONSUMER, "Utf8"),
            new Column(PARTITION, "Uint64"),
            new Column(OFFSET, "Uint64"),
            new Column(REPLAYED_AT, "Timestamp"),
            new Column(LETTER, "Utf8"),
            new Column(WHO, "Utf8"),
            new Column(OPERATION, "Utf8"),
            new Column(DST_TABLE, "Utf8"),
            new Column(STEP_ID, "Uint64"),
            new Column(TX_ID, "Uint64"),
            new Column(OVERRULED, "Utf8"));

    /** Names of the primary key's columns, in key order. */
    public static final List<String> KEY = List.of(ID, TOPIC, CONSUMER, PARTITION, OFFSET, REPLAYED_AT);

    private ReplayTable() {}

    public static TableName beside(TableName stateTable) {
        return stateTable.beside(SUFFIX);
    }

    /** Creates the table where it is absent. */
    public static String createIfAbsent(TableName stateTable) {
        return Ddl.createIfAbsent(beside(stateTable), COLUMNS, KEY);
    }
}
