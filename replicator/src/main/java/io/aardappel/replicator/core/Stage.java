package io.aardappel.replicator.core;

/** What the destination is between two commits. The names are the words of the state table. */
public enum Stage {
    /** Rows are being brought in; the member tables are not yet a snapshot. */
    INITIAL_SCAN,
    /** At every commit the member tables equal the source as of the checkpoint. */
    RUN
}
