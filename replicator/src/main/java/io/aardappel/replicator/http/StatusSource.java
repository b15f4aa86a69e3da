package io.aardappel.replicator.http;

import io.aardappel.replicator.engine.EngineStatus;
import java.util.List;
import java.util.Optional;

/** Where pages and metrics look. Thread-safe. */
public interface StatusSource {
    /** The engine's last snapshot; empty while the process has not come to start it. */
    Optional<EngineStatus> status();

    /** What a start waits for while it has not come to the engine, in words; empty when it waits for nothing. */
    List<String> waitsFor();

    /** Milliseconds since the engine's loop last turned; 0 while there is no engine. */
    long sinceTurnMillis();
}
