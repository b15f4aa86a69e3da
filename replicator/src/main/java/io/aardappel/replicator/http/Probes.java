package io.aardappel.replicator.http;

import io.aardappel.program.http.Answer;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.EngineStatus.Blocking;
import java.time.Duration;
import java.util.Optional;

/** What the probes answer. Pure. */
public final class Probes {
    /**
     * Ready: everything was checked, and the process replicates or stands by to. A database that does not answer changes
     * the text alone: another process in its place would wait for the same.
     */
    public static Answer ready(Optional<EngineStatus> status) {
        if (status.isEmpty()) {
            return new Answer(false, "checking configuration against both databases");
        }
        return switch (status.get().mode()) {
            case STARTING -> new Answer(false, "starting");
            case STANDBY -> new Answer(true, "standing by" + waitingForMore(status.get()));
            case LOADING -> new Answer(true, "taking over" + waiting(status.get()));
            case ACTIVE -> new Answer(true, "replicating" + waiting(status.get()));
            case STOPPING -> new Answer(false, "stopping");
            case ENDED -> new Answer(false, "ended");
        };
    }

    /** That another holds the lock is what standing by means. */
    private static String waitingForMore(EngineStatus status) {
        return status.blocking()
                .filter(blocking -> blocking.reason() != Blocking.Reason.LOCK)
                .map(blocking -> waiting(status))
                .orElse("");
    }

    private static String waiting(EngineStatus status) {
        return status.blocking()
                .map(blocking -> ", waits for " + blocking.reason().word() + ": "
                        + blocking.text().replaceAll("\\s+", " "))
                .orElse("");
    }

    /** Alive: the engine's loop turns. A stalled replication is alive; it says why on the status page. */
    public static Answer live(long sinceTurnMillis, Duration bound) {
        boolean turning = sinceTurnMillis <= bound.toMillis();
        return new Answer(
                turning,
                turning
                        ? "alive"
                        : "the engine has not turned for %d ms, more than %d ms"
                                .formatted(sinceTurnMillis, bound.toMillis()));
    }

    private Probes() {}
}
