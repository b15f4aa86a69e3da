package io.aardappel.bench.operator;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What the controllers of a cluster and its kubelets would do, as far as the operator sees it: two ready pods to each Deployment. */
final class StandIn implements AutoCloseable {
    private static final int PODS = 2;
    private static final int THREADS = 4;
    private static final String SUFFIX = "-replicator";

    private final KubernetesClient client;
    private final String namespace;
    private final Set<String> withPods = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final SharedIndexInformer<Deployment> informer;

    StandIn(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        this.informer = client.apps().deployments().inNamespace(namespace).inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(Deployment made) {
                threads.execute(() -> serve(made));
            }

            @Override
            public void onUpdate(Deployment before, Deployment now) {
                threads.execute(() -> serve(now));
            }

            @Override
            public void onDelete(Deployment gone, boolean unknown) {
                withPods.remove(gone.getMetadata().getName());
            }
        });
    }

    /** Name of the pod that holds the lock, for the resource of this name. */
    static String activePod(String resource) {
        return resource + SUFFIX + "-1";
    }

    /** Name of the Deployment of the resource. */
    static String deployment(String resource) {
        return resource + SUFFIX;
    }

    private void serve(Deployment one) {
        if (withPods.add(one.getMetadata().getName())) {
            for (int pod = 1; pod <= PODS; pod++) {
                makePod(one, one.getMetadata().getName() + "-" + pod);
            }
        }
        Long generation = one.getMetadata().getGeneration();
        if (one.getStatus() == null || !generation.equals(one.getStatus().getObservedGeneration())) {
            status(
                    client.apps()
                            .deployments()
                            .inNamespace(namespace)
                            .withName(one.getMetadata().getName()),
                    "{\"status\":{\"observedGeneration\":%d,\"replicas\":%d,\"updatedReplicas\":%d,\"readyReplicas\":%d}}"
                            .formatted(generation, PODS, PODS, PODS));
        }
    }

    /** By a patch, which names no version: the operator may write the same object meanwhile. */
    private static void status(Resource<?> object, String status) {
        object.subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), status);
    }

    private void makePod(Deployment one, String name) {
        client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .withLabels(one.getSpec().getTemplate().getMetadata().getLabels())
                        .withAnnotations(
                                one.getSpec().getTemplate().getMetadata().getAnnotations())
                        .endMetadata()
                        .withSpec(one.getSpec().getTemplate().getSpec())
                        .build())
                .create();
        status(
                client.pods().inNamespace(namespace).withName(name),
                "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
    }

    @Override
    public void close() {
        informer.stop();
        threads.shutdownNow();
    }
}
