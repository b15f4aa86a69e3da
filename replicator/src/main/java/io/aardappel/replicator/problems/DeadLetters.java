package io.aardappel.replicator.problems;

import java.util.Optional;

/** Where records go that are left out, or that end the process. Called by one thread. */
public interface DeadLetters extends AutoCloseable {
    /**
     * Writes one message and waits, within a named bound, until the server has it.
     *
     * @return why it is not known to have it, absent when it has
     */
    Optional<String> write(byte[] message);

    @Override
    void close();
}
