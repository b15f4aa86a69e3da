package io.aardappel.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.crds.api.Replication;
import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.aardappel.operator.plan.Action;
import io.aardappel.operator.resources.Desired;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the API server itself admits there, not what a list of members says. */
@WithKubeApiServer
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("A namespace that admits restricted pods only")
class RestrictedPodsTest {
    private static final String IMAGE = "registry.example/aardappel:1";
    private static final Path EXAMPLES = Path.of("..", "examples");

    private final KubernetesClient client;
    private final String namespace;

    RestrictedPodsTest(KubeApiServer server) {
        client = server.client();
        namespace = server.newNamespace();
        client.namespaces().withName(namespace).edit(all -> {
            all.getMetadata().getLabels().put("pod-security.kubernetes.io/enforce", "restricted");
            return all;
        });
        client.resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName("copies") // that an example names
                        .endMetadata()
                        .withValue(1)
                        .build())
                .fieldManager("a-person")
                .serverSideApply();
        Pod careless = new PodBuilder()
                .withNewMetadata()
                .withName("careless")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("any")
                .withImage(IMAGE)
                .endContainer()
                .endSpec()
                .build();
        account("default");
        await("the label to count")
                .atMost(Duration.ofSeconds(20))
                .until(() -> refusal(careless).isPresent());
    }

    private void account(String name) {
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .build())
                .fieldManager("a-person")
                .serverSideApply();
    }

    static List<Workload> pods() throws IOException {
        try (Stream<Path> overlays = Files.list(Path.of("..", Manifests.OVERLAYS));
                Stream<Path> examples = Files.list(EXAMPLES)) {
            return Stream.concat(
                            overlays.map(folder -> Workload.of(
                                    Manifests.OVERLAYS + folder.getFileName(),
                                    Manifests.only(
                                            Deployment.class,
                                            Manifests.rendered(Manifests.OVERLAYS + folder.getFileName())))),
                            examples.filter(file -> file.toString().endsWith(".yaml"))
                                    .map(file -> Workload.of(file.getFileName().toString(), ofExample(file))))
                    .toList();
        }
    }

    /** What is run, and by what it is known. */
    record Workload(String origin, Deployment deployment) {
        static Workload of(String origin, Deployment deployment) {
            return new Workload(origin, deployment);
        }

        @Override
        public String toString() {
            return origin;
        }
    }

    private static Deployment ofExample(Path file) {
        try {
            Replication resource = Arrays.stream(Files.readString(file).split("(?m)^---$"))
                    .map(text -> Serialization.unmarshal(text, GenericKubernetesResource.class))
                    .filter(object -> object.getKind().equals("Replication"))
                    .map(object -> Serialization.unmarshal(Serialization.asJson(object), Replication.class))
                    .findFirst()
                    .orElseThrow();
            resource.getMetadata().setUid("7a1f");
            return Desired.of(resource, new Action.Apply(resource.getSpec().streams(), 2, "0a1b"), IMAGE)
                    .deployment();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private Pod pod(Deployment deployment) {
        PodTemplateSpec template = deployment.getSpec().getTemplate();
        account(template.getSpec().getServiceAccountName());
        return new PodBuilder()
                .withMetadata(template.getMetadata())
                .editMetadata()
                .withName("tried")
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
    }

    /** What the server says against it; the pod is not kept. */
    private Optional<String> refusal(Pod pod) {
        try {
            client.resource(pod)
                    .inNamespace(namespace)
                    .dryRun()
                    .fieldValidation(FieldValidateable.Validation.STRICT)
                    .create();
            return Optional.empty();
        } catch (KubernetesClientException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        }
    }

    @MethodSource("pods")
    @ParameterizedTest
    void admits(Workload origin) {
        assertThat(refusal(pod(origin.deployment()))).isEmpty();
    }

    /** So that being admitted means something. */
    @MethodSource("pods")
    @ParameterizedTest
    void refusesOnceAContainerMayGainPrivileges(Workload origin) {
        Pod changed = new PodBuilder(pod(origin.deployment()))
                .editSpec()
                .editFirstContainer()
                .editSecurityContext()
                .withAllowPrivilegeEscalation(true)
                .endSecurityContext()
                .endContainer()
                .endSpec()
                .build();
        assertThat(refusal(changed)).hasValueSatisfying(why -> assertThat(why).contains("violates PodSecurity"));
    }

    @MethodSource("pods")
    @ParameterizedTest
    void findsARootThatCannotBeWritten(Workload origin) {
        assertThat(origin.deployment().getSpec().getTemplate().getSpec().getContainers())
                .allSatisfy(
                        container -> assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                                .isTrue());
    }
}
