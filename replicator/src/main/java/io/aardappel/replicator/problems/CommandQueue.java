package io.aardappel.replicator.problems;

import java.util.List;

/** Where people say what is to become of records. Called by one thread. */
public interface CommandQueue extends AutoCloseable {
    /** All messages that are there, oldest first; nothing is committed. Waits, within a named bound; what cannot be read is not there. */
    List<byte[]> read();

    @Override
    void close();
}
