package io.aardappel.replicator.problems;

import java.util.List;
import java.util.Optional;

/** Where records go that are left out, or that end the process. Called by one thread. */
public interface DeadLetters extends AutoCloseable {
    /**
     * Writes messages in their order and waits, within a named bound for each, until the server has them all.
     *
     * @param messages a few; each may be there twice when this is tried again
     * @return why it is not known to have them all, absent when it has
     */
    Optional<String> write(List<byte[]> messages);

    @Override
    void close();
}
