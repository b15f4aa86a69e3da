package io.aardappel.replicator.config;

import java.util.List;

/** What became of a configuration file. */
public sealed interface Reading {
    /**
     * It can be used.
     *
     * @param warnings unknown keys that were let pass on request
     */
    record Accepted(ReplicatorConfig config, List<Problem> warnings) implements Reading {}

    /**
     * It cannot.
     *
     * @param problems all of them, in the order of the file, at least one
     */
    record Refused(List<Problem> problems) implements Reading {}
}
