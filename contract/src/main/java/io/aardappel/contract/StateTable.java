package io.aardappel.contract;

import java.util.List;

/**
 * The Go program's state table, shared with it: one row per instance, which is at once checkpoint and lock. Its columns
 * are fixed by that program; all are nullable, the key included.
 */
public final class StateTable {
    /** The instance's name and the row's key. Utf8. */
    public static final String ID = "id";
    /** Checkpoint's coordinator step, milliseconds of the source's time. Uint64. */
    public static final String STEP_ID = "step_id";
    /** Checkpoint's transaction id. Uint64. */
    public static final String TX_ID = "tx_id";
    /** A word of {@link State}. Utf8. */
    public static final String STATE = "state";
    /** A word of {@link Stage}. Utf8. */
    public static final String STAGE = "stage";
    /** Text of the last fatal problem; a replicator never clears it, whoever sets the state to {@code OK} does. Utf8. */
    public static final String LAST_MSG = "last_msg";
    /** Who holds the lock, or held it last. Utf8. */
    public static final String LOCK_OWNER = "lock_owner";
    /** Until when, by the clock of the destination's servers. Timestamp. */
    public static final String LOCK_DEADLINE = "lock_deadline";

    /** Every column with its type, in the order of creation. */
    public static final List<Column> COLUMNS = List.of(
            new Column(ID, "Utf8"),
            new Column(STEP_ID, "Uint64"),
            new Column(TX_ID, "Uint64"),
            new Column(STATE, "Utf8"),
            new Column(STAGE, "Utf8"),
            new Column(LAST_MSG, "Utf8"),
            new Column(LOCK_OWNER, "Utf8"),
            new Column(LOCK_DEADLINE, "Timestamp"));

    /** Names of the primary key's columns, in key order. */
    public static final List<String> KEY = List.of(ID);

    /**
     * A condition on the row: nobody holds the lock, so that anybody may take it. Whose name stands there does not count, and
     * time is the servers', as for the Go program.
     */
    public static final String LOCK_IS_FREE =
            "(" + LOCK_DEADLINE + " IS NULL OR " + LOCK_DEADLINE + " <= CurrentUtcTimestamp())";

    /** First part of every owner; the rest is {@code <hostname>_<uuid>}, new for each term of the lock. */
    public static final String OWNER_PREFIX = "lock_";

    private StateTable() {}

    /** Creates the table where it is absent. */
    public static String createIfAbsent(TableName table) {
        return Ddl.createIfAbsent(table, COLUMNS, KEY);
    }

    /** This table and each of ours beside it: all that can hold rows of an instance, each under its column {@code id}. */
    public static List<TableName> withThoseBeside(TableName table) {
        return List.of(
                table,
                InstanceTable.beside(table),
                StreamTable.beside(table),
                DecisionTable.beside(table),
                ReplayTable.beside(table));
    }
}
