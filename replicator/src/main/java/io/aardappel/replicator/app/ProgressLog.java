package io.aardappel.replicator.app;

import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.EngineStatus.Blocking.Reason;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes a line now and then while nothing changes, so that the log shows that the process is at work; the engine tells of
 * its transitions itself. The wording is the Go program's. Not thread-safe.
 */
final class ProgressLog {
    private final Logger log;
    private final long activeMillis;
    private final long standbyMillis;
    private Mode mode = Mode.STARTING;
    private boolean aligned = true;
    private long writtenAt;
    private long writtenChanges;

    /**
     * @param whileActive how often a line tells of progress
     * @param whileStandby how often one tells that the lock is another's
     */
    ProgressLog(Logger log, Duration whileActive, Duration whileStandby) {
        this.log = log;
        this.activeMillis = whileActive.toMillis();
        this.standbyMillis = whileStandby.toMillis();
    }

    void observe(EngineStatus status) {
        boolean changed = status.mode() != mode;
        if (status.mode() == Mode.STANDBY && status.lock().owner().isEmpty()) {
            return; // who holds it is not known yet
        }
        if (changed) {
            mode = status.mode();
            start(status);
        }
        if (mode == Mode.ACTIVE) {
            alignment(status);
            if (status.at() - writtenAt >= activeMillis) {
                progress(status);
                start(status);
            }
        } else if (mode == Mode.STANDBY && (changed || status.at() - writtenAt >= standbyMillis)) {
            log.atInfo().addKeyValue("owner", status.lock().owner()).log("unable to get lock, standing by");
            start(status);
        }
    }

    private void start(EngineStatus status) {
        writtenAt = status.at();
        writtenChanges = status.totals().changes();
    }

    /** The end is told at the level of the beginning: whoever saw the one waits for the other. */
    private void alignment(EngineStatus status) {
        if (aligned && !status.aligned()) {
            log.warn("not aligned: the tables are no snapshot of the source until a line says that they are");
        } else if (!aligned && status.aligned()) {
            log.warn("aligned: each checkpoint makes the tables a snapshot of the source");
        }
        aligned = status.aligned();
    }

    private void progress(EngineStatus status) {
        long changes = status.totals().changes() - writtenChanges;
        LoggingEventBuilder line = status.blocking()
                .filter(blocking -> blocking.reason() == Reason.INITIAL_SCAN)
                .map(scan -> log.atInfo().addKeyValue("initial_scan", scan.text()))
                .orElseGet(log::atInfo);
        line.addKeyValue("stage", status.stage().map(Enum::name).orElse("none"))
                .addKeyValue(
                        "checkpoint", status.checkpoint().map(Object::toString).orElse("none"))
                .addKeyValue("modifications", changes)
                .addKeyValue("mps", Math.round(changes * 1_000.0 / Math.max(1, status.at() - writtenAt)))
                .addKeyValue("lag_seconds", lagSeconds(status))
                .addKeyValue("buffered_bytes", status.bufferedBytes())
                .log("Replication step ok");
    }

    private static double lagSeconds(EngineStatus status) {
        return status.checkpoint()
                .filter(checkpoint -> checkpoint.step() > 0)
                .map(checkpoint -> Math.max(0, status.at() - checkpoint.step()) / 1_000.0)
                .orElse(0.0);
    }
}
