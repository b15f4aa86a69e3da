package io.aardappel.replicator.app;

import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.EngineStatus.Blocking;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Writes a line when the engine's snapshot tells of a transition, and one now and then while nothing changes. The wording
 * is the Go program's where it has such a line. Not thread-safe.
 */
final class TransitionLog {
    private final Logger log;
    private final Duration heartbeat;
    private final Duration reminder;
    private @Nullable EngineStatus last;
    private @Nullable Stage lastStage;
    private @Nullable Blocking reported;
    private long remindedAt;
    private long remindedChanges;
    private long reportedLate;

    /**
     * @param heartbeat H: what holds progress back for longer is warned about
     * @param reminder how often a line comes while nothing changes
     */
    TransitionLog(Logger log, Duration heartbeat, Duration reminder) {
        this.log = log;
        this.heartbeat = heartbeat;
        this.reminder = reminder;
    }

    void observe(EngineStatus status) {
        EngineStatus before = last;
        if (before == null || before.mode() != status.mode()) {
            mode(status);
        }
        if (status.mode() == Mode.ACTIVE || status.mode() == Mode.LOADING) {
            stage(status);
            alignment(before, status);
        }
        blocking(status);
        late(status);
        if (status.at() - remindedAt >= reminder.toMillis()) {
            remind(status);
        }
        last = status;
    }

    private void mode(EngineStatus status) {
        remindedAt = status.at();
        remindedChanges = status.totals().changes();
        switch (status.mode()) {
            case STARTING -> log.info("starting");
            case STANDBY ->
                log.atInfo().addKeyValue("owner", status.lock().owner()).log("unable to get lock, standing by");
            case LOADING ->
                log.atInfo()
                        .addKeyValue("owner", status.lock().owner())
                        .addKeyValue("term", status.totals().terms())
                        .log("lock taken, reading the state");
            case ACTIVE ->
                log.atInfo()
                        .addKeyValue("stage", text(status.stage()))
                        .addKeyValue("checkpoint", text(status.checkpoint()))
                        .log("replicating");
            case STOPPING -> log.info("stopping at the next transaction");
            case ENDED -> log.info("the engine has ended");
        }
    }

    private void stage(EngineStatus status) {
        Stage stage = status.stage().orElse(null);
        if (stage == null || stage == lastStage) {
            return;
        }
        if (lastStage != null) {
            log.atInfo()
                    .addKeyValue("from", lastStage)
                    .addKeyValue("stage", stage)
                    .addKeyValue("checkpoint", text(status.checkpoint()))
                    .log("stage changed");
        }
        lastStage = stage;
    }

    private void alignment(@Nullable EngineStatus before, EngineStatus status) {
        boolean known = before != null && before.mode() == Mode.ACTIVE;
        if (known && !before.aligned() && status.aligned()) {
            log.atInfo()
                    .addKeyValue("checkpoint", text(status.checkpoint()))
                    .log("aligned: the tables are a snapshot of the source again");
        }
        if (status.mode() == Mode.ACTIVE && !status.aligned() && (!known || before.aligned())) {
            log.warn("not aligned: the tables are no snapshot of the source until this is reported as ended");
        }
    }

    private void blocking(EngineStatus status) {
        Blocking blocking = status.blocking().orElse(null);
        Blocking before = reported;
        if (blocking == null || blocking.reason() == Blocking.Reason.LOCK) {
            if (before != null) {
                log.atInfo()
                        .addKeyValue("stream", before.stream())
                        .addKeyValue("partition", before.partition())
                        .addKeyValue("reason", word(before.reason()))
                        .log("progress again");
                reported = null;
            }
            return;
        }
        boolean same = before != null
                && before.reason() == blocking.reason()
                && before.partition() == blocking.partition()
                && before.stream().equals(blocking.stream());
        if (!same && status.at() - blocking.since() >= heartbeat.toMillis()) {
            log.atWarn()
                    .addKeyValue("stream", blocking.stream())
                    .addKeyValue("partition", blocking.partition())
                    .addKeyValue("reason", word(blocking.reason()))
                    .addKeyValue("for_ms", status.at() - blocking.since())
                    .log(
                            blocking.reason() == Blocking.Reason.BARRIER_STALE
                                            || blocking.reason() == Blocking.Reason.NO_BARRIER
                                    ? "No heartbeat since: {}"
                                    : "no progress: {}",
                            blocking.text());
            reported = blocking;
        }
    }

    private void late(EngineStatus status) {
        long late = status.totals().late();
        if (late > reportedLate) {
            log.atError().addKeyValue("count", late - reportedLate).log("Unexpected timestamp in stream");
            reportedLate = late;
        }
    }

    private void remind(EngineStatus status) {
        double seconds = (status.at() - remindedAt) / 1_000.0;
        if (status.mode() == Mode.STANDBY) {
            log.atInfo().addKeyValue("owner", status.lock().owner()).log("unable to get lock, standing by");
        } else if (status.mode() == Mode.ACTIVE) {
            long changes = status.totals().changes() - remindedChanges;
            log.atInfo()
                    .addKeyValue("stage", text(status.stage()))
                    .addKeyValue("checkpoint", text(status.checkpoint()))
                    .addKeyValue("modifications", changes)
                    .addKeyValue("mps", Math.round(changes / seconds))
                    .addKeyValue("lag_seconds", lag(status))
                    .addKeyValue("buffered_bytes", status.bufferedBytes())
                    .log("Replication step ok");
        }
        remindedAt = status.at();
        remindedChanges = status.totals().changes();
    }

    private static double lag(EngineStatus status) {
        return status.checkpoint()
                .filter(checkpoint -> checkpoint.step() > 0)
                .map(checkpoint -> Math.max(0, status.at() - checkpoint.step()) / 1_000.0)
                .orElse(0.0);
    }

    private static String text(Optional<?> value) {
        return value.map(Object::toString).orElse("none");
    }

    private static String word(Enum<?> reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }
}
