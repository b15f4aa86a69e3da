package io.aardappel.replicator.codec;

/**
 * The shapes of the destination tables, one registry for those who decode and those who write, since both speak of
 * columns by ordinal. Thread-safe.
 */
public interface DestinationShapes {
    /**
     * The shape as last read.
     *
     * @param table as configured in the stream
     * @throws IllegalArgumentException when no stream writes the table
     */
    TableShape current(String table);

    /**
     * Reads the description again and keeps it as the current shape, made by {@link TableShape#evolveTo} so that columns
     * of rows already decoded keep their ordinals. May block, within a named time limit; when the destination does not
     * answer the current shape is returned unchanged.
     */
    TableShape refresh(String table);
}
