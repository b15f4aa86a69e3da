package io.aardappel.operator.act;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.observe.WorkloadReading;
import io.aardappel.operator.plan.Action;
import io.aardappel.operator.plan.Commands;
import io.aardappel.operator.plan.Plan;
import io.aardappel.operator.plan.Reason;
import io.aardappel.operator.resources.Desired;
import io.aardappel.operator.resources.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Performs what a plan says. What is there already is not written again. */
public final class Actor {
    /** Configurations that stay beside the one in force, for whoever wants to look back. */
    private static final int CONFIG_MAPS_KEPT = 3;

    private static final String ACTIVE_COST = "100";
    private static final int NOT_FOUND = 404;

    private final KubernetesClient client;
    private final KubernetesClient impatient;
    private final StateChanges state;
    private final Announcer announcer;
    private final String image;
    private final boolean podMonitors;
    private final Fence fence;

    /** Acts by this client, as the only operator that there is. */
    public Actor(KubernetesClient client, StateChanges state, Announcer announcer, String image, boolean podMonitors) {
        this(client, state, announcer, image, podMonitors, Fence.OPEN);
    }

    /**
     * Acts by this client.
     *
     * @param image of the replicator, where a resource names none
     * @param podMonitors whether the cluster has PodMonitors
     * @param fence asked before each write
     */
    public Actor(
            KubernetesClient client,
            StateChanges state,
            Announcer announcer,
            String image,
            boolean podMonitors,
            Fence fence) {
        this.fence = fence;
        this.client = client;
        this.impatient = impatient(client);
        this.state = state;
        this.announcer = announcer;
        this.image = image;
        this.podMonitors = podMonitors;
    }

    /**
     * Performs the actions in their order; the first that fails ends it. Rows are removed only for a resource that still is as the
     * plan saw it: of a resource that is gone meanwhile, and made anew, they would be another's.
     *
     * @return whether all was done; else the plan is of the past, the rows are as they were, and a later pass decides anew
     * @throws io.fabric8.kubernetes.client.KubernetesClientException what the API server refuses
     * @throws StateChangeException what the destination refuses
     * @throws LeaseLostException when another operator may act by now
     */
    public boolean perform(Plan plan, Replication resource, Cluster cluster) {
        for (Action action : plan.actions()) {
            if (action instanceof Action.DeleteState && !isUnchanged(resource)) {
                return false;
            }
            perform(action, resource, cluster);
        }
        return true;
    }

    /** Asks the API server itself: a watch may be behind. */
    private boolean isUnchanged(Replication resource) {
        Replication now = client.resources(Replication.class)
                .inNamespace(resource.getMetadata().getNamespace())
                .withName(name(resource))
                .get();
        return now != null
                && now.getMetadata()
                        .getResourceVersion()
                        .equals(resource.getMetadata().getResourceVersion());
    }

    /** The resource is gone; nothing is left to do for it. */
    public void forget(Replication resource) {
        announcer.forget(resource);
    }

    /**
     * Tells people this of a resource.
     *
     * @throws LeaseLostException when another operator may act by now
     */
    public void tell(Action.Tell tell, Replication resource) {
        fence.check();
        announcer.tell(resource, tell);
    }

    /**
     * To be asked before something is written that no plan has among its actions, such as a status.
     *
     * @throws LeaseLostException when another operator may act by now
     */
    public void checkFence() {
        fence.check();
    }

    /**
     * Tells people what the plan has to tell, and does nothing else of it.
     *
     * @throws LeaseLostException when another operator may act by now
     */
    public void tell(Plan plan, Replication resource) {
        fence.check();
        for (Action action : plan.actions()) {
            if (action instanceof Action.Tell tell) {
                announcer.tell(resource, tell);
            }
        }
    }

    private void perform(Action action, Replication resource, Cluster cluster) {
        fence.check();
        if (action instanceof Action.Apply apply) {
            apply(apply, resource, cluster);
        } else if (action instanceof Action.Scale scale) {
            scale(scale.pods(), resource);
        } else if (action instanceof Action.MarkActive mark) {
            mark(mark.pod(), resource, cluster);
        } else if (action instanceof Action.NoteSecrets note) {
            noteSecrets(note.hash(), resource, cluster);
        } else if (action instanceof Action.RemoveMembers remove) {
            state.removeMembers(resource, remove.streams());
        } else if (action instanceof Action.ClearFatal clear) {
            state.clearFatal(resource, clear.lastMessage());
        } else if (action instanceof Action.DeleteState delete) {
            deleteState(delete, resource);
        } else if (action instanceof Action.Hold) {
            finalizers(resource, true);
        } else if (action instanceof Action.Release) {
            finalizers(resource, false);
        } else if (action instanceof Action.Tell tell) {
            announcer.tell(resource, tell);
        }
    }

    private void deleteState(Action.DeleteState delete, Replication resource) {
        try {
            state.deleteState(resource);
        } catch (StateChangeException refused) {
            if (!delete.lastTry()) {
                throw refused;
            }
            announcer.tell(
                    resource,
                    new Action.Tell(
                            true,
                            Reason.DELETING,
                            "the rows of the instance stay, remove them by hand: " + refused.getMessage()));
        }
    }

