package io.aardappel.replicator.problems;

import io.aardappel.replicator.core.StreamSpec;

/**
 * One stream and what is to be done about its problems.
 *
 * @param topic as the configuration spells it: commands and dead letters name it so
 */
public record StreamPolicy(StreamSpec stream, String topic, Strategy strategy) {
    /** What to do about a record that no command speaks of. */
    public enum Strategy {
        /** Write FATAL_ERROR and end. */
        STOP,
        /** Leave the record out. */
        CONTINUE
    }
}
