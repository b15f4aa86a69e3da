package io.aardappel.replicator.codec;

/** Where a changefeed's records carry the new state of a row. Modes that do not carry it are refused before reading. */
public enum FeedImages {
    /** Mode UPDATES: in {@code update} the columns that were written, in {@code reset} all of them. */
    WRITTEN_COLUMNS,
    /** Modes NEW_IMAGE and NEW_AND_OLD_IMAGES: in {@code newImage} all columns, whatever was written. */
    NEW_IMAGE
}
