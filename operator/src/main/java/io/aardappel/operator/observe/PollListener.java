package io.aardappel.operator.observe;

import java.time.Duration;

/** Is told of every question that was asked on a timer. Thread-safe, and returns at once. */
@FunctionalInterface
public interface PollListener {
    /**
     * A question came to its end.
     *
     * @param answered whether there was an answer
     */
    void polled(Duration took, boolean answered);
}
