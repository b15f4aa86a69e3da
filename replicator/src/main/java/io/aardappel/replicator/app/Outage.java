package io.aardappel.replicator.app;

import io.aardappel.replicator.ydb.preflight.Finding;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;

/**
 * Tells of databases that are away: when that begins, when it turns into something else, and now and then while it lasts,
 * however often it is tried again. Not thread-safe.
 */
final class Outage {
    private final Logger log;
    private final long reminderNanos;
    private final Duration patience;
    private List<Finding> told = List.of();
    private long toldAt;

    /**
     * @param reminder how often a line tells that it lasts
     * @param patience after which the process gives up
     */
    Outage(Logger log, Duration reminder, Duration patience) {
        this.log = log;
        this.reminderNanos = reminder.toNanos();
        this.patience = patience;
    }

    /**
     * It lasts.
     *
     * @param findings all of them that a further try may find gone
     * @param sinceNanos when it began, on the clock of {@code now}
     */
    void lasts(List<Finding> findings, long sinceNanos, long now) {
        if (findings.equals(told) && now - toldAt < reminderNanos) {
            return;
        }
        told = List.copyOf(findings);
        toldAt = now;
        long seconds = Duration.ofNanos(now - sinceNanos).toSeconds();
        for (Finding finding : findings) {
            log.atWarn()
                    .addKeyValue("seconds", seconds)
                    .addKeyValue("gives_up_after_seconds", patience.toSeconds())
                    .log("{}; trying again", finding.sentence());
        }
    }

    /** It did not last: told at the level of what it ends, so that whoever saw the one sees the other. */
    void passed() {
        if (!told.isEmpty()) {
            log.warn("both databases answer again");
            told = List.of();
        }
    }

    /** The patience is at its end. */
    void ends() {
        for (Finding finding : told) {
            log.error(
                    "{}; tried in vain for {} s (replicator.retry_time_max)", finding.sentence(), patience.toSeconds());
        }
    }
}
