package io.aardappel.replicator.config;

import java.util.Optional;

/**
 * What is consulted and told about records that are late or do not fit.
 *
 * @param commands where people order what to do; empty means that nobody is asked
 * @param deadLetters absolute path of the topic, in the destination, that such records are written to; empty means none
 * @param deadLetterFormat of its messages
 */
public record ProblemHandling(
        Optional<CommandQueue> commands, Optional<String> deadLetters, DeadLetterFormat deadLetterFormat) {
    /**
     * A topic of the destination.
     *
     * @param path absolute
     */
    public record CommandQueue(String path, String consumer) {}

    /** How a dead letter is written. */
    public enum DeadLetterFormat {
        /** The Go program's line of text. */
        TEXT,
        /** A JSON object with all that is known, column values among it. */
        JSON
    }
}
