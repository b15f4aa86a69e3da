package io.aardappel.contract;

import java.util.List;

/**
 * Our row per instance, beside the state table. Every transaction of ours reads and writes it, so that the server lets
 * no two of them take effect out of order. The Go program knows nothing of it.
 */
public final class InstanceTable {
    /** Added to the state table's name. */
    public static final String SUFFIX = "_instances";

    /** The instance's name and the row's key, equal to {@link StateTable#ID}. Utf8. */
    public static final String ID = "id";
    /** Counts the committed data transactions of all processes. Uint64. */
    public static final String COMMIT_SEQ = "commit_seq";
    /** Owner whose transaction was the last. Utf8. */
    public static final String OWNER = "owner";
    /** Number of the attempt, unique under {@link #OWNER}, that made the last transaction. Uint64. */
    public static final String ATTEMPT = "attempt";
    /** Checkpoint that our last transaction left: step. Differs from the state row's after others moved that. Uint64. */
    public static final String VOUCHED_STEP = "vouched_step";
    /** Checkpoint that our last transaction left: transaction id. Uint64. */
    public static final String VOUCHED_TX = "vouched_tx";
    /** M of the initial scan, the highest position applied or the frozen bound: step; NULL when there is none. Uint64. */
    public static final String M_STEP = "m_step";
    /** M of the initial scan: transaction id. Uint64. */
    public static final String M_TX = "m_tx";
    /** A word of {@link Phase}. Utf8. */
    public static final String PHASE = "phase";
    /** When the last transaction was written, by the servers' clock. Timestamp. */
    public static final String UPDATED_AT = "updated_at";

    public static final List<Column> COLUMNS = List.of(
            new Column(ID, "Utf8"),
            new Column(COMMIT_SEQ, "Uint64"),
            new Column(OWNER, "Utf8"),
            new Column(ATTEMPT, "Uint64"),
            new Column(VOUCHED_STEP, "Uint64"),
            new Column(VOUCHED_TX, "Uint64"),
            new Column(M_STEP, "Uint64"),
            new Column(M_TX, "Uint64"),
            new Column(PHASE, "Utf8"),
            new Column(UPDATED_AT, "Timestamp"));

    /** Names of the primary key's columns, in key order. */
    public static final List<String> KEY = List.of(ID);

    private InstanceTable() {}

    public static TableName beside(TableName stateTable) {
        return stateTable.beside(SUFFIX);
    }

    /** Creates the table where it is absent. */
    public static String createIfAbsent(TableName stateTable) {
        return Ddl.createIfAbsent(beside(stateTable), COLUMNS, KEY);
    }
}
