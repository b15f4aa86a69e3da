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
     * of rows already decoded keep their ordinals. May block, within a named time limit.
     *
     * @return whether the destination answered; when it did not the current shape stays
     */
    boolean refresh(String table);
}
