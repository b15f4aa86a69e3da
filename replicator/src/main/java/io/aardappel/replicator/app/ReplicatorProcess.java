package io.aardappel.replicator.app;

import io.aardappel.program.http.PageServer;
import io.aardappel.program.stop.Signals;
import io.aardappel.program.stop.StopRequest;
import io.aardappel.replicator.config.ListenAddress;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.StreamConfig;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.Exit;
import io.aardappel.replicator.http.MonitoringPages;
import io.aardappel.replicator.http.ReplicatorMetrics;
import io.aardappel.replicator.http.StreamLabels;
import io.aardappel.replicator.ydb.preflight.Finding;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of one process: monitoring, preflight, engine, stop. */
final class ReplicatorProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicatorProcess.class);

    private static final Duration WATCH_INTERVAL = Duration.ofMillis(200);
    private static final Duration REVIEW_INTERVAL = Duration.ofSeconds(1);
    /** A look costs what a start's costs: a few calls for each stream. */
    private static final Duration STANDBY_REVIEW_INTERVAL = Duration.ofMinutes(10);

    private static final Duration ACTIVE_LINE_INTERVAL = Duration.ofSeconds(10);
    private static final Duration STANDBY_LINE_INTERVAL = Duration.ofMinutes(1);

    private final ReplicatorConfig config;
    private final Seams seams;
    private final Vitals vitals;
    private Optional<Problem.Reason> endedBy = Optional.empty();

    ReplicatorProcess(ReplicatorConfig config, Seams seams) {
        this.config = config;
        this.seams = seams;
        this.vitals = new Vitals(seams.clock());
    }

    /** Why monitoring could not be served now, with the remedy; empty when it could, or is not configured. */
    Optional<String> checkListening() {
        if (config.monitoring().isEmpty()) {
            return Optional.empty();
        }
        InetSocketAddress address = socketAddress(config.monitoring().get());
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address);
            return Optional.empty();
        } catch (IOException | RuntimeException taken) {
            return Optional.of(cannotListen(address, taken));
        }
    }

    private static String cannotListen(InetSocketAddress address, Exception taken) {
        return "mon_server.listen: cannot listen on " + address + ": " + taken.getMessage()
                + ". Choose an address of this machine that is free, or stop the process that listens there"
                + " (it may be this replicator, running already)";
    }

    /** Replicates until it is told to stop or cannot go on. */
    ExitCode run() {
        StopRequest stop = new StopRequest();
        Signals signals = Signals.turnInto(stop, config.tuning().get(Tuning.SHUTDOWN_TIMEOUT));
        LOG.info("configuration: {}", Summary.of(config));
        ExitCode code = ExitCode.INTERNAL;
        try {
            code = monitored(stop);
        } finally {
            if (code == ExitCode.REQUESTED) {
                LOG.info("shutted down successfully");
            } else {
                LOG.error(code.lastLine(endedBy));
            }
            signals.ended(code.code());
        }
        return code;
    }

    private ExitCode monitored(StopRequest stop) {
        StreamLabels labels = new StreamLabels(
                config.streams().stream().map(StreamConfig::monitoringTag).toList());
        try (ReplicatorMetrics metrics = new ReplicatorMetrics(labels, config.heartbeat(), seams.clock(), vitals)) {
            if (config.monitoring().isEmpty()) {
                return replicate(stop, metrics);
            }
            InetSocketAddress address = socketAddress(config.monitoring().get());
            MonitoringPages pages = new MonitoringPages(
                    config.instanceId(),
                    labels,
                    config.tuning().get(Tuning.LIVE_TIMEOUT),
                    seams.clock(),
                    vitals,
                    metrics);
            try (PageServer server = pages.serve(address)) {
                LOG.info("serving /metrics /readyz /livez /status on {}", server.address());
                return replicate(stop, metrics);
            } catch (IOException taken) {
                LOG.error("{}", cannotListen(address, taken));
                return ExitCode.CONFIGURATION;
            }
        }
    }

    private static InetSocketAddress socketAddress(ListenAddress address) {
        return PageServer.at(address.host(), address.port());
    }

    private ExitCode replicate(StopRequest stop, ReplicatorMetrics metrics) {
        try (Tickets tickets = Tickets.of(config)) {
            stop.whenRequested(tickets::close); // until the engine is there to be stopped
            return replicate(stop, metrics, new Preparation(config, tickets, vitals::waitsFor));
        } catch (IOException certificate) {
            LOG.error("{}", certificate.getMessage(), certificate);
            return ExitCode.PREFLIGHT;
        }
    }

    private ExitCode replicate(StopRequest stop, ReplicatorMetrics metrics, Preparation preparation) {
        Optional<Databases> opened = preparation.databases(stop);
        if (opened.isEmpty()) {
            return stop.isRequested() ? ExitCode.REQUESTED : ExitCode.PREFLIGHT;
        }
        try (Databases databases = opened.get();
                Replication replication = Replication.wire(config, databases, vitals, metrics, seams)) {
            vitals.show(replication.engine());
            stop.whenRequested(replication.engine()::requestStop);
            ScheduledExecutorService watch = watch(databases, preparation.warned());
            try {
                return ended(replication.engine().run());
            } finally {
                watch.shutdownNow();
            }
        }
    }

    private ExitCode ended(Exit exit) {
        endedBy = exit.problem().map(Problem::reason);
        exit.problem()
                .ifPresent(problem -> LOG.atError()
                        .addKeyValue("error", problem.text())
                        .addKeyValue("reason", problem.reason())
                        .addKeyValue("fatal_error_written", exit.fatalWritten())
                        .log("Finished with error"));
        return ExitCode.of(exit);
    }

    /** The reviews wait for databases, which the log of progress must not: a thread each. */
    private ScheduledExecutorService watch(Databases databases, Set<Finding> told) {
        ProgressLog progress = new ProgressLog(LOG, ACTIVE_LINE_INTERVAL, STANDBY_LINE_INTERVAL);
        ScheduledExecutorService watch = Executors.newScheduledThreadPool(3, task -> {
            Thread thread = new Thread(task, "watch");
            thread.setDaemon(true);
            return thread;
        });
        StandbyReview standby = new StandbyReview(
                LOG, () -> databases.checkAgain(config), watch::isShutdown, STANDBY_REVIEW_INTERVAL, told);
        watch(watch, progress::observe, WATCH_INTERVAL);
        watch(watch, standby::observe, REVIEW_INTERVAL);
        if (config.keyFilterPath().isEmpty()) { // else rows may well be left out
            watch(watch, databases.scanReview(config, LOG)::observe, REVIEW_INTERVAL);
        }
        return watch;
    }

    private void watch(ScheduledExecutorService watch, Consumer<EngineStatus> observer, Duration interval) {
        ScheduledFuture<?> unused = watch.scheduleWithFixedDelay(
                () -> observe(watch, observer), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What is thrown would end the watch without a word. */
    private void observe(ScheduledExecutorService watch, Consumer<EngineStatus> observer) {
        try {
            vitals.status().ifPresent(observer);
        } catch (RuntimeException e) {
            if (!watch.isShutdown()) { // else the databases were closed under it
                LOG.error("a defect in what watches the replication, please report it", e);
            }
        }
    }
}
