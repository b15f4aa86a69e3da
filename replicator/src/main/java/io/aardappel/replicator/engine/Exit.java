package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Problem;
import java.util.Optional;

/**
 * How the engine ended.
 *
 * @param problem absent after a requested stop
 * @param fatalWritten whether the state row says FATAL_ERROR now
 */
public record Exit(Optional<Problem> problem, boolean fatalWritten) {
    public static final Exit STOPPED = new Exit(Optional.empty(), false);
}
