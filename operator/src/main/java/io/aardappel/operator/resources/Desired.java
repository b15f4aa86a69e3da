package io.aardappel.operator.resources;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationSpec;
import io.aardappel.operator.plan.Action;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.Optional;

/**
 * Everything that a Replication is to have in its cluster. What is empty is not to be there.
 *
 * @param configMap what the pods read; it goes before the Deployment, which names it
 * @param serviceAccount empty when the spec names one
 * @param disruptionBudget empty when there are fewer than two pods: it would forbid every drain
 * @param podMonitor empty unless asked for
 * @param networkPolicy empty unless asked for
 */
public record Desired(
        DesiredConfigMap configMap,
        Optional<ServiceAccount> serviceAccount,
        Deployment deployment,
        Service service,
        Optional<PodDisruptionBudget> disruptionBudget,
        Optional<GenericKubernetesResource> podMonitor,
        Optional<NetworkPolicy> networkPolicy) {

    /**
     * What this resource is to have.
     *
     * @param plan with how many pods, and which streams
     * @param image of the replicator, where the spec names none
     */
    public static Desired of(Replication replication, Action.Apply plan, String image) {
        DesiredConfigMap config = DesiredConfigMap.of(replication, plan.streams());
        ReplicationSpec spec = replication.getSpec();
        Names names = Names.of(replication.getMetadata().getName());
        boolean ownAccount = DesiredDeployment.serviceAccount(spec, names).equals(names.replicator());
        return new Desired(
                config,
                ownAccount ? Optional.of(Companions.serviceAccount(replication)) : Optional.empty(),
                DesiredDeployment.of(replication, plan, config, image),
                Companions.service(replication),
                plan.pods() > 1 ? Optional.of(Companions.disruptionBudget(replication)) : Optional.empty(),
                Optional.ofNullable(spec.podMonitor()).map(wish -> Companions.podMonitor(replication, wish)),
                spec.networkPolicy() == null ? Optional.empty() : Optional.of(Companions.networkPolicy(replication)));
    }
}