    private void apply(Action.Apply plan, Replication resource, Cluster cluster) {
        Desired desired = Desired.of(resource, plan, image);
        one(ServiceAccount.class, desired.serviceAccount(), resource, cluster);
        if (cluster.owned(ConfigMap.class, resource).stream()
                .noneMatch(map -> name(map).equals(name(desired.configMap().object())))) {
            put(desired.configMap().object());
        }
        one(Deployment.class, Optional.of(desired.deployment()), resource, cluster);
        one(io.fabric8.kubernetes.api.model.Service.class, Optional.of(desired.service()), resource, cluster);
        one(PodDisruptionBudget.class, desired.disruptionBudget(), resource, cluster);
        one(NetworkPolicy.class, desired.networkPolicy(), resource, cluster);
        if (podMonitors) {
            one(GenericKubernetesResource.class, desired.podMonitor(), resource, cluster);
        }
        prune(name(desired.configMap().object()), resource, cluster);
    }

    /** There is one of the kind, as wanted, or none. */
    private <R extends HasMetadata> void one(Class<R> kind, Optional<R> wanted, Replication resource, Cluster cluster) {
        List<R> there = cluster.owned(kind, resource);
        if (wanted.isEmpty()) {
            there.forEach(this::remove);
            return;
        }
        R object = wanted.get();
        Optional<R> actual = there.stream()
                .filter(candidate -> name(candidate).equals(name(object)))
                .findFirst();
        if (actual.isEmpty() || !cluster.matches(actual.get(), object)) {
            put(object);
        }
    }

    /** Asks once, and patiently only what may go better: the client would repeat for long what an API server refuses by 500. */
    private void put(HasMetadata object) {
        fence.check();
        try {
            put(object, impatient);
        } catch (KubernetesClientException answer) {
            if (!Refusal.isPassing(answer)) {
                throw answer;
            }
            fence.check();
            put(object, client);
        }
    }

    private static void put(HasMetadata object, KubernetesClient by) {
        by.resource(object).fieldManager(Names.MANAGER).forceConflicts().serverSideApply();
    }

    /** The same client, which repeats nothing; not to be closed. */
    private static KubernetesClient impatient(KubernetesClient client) {
        RequestConfig once = new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                .withRequestRetryBackoffLimit(0)
                .build();
        return client.newClient(once).adapt(KubernetesClient.class);
    }

    private void remove(HasMetadata object) {
        fence.check();
        client.resource(object).delete();
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }

    /** Old configurations go, but not those that pods still read. */
    private void prune(String wanted, Replication resource, Cluster cluster) {
        Set<String> kept = new LinkedHashSet<>(Set.of(wanted));
        cluster.owned(Pod.class, resource).stream()
                .flatMap(pod -> pod.getSpec().getVolumes().stream())
                .filter(volume -> volume.getConfigMap() != null)
                .forEach(volume -> kept.add(volume.getConfigMap().getName()));
        List<ConfigMap> old = cluster.owned(ConfigMap.class, resource).stream()
                .filter(map -> !kept.contains(name(map)))
                .sorted(Comparator.comparing(
                                (ConfigMap map) -> map.getMetadata().getCreationTimestamp())
                        .reversed())
                .toList();
        old.stream().skip(CONFIG_MAPS_KEPT - 1L).forEach(this::remove);
    }

    private void scale(int pods, Replication resource) {
        client.apps()
                .deployments()
                .inNamespace(resource.getMetadata().getNamespace())
                .withName(Names.of(name(resource)).replicator())
                .patch(merge(), "{\"spec\":{\"replicas\":" + pods + "}}");
    }

    private static PatchContext merge() {
        return new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(Names.MANAGER)
                .build();
    }

    private void mark(String active, Replication resource, Cluster cluster) {
        for (Pod pod : cluster.owned(Pod.class, resource)) {
            boolean wanted = name(pod).equals(active);
            Map<String, String> annotations = pod.getMetadata().getAnnotations();
            boolean marked = annotations != null && annotations.containsKey(WorkloadReading.DELETION_COST);
            if (wanted != marked) {
                annotate(pod, WorkloadReading.DELETION_COST, wanted ? "\"" + ACTIVE_COST + "\"" : "null");
            }
        }
    }

    private void noteSecrets(String hash, Replication resource, Cluster cluster) {
        for (Pod pod : cluster.owned(Pod.class, resource)) {
            if (!WorkloadReading.secretsHash(pod).equals(hash)) {
                annotate(pod, WorkloadReading.SECRETS_HASH, "\"" + hash + "\"");
            }
        }
    }

    /**
     * One that is gone meanwhile needs none.
     *
     * @param value as JSON
     */
    private void annotate(Pod pod, String annotation, String value) {
        fence.check();
        try {
            client.pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(name(pod))
                    .patch(merge(), "{\"metadata\":{\"annotations\":{\"" + annotation + "\":" + value + "}}}");
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != NOT_FOUND) {
                throw refused;
            }
        }
    }

    /** Refused when somebody changed the resource meanwhile: the next pass decides anew. */
    private void finalizers(Replication resource, boolean held) {
        Set<String> all = new LinkedHashSet<>(resource.getMetadata().getFinalizers());
        if (held ? all.add(Commands.FINALIZER) : all.remove(Commands.FINALIZER)) {
            String list = all.stream().map(one -> "\"" + one + "\"").toList().toString();
            client.resources(Replication.class)
                    .inNamespace(resource.getMetadata().getNamespace())
                    .withName(name(resource))
                    .patch(
                            merge(),
                            "{\"metadata\":{\"resourceVersion\":\""
                                    + resource.getMetadata().getResourceVersion() + "\",\"finalizers\":" + list
                                    + "}}");
        }
    }
}
