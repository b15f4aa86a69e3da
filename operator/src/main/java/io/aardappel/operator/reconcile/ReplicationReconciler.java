package io.aardappel.operator.reconcile;

import io.aardappel.access.failure.Cause;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationStatus;
import io.aardappel.operator.act.Actor;
import io.aardappel.operator.act.Cluster;
import io.aardappel.operator.act.LeaseLostException;
import io.aardappel.operator.act.Refusal;
import io.aardappel.operator.act.StateChangeException;
import io.aardappel.operator.observe.ActivePod;
import io.aardappel.operator.observe.PageBook;
import io.aardappel.operator.observe.Rivals;
import io.aardappel.operator.observe.SecretBook;
import io.aardappel.operator.observe.StateBook;
import io.aardappel.operator.observe.StreamBook;
import io.aardappel.operator.observe.WorkloadReading;
import io.aardappel.operator.plan.Observed;
import io.aardappel.operator.plan.PageSeen;
import io.aardappel.operator.plan.Plan;
import io.aardappel.operator.plan.Planner;
import io.aardappel.operator.plan.Reason;
import io.aardappel.operator.plan.StateSeen;
import io.aardappel.operator.resources.DesiredConfigMap;
import io.aardappel.operator.resources.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.SSABasedGenericKubernetesResourceMatcher;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Observes, plans and acts for one resource at a time. Thread-safe: the SDK calls it for many resources at once. */
public final class ReplicationReconciler implements Reconciler<Replication> {
    /** So many failures in a row are told; the client itself has repeated each request before one counts. */
    private static final int FAILURES_TOLD = 2;

    private final Rivals rivals = new Rivals();
    private final Sources sources;
    private final Actor actor;
    private final InstantSource clock;
    private final Duration pollPeriod;
    private final Standings standings;

    /**
     * What is looked at.
     *
     * @param states what the state tables say
     * @param secrets what the Secrets hold that resources name
     * @param pages what the pods say
     * @param streams what the databases say of streams that are new
     * @param podMonitors whether the cluster has PodMonitors
     */
    public record Sources(
            StateBook states, SecretBook secrets, PageBook pages, StreamBook streams, boolean podMonitors) {}

    /**
     * Serves resources by these.
     *
     * @param pollPeriod how often a resource is looked at when nothing happens; its status is written once in that time at most
     */
    public ReplicationReconciler(
            Sources sources, Actor actor, InstantSource clock, Duration pollPeriod, Standings standings) {
        this.sources = sources;
        this.actor = actor;
        this.clock = clock;
        this.pollPeriod = pollPeriod;
        this.standings = standings;
    }

    @Override
    public List<EventSource<?, Replication>> prepareEventSources(EventSourceContext<Replication> context) {
        return EventSources.of(context, sources.podMonitors());
    }

    @Override
    public UpdateControl<Replication> reconcile(Replication resource, Context<Replication> context) {
        if (context.isPrimaryResourceDeleted()) {
            Planner.gone(resource).ifPresent(tell -> actor.tell(tell, resource));
            actor.forget(resource);
            standings.gone(resource);
            return UpdateControl.noUpdate();
        }
        Observed seen = observe(resource, context, Optional.empty());
        Plan plan = Planner.plan(seen);
        try {
            if (!actor.perform(plan, resource, new Watched(context)) || plan.letsGo(resource)) {
                return UpdateControl.<Replication>noUpdate().rescheduleAfter(pollPeriod);
            }
        } catch (KubernetesClientException refused) {
            plan = refused(resource, context, refused);
        } catch (StateChangeException refused) {
            plan = told(
                    resource, context, Reason.DESTINATION_CHANGE_FAILED, refused.getMessage() + "; it is tried again");
        }
        return answer(resource, plan.status());
    }

    /**
     * What passes by itself is tried again: a conflict, an API server that is away, fails or has too much to do.
     * Whatever else it says stands in the status at once, in its words.
     */
    private Plan refused(Replication resource, Context<Replication> context, KubernetesClientException refused) {
        if (!Refusal.isLasting(refused)) {
            throw refused;
        }
        return told(resource, context, Reason.REFUSED_BY_API_SERVER, Refusal.wordsAndRemedy(refused));
    }

    /** The plan of a pass that came to an obstacle: its status is written, and people are told. */
    private Plan told(Replication resource, Context<Replication> context, Reason reason, String message) {
        Plan told = Planner.plan(observe(resource, context, Optional.of(new Observed.Obstacle(reason, message))));
        actor.tell(told, resource);
        return told;
    }

