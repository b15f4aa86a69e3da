package io.aardappel.operator.resources;

import io.aardappel.crds.api.PodMonitoring;
import io.aardappel.crds.api.Replication;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The objects beside the pods. */
final class Companions {
    private static final int DNS_PORT = 53;

    private Companions() {}

    /** Without rights; pods prove by it who they are. */
    static ServiceAccount serviceAccount(Replication replication) {
        return new ServiceAccountBuilder()
                .withMetadata(Owned.metadata(replication, names(replication).replicator()))
                .withAutomountServiceAccountToken(false)
                .build();
    }

    /** Without an address of its own: each pod has pages of its own, standbys too. */
    static Service service(Replication replication) {
        return new ServiceBuilder()
                .withMetadata(Owned.metadata(replication, names(replication).replicator()))
                .withNewSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(names(replication).selector())
                .addNewPort()
                .withName(DesiredDeployment.PORT_NAME)
                .withPort(Mounts.PORT)
                .withTargetPort(new IntOrString(DesiredDeployment.PORT_NAME))
                .withProtocol("TCP")
                .endPort()
                .endSpec()
                .build();
    }

    /** A pod that is not ready replicates nothing and takes nothing over: it never keeps a node from being drained. */
    static PodDisruptionBudget disruptionBudget(Replication replication) {
        return new PodDisruptionBudgetBuilder()
                .withMetadata(Owned.metadata(replication, names(replication).replicator()))
                .withNewSpec()
                .withMaxUnavailable(new IntOrString(1))
                .withUnhealthyPodEvictionPolicy("AlwaysAllow")
                .withNewSelector()
                .withMatchLabels(names(replication).selector())
                .endSelector()
                .endSpec()
                .build();
    }

    /** Of the Prometheus operator's API, which a cluster may lack. */
    static GenericKubernetesResource podMonitor(Replication replication, PodMonitoring wish) {
        Map<String, Object> endpoint = new LinkedHashMap<>();
        endpoint.put("port", DesiredDeployment.PORT_NAME);
        endpoint.put("path", "/metrics");
        if (wish.interval() != null) {
            endpoint.put("interval", wish.interval());
        }
        GenericKubernetesResource monitor = new GenericKubernetesResource();
        monitor.setApiVersion("monitoring.coreos.com/v1");
        monitor.setKind("PodMonitor");
        monitor.setMetadata(Owned.metadata(replication, names(replication).replicator()));
        if (wish.labels() != null) {
            Map<String, String> labels = new LinkedHashMap<>(wish.labels());
            labels.putAll(monitor.getMetadata().getLabels());
            monitor.getMetadata().setLabels(labels);
        }
        monitor.setAdditionalProperty(
                "spec",
                Map.of(
                        "selector",
                        Map.of("matchLabels", names(replication).selector()),
                        "podMetricsEndpoints",
                        List.of(endpoint)));
        return monitor;
    }

    /** In come probes and metrics; out go names and whatever is spoken over TCP: databases name hosts and ports as they like. */
    static NetworkPolicy networkPolicy(Replication replication) {
        return new NetworkPolicyBuilder()
                .withMetadata(Owned.metadata(replication, names(replication).replicator()))
                .withNewSpec()
                .withPolicyTypes("Ingress", "Egress")
                .withNewPodSelector()
                .withMatchLabels(names(replication).selector())
                .endPodSelector()
                .addNewIngress()
                .addNewPort()
                .withProtocol("TCP")
                .withPort(new IntOrString(Mounts.PORT))
                .endPort()
                .endIngress()
                .addNewEgress()
                .addNewPort()
                .withProtocol("UDP")
                .withPort(new IntOrString(DNS_PORT))
                .endPort()
                .addNewPort()
                .withProtocol("TCP")
                .endPort()
                .endEgress()
                .endSpec()
                .build();
    }

    private static Names names(Replication replication) {
        return Names.of(replication.getMetadata().getName());
    }
}
