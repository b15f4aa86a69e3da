package io.aardappel.replicator.codec;

/**
 * Where a changefeed's records carry the new state of a row. Modes that do not carry it (KEYS_ONLY, OLD_IMAGE) are refused
 * before reading where the feed's description can be had, and record by record where it cannot.
 */
public enum FeedImages {
    /** Mode UPDATES: in {@code update} the columns that were written, in {@code reset} all of them. */
    WRITTEN_COLUMNS,
    /** Modes NEW_IMAGE and NEW_AND_OLD_IMAGES: in {@code newImage} all columns, whatever was written. */
    NEW_IMAGE,
    /**
     * The feed's description could not be had. Records that carry columns in either of the two ways are taken; one without
     * any is as a feed of bare keys writes it, and does not fit. Whether it fits never depends on what was read before it.
     */
    UNCHECKED
}
