package io.aardappel.replicator.simulation;

import io.aardappel.replicator.engine.Engine;
import io.aardappel.replicator.engine.EngineStatus;
import java.util.Set;

/** One process: the engine on its host, with its ways to both databases. */
final class SimulatedProcess {
    final Host host;
    final Engine engine;
    final ModelReader reader;
    final ModelTarget target;
    /** Topics that its configuration names. */
    final Set<String> topics;

    /** When it wants to be woken, in virtual nanoseconds. */
    long wakeAt;

    /** When its wall clock was set last. */
    long clockSetAt;
    /** When it published something last. */
    long heardAt;
    /** Since when it has not said what it waits for. */
    long unexplainedSince;

    private EngineStatus seen;

    SimulatedProcess(Host host, Engine engine, ModelReader reader, ModelTarget target, Set<String> topics, long now) {
        this.host = host;
        this.engine = engine;
        this.reader = reader;
        this.target = target;
        this.topics = topics;
        this.seen = engine.status();
        this.clockSetAt = now;
        this.heardAt = now;
        this.unexplainedSince = now;
    }

    /** Whether it published something since the last time. */
    @SuppressWarnings("ReferenceEquality") // each is published as an object of its own
    boolean hasNews() {
        EngineStatus now = engine.status();
        boolean news = now != seen;
        seen = now;
        return news;
    }
}
