package io.aardappel.operator.reconcile;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.resources.DesiredDeployment;
import io.aardappel.operator.resources.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.SecondaryToPrimaryMapper;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The objects that are watched: only ours, by their label, so that memory depends on them alone. */
final class EventSources {
    private static final String OURS = "app.kubernetes.io/managed-by=" + Names.MANAGER;

    private static final GroupVersionKind POD_MONITOR =
            new GroupVersionKind("monitoring.coreos.com", "v1", "PodMonitor");

    private EventSources() {}

    /** @param podMonitors whether the cluster has them */
    static List<EventSource<?, Replication>> of(EventSourceContext<Replication> context, boolean podMonitors) {
        List<EventSource<?, Replication>> all = new ArrayList<>(always(context));
        if (podMonitors) {
            all.add(new InformerEventSource<>(
                    InformerEventSourceConfiguration.from(POD_MONITOR, Replication.class)
                            .withLabelSelector(OURS)
                            .withSecondaryToPrimaryMapper(
                                    Mappers.<GenericKubernetesResource>fromOwnerReferences(Replication.class))
                            .build(),
                    context));
        }
        return all;
    }

    private static List<EventSource<?, Replication>> always(EventSourceContext<Replication> context) {
        return List.of(
                owned(Deployment.class, context),
                owned(ConfigMap.class, context),
                owned(Service.class, context),
                owned(ServiceAccount.class, context),
                owned(PodDisruptionBudget.class, context),
                owned(NetworkPolicy.class, context),
                source(Pod.class, EventSources::replicationOf, context));
    }

    private static <R extends HasMetadata> EventSource<R, Replication> owned(
            Class<R> kind, EventSourceContext<Replication> context) {
        return source(kind, Mappers.fromOwnerReferences(Replication.class), context);
    }

    private static <R extends HasMetadata> EventSource<R, Replication> source(
            Class<R> kind, SecondaryToPrimaryMapper<R> mapper, EventSourceContext<Replication> context) {
        return new InformerEventSource<>(
                InformerEventSourceConfiguration.from(kind, Replication.class)
                        .withLabelSelector(OURS)
                        .withSecondaryToPrimaryMapper(mapper)
                        .build(),
                context);
    }

    /** A pod is a ReplicaSet's; its resource's whole name stands in an annotation, for a label may be too short. */
    private static Set<ResourceID> replicationOf(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String name = annotations == null ? null : annotations.get(DesiredDeployment.REPLICATION_NAME);
        return name == null
                ? Set.of()
                : Set.of(new ResourceID(name, pod.getMetadata().getNamespace()));
    }
}
