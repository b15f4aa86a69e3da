package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Rules;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The one loop. One thread owns all its state and calls {@link #doWork} again and again; everything that takes time is
 * asked of a port and answered through the {@link Inbox}. {@link #requestStop}, {@link #status} and {@link #exit} may be
 * called from any thread.
 */
public final class Engine {
    /** What the engine stands on. */
    public record Ports(
            ChangeSource source,
            CheckpointedTarget target,
            Decisions decisions,
            Ticker ticker,
            EngineObserver observer) {}

    private final EngineSettings settings;
    private final Ports ports;
    private final Inbox inbox;
    private final RandomGenerator random;
    private final Rules rules;
    private volatile boolean stopRequested;
    private volatile EngineStatus status;
    private volatile @Nullable Exit exit;

    /**
     * @param inbox where the ports deliver; the engine is its only reader
     * @param random spreads lock attempts
     * @param rules {@link Rules#STANDARD} in programs
     */
    public Engine(EngineSettings settings, Ports ports, Inbox inbox, RandomGenerator random, Rules rules) {
        this.settings = settings;
        this.ports = ports;
        this.inbox = inbox;
        this.random = random;
        this.rules = rules;
        this.status = new EngineStatus(
                ports.ticker().wallMillis(),
                EngineStatus.Mode.STARTING,
                Optional.<Stage>empty(),
                Optional.<Position>empty(),
                ScanPhase.NONE,
                Position.ZERO,
                new EngineStatus.Lock(false, "", ports.ticker().wallMillis(), 0),
                false,
                0,
                0,
                settings.memoryBytes(),
                Optional.empty(),
                Optional.empty(),
                ports.ticker().wallMillis(),
                List.of(),
                EngineStatus.Totals.NONE,
                Optional.empty());
    }

    /**
     * One turn of the duty cycle; never blocks.
     *
     * @return how much was done; 0 means that the caller may wait for the inbox, at most {@link #idleNanos}
     */
    public int doWork() {
        throw new UnsupportedOperationException();
    }

    /** How long the caller may wait after a turn that did nothing, unless the inbox gets something. */
    public long idleNanos() {
        return 1_000_000;
    }

    /** Runs turns until the engine has ended, waiting on the inbox in between. For the thread of a program. */
    public Exit run() {
        Exit ended = exit;
        while (ended == null) {
            if (doWork() == 0) {
                inbox.await(idleNanos());
            }
            ended = exit;
        }
        return ended;
    }

    /** Ends at the next transaction border: the lock is released and {@link #exit} becomes present. */
    public void requestStop() {
        stopRequested = true;
        inbox.wake();
    }

    public EngineStatus status() {
        return status;
    }

    /** Absent while the engine has not ended. */
    public Optional<Exit> exit() {
        return Optional.ofNullable(exit);
    }
}
