package io.aardappel.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.aardappel.kube.junit.WithKubeApiServer;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@WithKubeApiServer
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("The manifests")
class ManifestsTest {
    private final KubernetesClient client;

    ManifestsTest(KubernetesClient client) {
        this.client = client;
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(Manifests.NAMESPACE)
                        .endMetadata()
                        .build())
                .fieldManager("a-person")
                .serverSideApply();
    }

    static List<String> overlays() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of("..", Manifests.OVERLAYS))) {
            return folders.map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private static List<GenericKubernetesResource> overlay(String name) {
        return Manifests.rendered(Manifests.OVERLAYS + name);
    }

    @MethodSource("overlays")
    @ParameterizedTest
    void areTakenByTheServer(String overlay) {
        assertThatNoException().isThrownBy(() -> Manifests.apply(client, overlay(overlay)));
    }

    @Test
    void takeTheServerWithWhatIsOptional() {
        List<GenericKubernetesResource> objects = Manifests.rendered("overlays/cluster", "components", """
                components:
                - ../../../../deploy/kustomize/components/network-policy
                - ../../../../deploy/kustomize/components/monitoring
                - ../../../../deploy/kustomize/components/alerts
                """);
        List<GenericKubernetesResource> taken = objects.stream()
                .filter(object ->
                        !object.getApiVersion().startsWith("monitoring.coreos.com/")) // which this server lacks
                .toList();
        assertThat(objects).hasSize(taken.size() + 2);
        assertThatNoException().isThrownBy(() -> Manifests.apply(client, taken));
        assertThat(Manifests.only(NetworkPolicy.class, objects)
                        .getSpec()
                        .getPodSelector()
                        .getMatchLabels())
                .isEqualTo(selector(overlay("cluster")));
    }

    @Test
    void areReleasedAsTheyAre() throws IOException {
        List<GenericKubernetesResource> wanted = Manifests.release();
        List<GenericKubernetesResource> committed = Manifests.released();
        assertThat(Stream.concat(
                                wanted.stream().filter(object -> !committed.contains(object)),
                                committed.stream().filter(object -> !wanted.contains(object)))
                        .map(object ->
                                object.getKind() + " " + object.getMetadata().getName())
                        .distinct())
                .as("deploy/release.yaml is stale; `make release` writes it anew")
                .isEmpty();
    }

    @MethodSource("overlays")
    @ParameterizedTest
    void runReplicatorsOfTheOperatorsImage(String overlay) {
        Container operator = operator(overlay(overlay));
        assertThat(variable(operator, "REPLICATOR_IMAGE").getValue()).isEqualTo(operator.getImage());
    }

    @MethodSource("overlays")
    @ParameterizedTest
    void selectTheOperatorsPods(String overlay) {
        List<GenericKubernetesResource> objects = overlay(overlay);
        Map<String, String> labels = Manifests.only(Deployment.class, objects)
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getLabels();
        assertThat(labels).containsAllEntriesOf(selector(objects));
        assertThat(Manifests.only(Service.class, objects).getSpec().getSelector())
                .isEqualTo(selector(objects));
        assertThat(Manifests.only(PodDisruptionBudget.class, objects)
                        .getSpec()
                        .getSelector()
                        .getMatchLabels())
                .isEqualTo(selector(objects));
        assertThat(Manifests.only(Service.class, objects).getSpec().getPorts())
                .extracting(port -> port.getTargetPort().getStrVal())
                .isSubsetOf(operator(objects).getPorts().stream()
                        .map(ContainerPort::getName)
                        .toList());
    }

    @Test
    void putAnOperatorOfOneNamespaceWhereItIsTold() {
        List<GenericKubernetesResource> objects =
                Manifests.rendered("overlays/namespaced", "moved", "namespace: shop\n");
        assertThat(objects)
                .allSatisfy(object ->
                        assertThat(object.getMetadata().getNamespace()).isEqualTo("shop"))
                .filteredOn(object -> object.getKind().equals("RoleBinding"))
                .hasSize(2)
                .allSatisfy(binding -> assertThat(binding.<String>get("subjects", 0, "namespace"))
                        .isEqualTo("shop"));
        assertThat(variable(operator(objects), "WATCH_NAMESPACES").getValue()).isEqualTo("own");
    }

    @Test
    void giveAnOperatorElsewhereRightsInAFurtherNamespace() {
        assertThat(Manifests.rendered("watched", "further", "namespace: shop\n"))
                .allSatisfy(object ->
                        assertThat(object.getMetadata().getNamespace()).isEqualTo("shop"))
                .filteredOn(object -> object.getKind().equals("RoleBinding"))
                .singleElement()
                .satisfies(binding -> assertThat(binding.<String>get("subjects", 0, "namespace"))
                        .isEqualTo(Manifests.NAMESPACE));
    }

    @Test
    void admitRestrictedPodsOnlyToTheOperatorsNamespace() {
        assertThat(Manifests.only(Namespace.class, overlay("cluster"))
                        .getMetadata()
                        .getLabels())
                .containsEntry("pod-security.kubernetes.io/enforce", "restricted");
    }

    private static Map<String, String> selector(List<GenericKubernetesResource> objects) {
        return Manifests.only(Deployment.class, objects).getSpec().getSelector().getMatchLabels();
    }

    private static Container operator(List<GenericKubernetesResource> objects) {
        return Manifests.only(Deployment.class, objects)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0);
    }

    private static EnvVar variable(Container container, String name) {
        return container.getEnv().stream()
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