    /** A pass that fails again and again says so in the status, not in the log alone, and is tried again all the same. */
    @Override
    public ErrorStatusUpdateControl<Replication> updateErrorStatus(
            Replication resource, Context<Replication> context, Exception failed) {
        if (failed instanceof LeaseLostException) {
            return ErrorStatusUpdateControl.<Replication>noStatusUpdate().withNoRetry();
        }
        int failures = context.getRetryInfo().map(RetryInfo::getAttemptCount).orElse(0) + 1;
        boolean away = failed instanceof KubernetesClientException refused && Refusal.isMissing(refused);
        if (failures < FAILURES_TOLD || away) {
            return ErrorStatusUpdateControl.defaultErrorProcessing();
        }
        String why = failed instanceof KubernetesClientException refused
                ? "the API server answers: " + Refusal.words(refused)
                : "the operator has a bug, its log says more: " + Cause.of(failed);
        Plan told = told(resource, context, Reason.RECONCILIATION_FAILED, why);
        standings.now(resource, told.status());
        actor.checkFence();
        return told.status().equals(resource.getStatus())
                ? ErrorStatusUpdateControl.noStatusUpdate()
                : ErrorStatusUpdateControl.patchStatus(bare(resource, told.status()));
    }

    private Observed observe(Replication resource, Context<Replication> context, Optional<Observed.Obstacle> obstacle) {
        Watched watched = new Watched(context);
        Names names = Names.of(resource.getMetadata().getName());
        Optional<Deployment> deployment = watched.owned(Deployment.class, resource).stream()
                .filter(one -> one.getMetadata().getName().equals(names.replicator()))
                .findFirst();
        List<Pod> pods = watched.owned(Pod.class, resource).stream()
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
                .toList();
        SecretBook.Seen login = sources.secrets().of(resource); // before the state table is asked, which needs them
        StateSeen state = sources.states().of(resource);
        PageSeen page = sources.pages().of(resource, ActivePod.among(pods, state));
        Instant now = clock.instant();
        return new Observed(
                now,
                resource,
                names.replicator() + "-",
                deployment.map(one -> WorkloadReading.workload(one, watched.owned(ConfigMap.class, resource))),
                pods.stream().map(pod -> WorkloadReading.pod(pod, now)).toList(),
                state,
                page,
                rivals.obstacle(
                                resource,
                                context.getPrimaryCache()
                                        .list()) // before all: nothing else is told of what is another's
                        .or(() -> obstacle)
                        .or(() -> tooLarge(resource))
                        .or(login::obstacle),
                login.hash(),
                sources.streams().of(resource, Planner.unproven(resource, state)));
    }

    private static Optional<Observed.Obstacle> tooLarge(Replication resource) {
        DesiredConfigMap config =
                DesiredConfigMap.of(resource, resource.getSpec().streams());
        return config.isTooLarge()
                ? Optional.of(
                        new Observed.Obstacle(
                                Reason.CONFIG_TOO_LARGE,
                                "the configuration would have " + config.bytes()
                                        + " bytes, and a ConfigMap may have 1,000,000: take streams out, into another Replication"))
                : Optional.empty();
    }

    /** The SDK writes the status as soon as it is handed over. */
    private UpdateControl<Replication> answer(Replication resource, ReplicationStatus status) {
        actor.checkFence();
        standings.now(resource, status);
        if (status.equals(resource.getStatus())) {
            return UpdateControl.<Replication>noUpdate().rescheduleAfter(pollPeriod);
        }
        return UpdateControl.patchStatus(bare(resource, status)).rescheduleAfter(pollPeriod);
    }

    /** For server-side apply, which wants nothing but the status. */
    private static Replication bare(Replication resource, ReplicationStatus status) {
        Replication bare = new Replication();
        bare.setMetadata(new ObjectMetaBuilder()
                .withName(resource.getMetadata().getName())
                .withNamespace(resource.getMetadata().getNamespace())
                .build());
        bare.setStatus(status);
        return bare;
    }

    /** What the informers know. */
    private record Watched(Context<Replication> context) implements Cluster {
        @Override
        public <R extends HasMetadata> List<R> owned(Class<R> kind, Replication resource) {
            return List.copyOf(context.getSecondaryResources(kind));
        }

        @Override
        public <R extends HasMetadata> boolean matches(R actual, R wanted) {
            try {
                return SSABasedGenericKubernetesResourceMatcher.<R>getInstance().matches(actual, wanted, context);
            } catch (IllegalArgumentException unreadable) {
                return false; // a value is none, such as of a quantity: the API server is asked, whose answer is told
            }
        }
    }
}
