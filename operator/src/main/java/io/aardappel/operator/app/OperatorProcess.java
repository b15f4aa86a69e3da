package io.aardappel.operator.app;

import io.aardappel.access.failure.Cause;
import io.aardappel.crds.api.Replication;
import io.aardappel.operator.act.Actor;
import io.aardappel.operator.act.Announcer;
import io.aardappel.operator.act.Fence;
import io.aardappel.operator.health.Pages;
import io.aardappel.operator.metrics.OperatorMetrics;
import io.aardappel.operator.metrics.OperatorMetrics.Target;
import io.aardappel.operator.observe.CheckedStreams;
import io.aardappel.operator.observe.PolledPages;
import io.aardappel.operator.observe.PolledStates;
import io.aardappel.operator.reconcile.FailureLog;
import io.aardappel.operator.reconcile.ReplicationController;
import io.aardappel.operator.reconcile.ReplicationReconciler;
import io.aardappel.operator.settings.OperatorSettings;
import io.aardappel.operator.settings.Scope;
import io.aardappel.program.Version;
import io.aardappel.program.http.PageServer;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.OperatorException;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.monitoring.AggregatedMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From settings that are in order to the end of the program. One thread only. */
final class OperatorProcess {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorProcess.class);

    /** Resources whose new streams the databases are asked about at a time. */
    private static final int CHECKS_AT_ONCE = 2;

    private final OperatorSettings settings;
    private final Seams seams;
    /** Empty where operators do not agree on one that acts. */
    private final Optional<LeaseWatch> lease;

    OperatorProcess(OperatorSettings settings, Seams seams) {
        this.settings = settings;
        this.seams = seams;
        this.lease = settings.election()
                .map(election -> new LeaseWatch(election.name(), election.renewDeadline(), System::nanoTime));
    }

    /** Serves Replications until it is told to stop or cannot go on. */
    ExitCode run() {
        ExitCode code = ExitCode.INTERNAL;
        try {
            code = measured();
        } finally {
            lease.ifPresent(LeaseWatch::close);
            if (code == ExitCode.REQUESTED) {
                LOG.info("stopped as requested");
            } else {
                LOG.error("ending with code {}: {}; {}", code.code(), code.meaning(), code.remedy());
            }
        }
        return code;
    }

    private ExitCode measured() {
        try (OperatorMetrics metrics = new OperatorMetrics(Version.of(OperatorProcess.class), InstantSource.system());
                KubernetesClient client = seams.cluster().apply(intercepted(metrics.apiRequests()))) {
            Optional<String> own = settings.namespace().or(() -> Optional.ofNullable(client.getNamespace()));
            if (own.isEmpty()) {
                LOG.error("the operator's own namespace is not known: set POD_NAMESPACE or --pod-namespace");
                return ExitCode.CONFIGURATION;
            }
            return paged(client, own.get(), metrics);
        } catch (ClusterAccess.NoClusterException unnamed) {
            LOG.error("{}", unnamed.getMessage());
            return ExitCode.CLUSTER;
        }
    }

    private Interceptor intercepted(Interceptor requests) {
        return lease.map(watch -> watch.before(requests)).orElse(requests);
    }

    private ExitCode paged(KubernetesClient client, String own, OperatorMetrics metrics) {
        OperatorVitals vitals = new OperatorVitals(metrics.reconciliations());
        try (PageServer pages = Pages.serve(address(), vitals, metrics::scrape, OperatorMetrics.CONTENT_TYPE)) {
            LOG.info("serving /livez /readyz /metrics on {}", pages.address());
            return checked(client, own, metrics, vitals);
        } catch (IOException taken) {
            LOG.error(
                    "cannot listen on {}: {}. Choose an address of this machine that is free (LISTEN, --listen)",
                    settings.listen(),
                    taken.getMessage());
            return ExitCode.CONFIGURATION;
        }
    }

    private InetSocketAddress address() {
        OperatorSettings.Listen listen = settings.listen();
        return PageServer.at(listen.host(), listen.port());
    }

    private ExitCode checked(KubernetesClient client, String own, OperatorMetrics metrics, OperatorVitals vitals) {
        Scope scope = settings.scope().orElseGet(() -> Scope.of(Set.of(own)));
        ClusterCheck check;
        try {
            check = ClusterCheck.of(client, scope, leaseNamespace(own));
        } catch (KubernetesClientException away) {
            LOG.error(
                    "{} cannot be asked: {}. {}",
                    ClusterAccess.server(client.getConfiguration()),
                    Cause.of(away),
                    ClusterAccess.remedy(client.getConfiguration(), away));
            return ExitCode.CLUSTER;
        }
        if (!check.problems().isEmpty()) {
            check.problems().forEach(problem -> LOG.error("{}", problem));
            return ExitCode.CLUSTER;
        }
        if (!check.podMonitors()) {
            LOG.info(
                    "the cluster has no PodMonitors of monitoring.coreos.com/v1: spec.podMonitor of resources is left out;"
                            + " restart the operator when the cluster has them");
        }
        LOG.info("serves the Replications of {} as {}", scope, settings.identity());
        return wired(client, new Ground(own, scope, check.podMonitors()), metrics, vitals);
    }

    private Optional<String> leaseNamespace(String own) {
        return settings.election().map(election -> election.namespace().orElse(own));
    }

    /** Where it works. */
    private record Ground(String own, Scope scope, boolean podMonitors) {}

    private ExitCode wired(KubernetesClient client, Ground ground, OperatorMetrics metrics, OperatorVitals vitals) {
        InstantSource clock = InstantSource.system();
        Databases databases = seams.databases().apply(client, settings.identity());
        try (PolledStates states = new PolledStates(
                        databases.destinations(),
                        clock,
                        settings.pollPeriod(),
                        settings.databaseThreads(),
                        (took, answered) -> metrics.polled(Target.DATABASE, took, answered));
                PolledPages pages = new PolledPages(
                        clock,
                        settings.pollPeriod(),
                        settings.databaseThreads(),
                        (took, answered) -> metrics.polled(Target.PAGE, took, answered));
                CheckedStreams streams =
                        new CheckedStreams(databases.sources(), databases.destinations(), clock, CHECKS_AT_ONCE)) {
            Announcer announcer = new Announcer(client, settings.identity(), clock);
            Actor actor = new Actor(
                    client,
                    databases.changes(),
                    announcer,
                    settings.image(),
                    ground.podMonitors(),
                    lease.<Fence>map(watch -> watch).orElse(Fence.OPEN));
            ReplicationReconciler reconciler = new ReplicationReconciler(
                    new ReplicationReconciler.Sources(
                            states, databases.secrets(), pages, streams, ground.podMonitors()),
                    actor,
                    clock,
                    settings.pollPeriod(),
                    new StandingGauges(metrics.replications()));
            CompletableFuture<ExitCode> end = new CompletableFuture<>();
            lease.ifPresent(watch -> watch.whenLost(() -> end.complete(ExitCode.LEASE_LOST)));
            Operator operator = new Operator(overrider -> configure(overrider, client, ground, metrics, end));
            RegisteredController<Replication> controller =
                    operator.register(reconciler, overrider -> configure(overrider, ground.scope()));
            ExitCode code = served(operator, () -> vitals.show(controller, states::overdue), metrics, vitals, end);
            if (code == ExitCode.LEASE_LOST) {
                client.close(); // breaks what is under way, before connections to databases are closed, which takes
                // long
            }
            if (code == ExitCode.REQUESTED) {
                settings.election()
                        .ifPresent(election ->
                                giveBack(client, election.namespace().orElse(ground.own()), election.name()));
            }
            return code;
        }
    }

    private void configure(
            ConfigurationServiceOverrider overrider,
            KubernetesClient client,
            Ground ground,
            OperatorMetrics metrics,
            CompletableFuture<ExitCode> end) {
        overrider
                .withKubernetesClient(client)
                .withCloseClientOnStop(false)
                .withMetrics(new AggregatedMetrics(List.of(metrics.reconciliations(), new FailureLog())))
                .withConcurrentReconciliationThreads(settings.reconcileThreads())
                .withReconciliationTerminationTimeout(settings.stopTimeout())
                .withStopOnInformerErrorDuringStartup(true);
        settings.election()
                .ifPresent(election -> overrider.withLeaderElectionConfiguration(
                        election(election, election.namespace().orElse(ground.own()), metrics, end)));
    }

    /** The SDK is not to end the process itself: it would do so while a requested stop is under way, too. */
    private LeaderElectionConfiguration election(
            OperatorSettings.Election election,
            String namespace,
            OperatorMetrics metrics,
            CompletableFuture<ExitCode> end) {
        return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(election.name())
                .withLeaseNamespace(namespace)
                .withIdentity(settings.identity())
                .withLeaseDuration(election.duration())
                .withRenewDeadline(election.renewDeadline())
                .withRetryPeriod(election.retryPeriod())
                .withExitOnStopLeading(false)
                .withLeaderCallbacks(new LeaderCallbacks(
                        () -> {
                            metrics.leads(true);
                            LOG.info("has the lease {}/{}: acts from now on", namespace, election.name());
                        },
                        () -> {
                            metrics.leads(false);
                            lease.ifPresent(LeaseWatch::lose);
                            end.complete(ExitCode.LEASE_LOST);
                        },
                        leader -> LOG.info("the lease {}/{} is held by {}", namespace, election.name(), leader)))
                .build();
    }

    /** The SDK lets the lease run out within a second and leaves its holder in it: others are to see at once that nobody acts. */
    private void giveBack(KubernetesClient client, String namespace, String name) {
        try {
            Lease lease = client.leases().inNamespace(namespace).withName(name).get();
            if (lease != null && settings.identity().equals(lease.getSpec().getHolderIdentity())) {
                client.leases()
                        .inNamespace(namespace)
                        .withName(name)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"metadata\":{\"resourceVersion\":\""
                                        + lease.getMetadata().getResourceVersion()
                                        + "\"},\"spec\":{\"holderIdentity\":null}}");
            }
        } catch (KubernetesClientException refused) {
            LOG.warn(
                    "the lease {}/{} was not given back: {}; it runs out within a second",
                    namespace,
                    name,
                    refused.getMessage());
        }
    }

    private static void configure(ControllerConfigurationOverrider<Replication> overrider, Scope scope) {
        ReplicationController.configure(overrider);
        if (scope.all()) {
            overrider.watchingAllNamespaces();
        } else {
            overrider.settingNamespaces(scope.names());
        }
    }

    private ExitCode served(
            Operator operator,
            Runnable started,
            OperatorMetrics metrics,
            OperatorVitals vitals,
            CompletableFuture<ExitCode> end) {
        seams.stop().whenRequested(() -> end.complete(ExitCode.REQUESTED));
        try {
            operator.start();
        } catch (OperatorException refused) {
            LOG.error("the cluster's objects cannot be watched: {}", Cause.of(refused), refused);
            return end.getNow(ExitCode.CLUSTER);
        }
        if (settings.election().isEmpty()) {
            metrics.leads(true);
        }
        started.run();
        ExitCode code = end.join();
        vitals.stops();
        if (code == ExitCode.REQUESTED) {
            LOG.info(
                    "stopping; reconciliations under way may take {} s",
                    settings.stopTimeout().toSeconds());
            operator.stop();
        }
        // Whoever lost the lease must not wait: its fence is shut, and nothing is written any more.
        return code;
    }
}
