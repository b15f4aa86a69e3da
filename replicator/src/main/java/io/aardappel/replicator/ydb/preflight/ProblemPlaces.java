package io.aardappel.replicator.ydb.preflight;

import java.util.Optional;

/**
 * Objects of the destination that people and records with problems are served by, as far as the configuration names them.
 *
 * @param commands the command queue
 * @param deadLetters absolute path of the topic of dead letters
 * @param blockedKeys absolute path of the table of blocked keys
 */
public record ProblemPlaces(Optional<Queue> commands, Optional<String> deadLetters, Optional<String> blockedKeys) {
    public static final ProblemPlaces NONE = new ProblemPlaces(Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * The command queue.
     *
     * @param path absolute path of the topic
     */
    public record Queue(String path, String consumer) {}
}
