package io.aardappel.replicator.app;

import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import io.aardappel.replicator.ydb.preflight.Finding;
import io.aardappel.replicator.ydb.preflight.Finding.Severity;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Looks at both databases again for a process that stands by: it was started long before it takes over, and what fitted then
 * may not fit any more. It looks now and then while another holds the lock and tells what is new, so that somebody hears what
 * would hinder it before it is needed; and once when it has taken over, when it tells all, as a start does. It stops nothing, and
 * no takeover waits for it: a process that cannot go on says so by itself. Waits; one thread only.
 */
final class StandbyReview {
    private final Logger log;
    private final Supplier<List<Finding>> look;
    private final BooleanSupplier over;
    private final long intervalMillis;
    private Set<Finding> told;
    /** By the status's clock; of the start before anything was observed. */
    private long lookedAt = Long.MIN_VALUE;

    private boolean stoodBy;

    /**
     * A review that has observed nothing yet.
     *
     * @param look at everything that a start looks at; may wait
     * @param over whether the process ends, so that what is found is not to be told any more
     * @param interval between two looks while another holds the lock
     * @param told what the start found and told
     */
    StandbyReview(
            Logger log,
            Supplier<List<Finding>> look,
            BooleanSupplier over,
            Duration interval,
            Collection<Finding> told) {
        this.log = log;
        this.look = look;
        this.over = over;
        this.intervalMillis = interval.toMillis();
        this.told = Set.copyOf(told);
    }

    /** To be called now and then; looks when it is time to. */
    void observe(EngineStatus status) {
        if (lookedAt == Long.MIN_VALUE) {
            lookedAt = status.at();
        }
        boolean standsBy =
                status.mode() == Mode.STANDBY && !status.lock().owner().isEmpty();
        boolean tookOver = status.mode() == Mode.ACTIVE && stoodBy;
        stoodBy = (stoodBy || standsBy) && !tookOver;
        if (tookOver || (standsBy && status.at() - lookedAt >= intervalMillis)) {
            lookedAt = status.at();
            List<Finding> findings = look.get();
            if (!over.getAsBoolean()) {
                tell(status.mode(), tookOver ? findings : unlike(told, findings), findings);
            }
        }
    }

    /** A look at a database that is away says nothing of the rest. */
    private void tell(Mode mode, List<Finding> news, List<Finding> all) {
        String word = mode.name().toLowerCase(Locale.ROOT);
        for (Finding finding : news) {
            log.atLevel(level(finding)).addKeyValue("mode", word).log("preflight: {}", finding.text());
        }
        Set<Finding> known = new HashSet<>(all);
        if (all.stream().anyMatch(finding -> finding.severity() == Severity.UNREACHABLE)) {
            known.addAll(told);
        }
        for (Finding gone : unlike(known, told)) {
            log.atWarn().addKeyValue("mode", word).log("preflight: no more {}", gone.text());
        }
        told = known;
    }

    private static List<Finding> unlike(Set<Finding> known, Collection<Finding> findings) {
        return findings.stream().filter(finding -> !known.contains(finding)).toList();
    }

    private static Level level(Finding finding) {
        return finding.severity() == Severity.ERROR ? Level.ERROR : Level.WARN;
    }
}
