package io.aardappel.operator.reconcile;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/**
 * Writes what controllers and kubelets would, which are not there. As patches, which name no version: the operator may write the same
 * object meanwhile.
 */
final class Statuses {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private Statuses() {}

    /** The pod runs and is ready. */
    static Pod ready(KubernetesClient client, Pod pod) {
        return client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .subresource("status")
                .patch(
                        MERGE,
                        "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
    }

    /** All pods of the template as it is now are there. */
    static void rolled(KubernetesClient client, Deployment one, int pods) {
        client.apps()
                .deployments()
                .inNamespace(one.getMetadata().getNamespace())
                .withName(one.getMetadata().getName())
                .subresource("status")
                .patch(
                        MERGE,
                        "{\"status\":{\"observedGeneration\":%d,\"replicas\":%d,\"updatedReplicas\":%d,\"readyReplicas\":%d}}"
                                .formatted(one.getMetadata().getGeneration(), pods, pods, pods));
    }
}
