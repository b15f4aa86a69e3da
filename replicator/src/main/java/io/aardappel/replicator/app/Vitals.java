package io.aardappel.replicator.app;

import io.aardappel.replicator.engine.Engine;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.Ticker;
import io.aardappel.replicator.http.StatusSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where the engine's snapshot is looked up, from before there is an engine. It is also the engine's clock: the loop asks
 * for the time in every turn, which shows that it turns. Thread-safe.
 */
final class Vitals implements StatusSource, Ticker {
    private final Ticker clock;
    private volatile @Nullable Engine engine;
    private volatile long lastTurnNanos;
    private volatile List<String> waitsFor = List.of();

    Vitals(Ticker clock) {
        this.clock = clock;
        this.lastTurnNanos = clock.nanos();
    }

    void show(Engine started) {
        lastTurnNanos = clock.nanos();
        engine = started;
    }

    /** What the start waits for, in words; nothing any more when it is empty. */
    void waitsFor(List<String> words) {
        waitsFor = List.copyOf(words);
    }

    @Override
    public List<String> waitsFor() {
        return waitsFor;
    }

    /** For the engine alone. */
    @Override
    public long nanos() {
        long now = clock.nanos();
        lastTurnNanos = now;
        return now;
    }

    @Override
    public long wallMillis() {
        return clock.wallMillis();
    }

    @Override
    public Optional<EngineStatus> status() {
        return Optional.ofNullable(engine).map(Engine::status);
    }

    @Override
    public long sinceTurnMillis() {
        return engine == null ? 0 : TimeUnit.NANOSECONDS.toMillis(Math.max(0, clock.nanos() - lastTurnNanos));
    }
}
