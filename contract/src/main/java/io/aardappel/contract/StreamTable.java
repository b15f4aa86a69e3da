package io.aardappel.contract;

import java.util.List;

/**
 * Our row per stream, beside the state table: which streams the checkpoint stands for. A stream is its topic and its
 * consumer.
 */
public final class StreamTable {
    /** Added to the state table's name. */
    public static final String SUFFIX = "_streams";

    /** The instance. Utf8, key. */
    public static final String ID = "id";
    /** The topic's absolute path. Utf8, key. */
    public static final String TOPIC = "topic";
    /** Utf8, key. */
    public static final String CONSUMER = "consumer";
    /** Utf8. */
    public static final String DST_TABLE = "dst_table";
    /** When the topic was created, milliseconds since the epoch. Tells a re-created topic from the old one. Uint64. */
    public static final String CREATED_AT = "topic_created_at";
    /** A word of {@link Membership}. Utf8. */
    public static final String STATE = "state";
    /** While joining: a word of {@link Stage} of its own; else NULL. Utf8. */
    public static final String STAGE = "stage";
    /** While joining: its own checkpoint's step. Uint64. */
    public static final String STEP_ID = "step_id";
    /** While joining: its own checkpoint's transaction id. Uint64. */
    public static final String TX_ID = "tx_id";
    /** While joining: its own M's step. Uint64. */
    public static final String M_STEP = "m_step";
    /** While joining: its own M's transaction id. Uint64. */
    public static final String M_TX = "m_tx";
    /** Up to where offsets may have been committed to the topic: {@code partition:offset} pairs, comma between. Utf8. */
    public static final String OFFSETS = "offsets";
    /** Why it is in this state, for a person; NULL when there is nothing to say. Utf8. */
    public static final String MESSAGE = "message";
    /** By the servers' clock. Timestamp. */
    public static final String UPDATED_AT = "updated_at";
    /** When the destination table was created: its virtual timestamp's step. NULL or 0 when not known. Uint64. */
    public static final String TABLE_CREATED_STEP = "table_created_step";
    /** The same, its transaction id. Uint64. */
    public static final String TABLE_CREATED_TX = "table_created_tx";

    /** Columns that tables made by earlier versions lack. A start adds them, and NULL means in each of them: not known. */
    public static final List<Column> ADDED_LATER =
            List.of(new Column(TABLE_CREATED_STEP, "Uint64"), new Column(TABLE_CREATED_TX, "Uint64"));

    public static final List<Column> COLUMNS = List.of(
            new Column(ID, "Utf8"),
            new Column(TOPIC, "Utf8"),
            new Column(CONSUMER, "Utf8"),
            new Column(DST_TABLE, "Utf8"),
            new Column(CREATED_AT, "Uint64"),
            new Column(STATE, "Utf8"),
            new Column(STAGE, "Utf8"),
            new Column(STEP_ID, "Uint64"),
            new Column(TX_ID, "Uint64"),
            new Column(M_STEP, "Uint64"),
            new Column(M_TX, "Uint64"),
            new Column(OFFSETS, "Utf8"),
            new Column(MESSAGE, "Utf8"),
            new Column(UPDATED_AT, "Timestamp"),
            new Column(TABLE_CREATED_STEP, "Uint64"),
            new Column(TABLE_CREATED_TX, "Uint64"));

    /** Names of the primary key's columns, in key order. */
    public static final List<String> KEY = List.of(ID, TOPIC, CONSUMER);

    private StreamTable() {}

    public static TableName beside(TableName stateTable) {
        return stateTable.beside(SUFFIX);
    }

    /** Creates the table where it is absent. */
    public static String createIfAbsent(TableName stateTable) {
        return Ddl.createIfAbsent(beside(stateTable), COLUMNS, KEY);
    }
}
