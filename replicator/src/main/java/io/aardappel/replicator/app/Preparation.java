package io.aardappel.replicator.app;

import io.aardappel.program.stop.StopRequest;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.ydb.preflight.Finding;
import io.aardappel.replicator.ydb.preflight.Finding.Severity;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens and checks both databases at the start, and waits for one that is away. One thread only. */
final class Preparation {
    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

    /** How long a database that is away is left alone before it is asked again. */
    static final Duration PAUSE = Duration.ofSeconds(2);

    private static final Duration REMINDER = Duration.ofMinutes(1);

    private final ReplicatorConfig config;
    private final Tickets tickets;
    private final Duration patience;
    private final Outage outage;
    private final Consumer<List<String>> waitsFor;
    private final Set<Finding> warned = new HashSet<>();

    /** @param waitsFor is told what stands in the way, in words, whenever it was looked; nothing when it is empty */
    Preparation(ReplicatorConfig config, Tickets tickets, Consumer<List<String>> waitsFor) {
        this.config = config;
        this.tickets = tickets;
        this.waitsFor = waitsFor;
        this.patience = config.tuning().get(Tuning.RETRY_TIME_MAX);
        this.outage = new Outage(LOG, REMINDER, patience);
    }

    /** Both databases, once they are there and fit; empty after a problem, which was logged, or a requested stop. */
    Optional<Databases> databases(StopRequest stop) {
        long began = System.nanoTime();
        do {
            Databases.Opening opening; // each call once: all of it is tried again here
            try {
                opening = Databases.open(config, tickets, 1);
            } catch (IOException certificate) {
                LOG.error("{}", certificate.getMessage(), certificate);
                return Optional.empty();
            }
            Optional<Databases> open = opening.databases();
            List<Finding> findings = open.isPresent() ? open.get().check(config) : opening.findings();
            tell(findings);
            waitsFor.accept(of(findings, Severity.UNREACHABLE).stream()
                    .map(Finding::sentence)
                    .toList());
            if (fits(findings)) {
                outage.passed();
                return open.filter(this::mayBegin);
            }
            open.ifPresent(Databases::close);
            if (any(findings, Severity.ERROR)) {
                return Optional.empty();
            }
            long now = System.nanoTime();
            outage.lasts(of(findings, Severity.UNREACHABLE), began, now);
            if (now - began > patience.toNanos()) {
                outage.ends();
                return Optional.empty();
            }
        } while (!stop.isRequestedWithin(PAUSE));
        return Optional.empty();
    }

    /** The warnings that were told. */
    Set<Finding> warned() {
        return Set.copyOf(warned);
    }

    /** Closes them when not. */
    private boolean mayBegin(Databases databases) {
        List<Finding> findings = databases.beginning(config);
        tell(findings);
        if (any(findings, Severity.ERROR)) {
            databases.close();
            return false;
        }
        LOG.info("both databases fit the configuration");
        return true;
    }

    /** Whether the start may go on: warnings do not hinder it. */
    private static boolean fits(List<Finding> findings) {
        return !any(findings, Severity.ERROR) && !any(findings, Severity.UNREACHABLE);
    }

    /** Warnings once, however often the check is made. */
    private void tell(List<Finding> findings) {
        of(findings, Severity.WARNING).stream()
                .filter(warned::add)
                .forEach(warning -> LOG.warn("preflight: {}", warning.text()));
        of(findings, Severity.ERROR).forEach(error -> LOG.error("preflight: {}", error.text()));
        if (any(findings, Severity.ERROR)) {
            of(findings, Severity.UNREACHABLE).forEach(away -> LOG.error("preflight: {}", away.text()));
        }
    }

    private static boolean any(List<Finding> findings, Severity severity) {
        return findings.stream().anyMatch(finding -> finding.severity() == severity);
    }

    private static List<Finding> of(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .toList();
    }
}
