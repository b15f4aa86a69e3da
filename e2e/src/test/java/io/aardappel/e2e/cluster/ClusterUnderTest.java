package io.aardappel.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.crds.api.Replication;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The cluster that {@code KUBECONFIG} names, in which scripts/cluster-test.sh has installed the operator. Thread-safe.
 */
final class ClusterUnderTest implements AfterAllCallback {
    static final String SYSTEM = "aardappel-system";
    static final String OPERATOR = "aardappel-operator";

    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final String hostAddress;

    private ClusterUnderTest(String hostAddress) {
        this.hostAddress = hostAddress;
    }

    /** @throws IllegalStateException when the script did not say where pods find this machine */
    static ClusterUnderTest current() {
        return new ClusterUnderTest(
                Optional.ofNullable(System.getenv("CLUSTER_HOST"))
                        .orElseThrow(
                                () -> new IllegalStateException(
                                        "CLUSTER_HOST is not set: run scripts/cluster-test.sh, which makes a cluster and runs these tests")));
    }

    KubernetesClient client() {
        return client;
    }

    /** The address of this machine, at which pods reach what listens there. */
    String hostAddress() {
        return hostAddress;
    }

    MixedOperation<Replication, KubernetesResourceList<Replication>, Resource<Replication>> replications() {
        return client.resources(Replication.class);
    }

    List<Pod> operatorPods() {
        return client.pods()
                .inNamespace(SYSTEM)
                .withLabel("app.kubernetes.io/name", "operator")
                .list()
                .getItems();
    }

    /** The operator's pod that acts; empty text while none does. */
    String actingOperator() {
        return Optional.ofNullable(client.leases()
                        .inNamespace(SYSTEM)
                        .withName(OPERATOR)
                        .get()
                        .getSpec()
                        .getHolderIdentity())
                .orElse("");
    }

    /** Another operator's pod than that acts. */
    void awaitOperatorOtherThan(String pod) {
        ClusterScene.eventually(() -> assertThat(actingOperator()).isNotEmpty().isNotEqualTo(pod));
    }

    RollableScalableResource<Deployment> operator() {
        return client.apps().deployments().inNamespace(SYSTEM).withName(OPERATOR);
    }

    /** Has the operator's pods run that image, and waits until they do; that of replicators too, whose resource names none. */
    void runOperator(String image) {
        operator()
                .edit(seen -> new DeploymentBuilder(seen)
                        .editSpec()
                        .editTemplate()
                        .editSpec()
                        .editFirstContainer()
                        .withImage(image)
                        .editMatchingEnv(variable -> variable.getName().equals("REPLICATOR_IMAGE"))
                        .withValue(image)
                        .endEnv()
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build());
        operator().waitUntilReady(ClusterScene.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** As by a node that is gone: it is told nothing and waits for nothing. */
    void kill(String namespace, String pod) {
        client.pods().inNamespace(namespace).withName(pod).withGracePeriod(0).delete();
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        client.close();
    }
}
