package io.aardappel.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.plan.Action;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The objects of a Replication")
class DesiredTest {
    private static final String IMAGE = "registry.example/replicator:1";

    private static Desired of(Replication replication) {
        return of(replication, 2);
    }

    private static Desired of(Replication replication, int pods) {
        return Desired.of(replication, new Action.Apply(replication.getSpec().streams(), pods, "0a1b"), IMAGE);
    }

    private static Stream<HasMetadata> all(Desired desired) {
        return Stream.of(
                        Optional.of(desired.configMap().object()),
                        desired.serviceAccount(),
                        Optional.of(desired.deployment()),
                        Optional.of(desired.service()),
                        desired.disruptionBudget(),
                        desired.podMonitor(),
                        desired.networkPolicy())
                .flatMap(Optional::stream);
    }

    private static PodSpec pod(Desired desired) {
        return desired.deployment().getSpec().getTemplate().getSpec();
    }

    private static Container container(Desired desired) {
        return pod(desired).getContainers().get(0);
    }

    @Nested
    @DisplayName("that is minimal")
    class Minimal {
        private final Desired desired = of(Resources.of(Resources.MINIMAL));
        private final Deployment deployment = desired.deployment();

        @Test
        void belongToIt() {
            assertThat(all(desired)).hasSize(5).allSatisfy(object -> {
                assertThat(object.getMetadata().getNamespace()).isEqualTo("copies");
                assertThat(object.getMetadata().getOwnerReferences())
                        .singleElement()
                        .satisfies(owner -> {
                            assertThat(owner.getUid()).isEqualTo("7a1f");
                            assertThat(owner.getController()).isTrue();
                        });
                assertThat(object.getMetadata().getLabels())
                        .containsEntry("app.kubernetes.io/managed-by", "aardappel-controller")
                        .containsEntry("app.kubernetes.io/component", "replicator")
                        .containsEntry("aardappel.ydb.tech/replication", "shop");
            });
        }

        @Test
        void areAnActivePodAndAStandby() {
            assertThat(deployment.getSpec().getReplicas()).isEqualTo(2);
            assertThat(desired.disruptionBudget()).isPresent();
            assertThat(deployment
                            .getSpec()
                            .getStrategy()
                            .getRollingUpdate()
                            .getMaxSurge()
                            .getIntVal())
                    .isZero();
        }

        @Test
        void selectByLabelsThatPodsHave() {
            assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels())
                    .containsAllEntriesOf(deployment.getSpec().getSelector().getMatchLabels())
                    .containsAllEntriesOf(desired.service().getSpec().getSelector())
                    .containsAllEntriesOf(desired.disruptionBudget()
                            .orElseThrow()
                            .getSpec()
                            .getSelector()
                            .getMatchLabels());
        }

        @Test
        void carryWhatTheirPodsAgreeOn() {
            assertThat(deployment.getMetadata().getAnnotations())
                    .containsEntry(DesiredDeployment.TOGETHER_HASH, "0a1b");
        }

        @Test
        void readTheConfigMapOfTheirConfiguration() {
            String name = desired.configMap().object().getMetadata().getName();
            assertThat(name).matches("shop-[0-9a-f]{8}");
            assertThat(desired.configMap().object().getImmutable()).isTrue();
            assertThat(pod(desired).getVolumes())
                    .filteredOn(volume -> volume.getConfigMap() != null)
                    .singleElement()
                    .satisfies(volume ->
                            assertThat(volume.getConfigMap().getName()).isEqualTo(name));
            assertThat(container(desired).getArgs()).containsExactly("-config", "/etc/aardappel/replicator.yaml");
        }

        @Test
        void areAdmittedAsRestricted() {
            assertThat(pod(desired).getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(pod(desired).getSecurityContext().getSeccompProfile().getType())
                    .isEqualTo("RuntimeDefault");
            assertThat(pod(desired).getSecurityContext().getRunAsUser())
                    .as("some clusters choose it")
                    .isNull();
            assertThat(container(desired).getSecurityContext()).satisfies(security -> {
                assertThat(security.getAllowPrivilegeEscalation()).isFalse();
                assertThat(security.getReadOnlyRootFilesystem()).isTrue();
                assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
            });
            assertThat(pod(desired).getAutomountServiceAccountToken()).isFalse();
        }

        @Test
        void haveRequestsAndLimits() {
            assertThat(container(desired).getResources().getRequests()).containsOnlyKeys("cpu", "memory");
            assertThat(container(desired).getResources().getLimits()).containsOnlyKeys("memory");
        }

        @Test
        void areSpread() {
            assertThat(pod(desired)
                            .getAffinity()
                            .getPodAntiAffinity()
                            .getPreferredDuringSchedulingIgnoredDuringExecution())
                    .hasSize(1);
            assertThat(pod(desired).getTopologySpreadConstraints()).hasSize(1);
        }

        @Test
        void useAnAccountWithoutRights() {
            assertThat(pod(desired).getServiceAccountName())
                    .isEqualTo(
                            desired.serviceAccount().orElseThrow().getMetadata().getName());
        }
    }

    @Nested
    @DisplayName("that says everything")
    class Full {
        private final Desired desired = of(Resources.of(Resources.FULL));

        @Test
        void areAllThere() {
            assertThat(all(desired)).hasSize(6);
            assertThat(desired.serviceAccount()).as("the resource names one").isEmpty();
        }

        @Test
        void haveWhatTheTemplateSays() {
            assertThat(desired.deployment()
                            .getSpec()
                            .getTemplate()
                            .getMetadata()
                            .getLabels())
                    .containsEntry("team", "shop")
                    .as("the selector must hold")
                    .containsEntry("app.kubernetes.io/name", "replicator");
            assertThat(desired.deployment()
                            .getSpec()
                            .getTemplate()
                            .getMetadata()
                            .getAnnotations())
                    .containsEntry("note", "hello")
                    .containsEntry(DesiredDeployment.RESTART_NONCE, "7")
                    .containsEntry(
                            DesiredDeployment.CONFIG_HASH, desired.configMap().hash());
            PodSpec pod = pod(desired);
            assertThat(pod.getServiceAccountName()).isEqualTo("shop");
            assertThat(pod.getImagePullSecrets()).hasSize(1);
            assertThat(pod.getNodeSelector()).isEqualTo(Map.of("disk", "fast"));
            assertThat(pod.getPriorityClassName()).isEqualTo("high");
            assertThat(pod.getSecurityContext().getRunAsUser()).isEqualTo(1234);
            assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(pod.getTerminationGracePeriodSeconds()).isEqualTo(60);
            assertThat(pod.getHostAliases()).hasSize(1);
            assertThat(pod.getTolerations()).hasSize(1);
            assertThat(container(desired).getImage()).isEqualTo("registry.example/replicator:2");
            assertThat(container(desired).getEnv()).hasSize(1);
            assertThat(container(desired).getResources().getLimits().get("memory"))
                    .hasToString("2Gi");
        }

        @Test
        void mountCredentialsAndAuthorities() {
            Map<String, String> mounted = container(desired).getVolumeMounts().stream()
                    .collect(Collectors.toMap(VolumeMount::getName, VolumeMount::getMountPath));
            assertThat(mounted)
                    .containsEntry("config", "/etc/aardappel")
                    .containsEntry("source-credential", "/var/run/aardappel/credentials/source")
                    .containsEntry("source-ca", "/var/run/aardappel/authorities/source")
                    .containsEntry("destination-credential", "/var/run/aardappel/credentials/destination")
                    .containsEntry("extra", "/extra")
                    .containsEntry("tmp", "/tmp");
            assertThat(pod(desired).getVolumes())
                    .extracting(Volume::getName)
                    .containsExactlyInAnyOrderElementsOf(mounted.keySet());
        }

        @Test
        void getATokenForTheirAudience() {
            assertThat(volume("source-credential").getProjected().getSources())
                    .singleElement()
                    .satisfies(source -> {
                        assertThat(source.getServiceAccountToken().getAudience())
                                .isEqualTo("ydb");
                        assertThat(source.getServiceAccountToken().getExpirationSeconds())
                                .isEqualTo(1200);
                        assertThat(source.getServiceAccountToken().getPath()).isEqualTo("credential");
                    });
        }

        @Test
        void readTheKeyOfASecretAndNoOther() {
            assertThat(volume("destination-credential").getSecret().getSecretName())
                    .isEqualTo("tokens");
            assertThat(volume("destination-credential").getSecret().getItems())
                    .singleElement()
                    .satisfies(item -> {
                        assertThat(item.getKey()).isEqualTo("copy");
                        assertThat(item.getPath()).isEqualTo("credential");
                    });
        }

        private Volume volume(String name) {
            return pod(desired).getVolumes().stream()
                    .filter(volume -> volume.getName().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        @Test
        void areWatchedByThePrometheusThatTheLabelsChoose() {
            assertThat(desired.podMonitor().orElseThrow().getMetadata().getLabels())
                    .containsEntry("release", "west");
        }
    }

    @Test
    void areAsManyPodsAsThePlanSays() {
        Desired desired = of(Resources.minimalWith("replicas: 3\n"), 0);
        assertThat(desired.deployment().getSpec().getReplicas()).isZero();
        assertThat(desired.disruptionBudget()).isEmpty();
    }

    @Test
    void letASinglePodBeDrained() {
        assertThat(of(Resources.of(Resources.MINIMAL), 1).disruptionBudget()).isEmpty();
    }

    @Test
    @DisplayName("have names that fit, however long its own is, and that differ where it differs")
    void haveNamesThatFit() {
        List<String> long1 = names("a".repeat(252) + "1");
        List<String> long2 = names("a".repeat(252) + "2");
        assertThat(long1)
                .doesNotContainAnyElementsOf(long2)
                .allSatisfy(
                        name -> assertThat(name).hasSizeLessThanOrEqualTo(63).matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?"));
        assertThat(names("shop")).contains("shop-replicator");
        assertThat(names("a.b")).as("a Service's name has no dots").noneMatch(name -> name.contains("."));
        assertThat(names("a.b")).doesNotContainAnyElementsOf(names("a-b"));
        assertThat(Names.of("a".repeat(60) + ".b").replicator())
                .as("pods' names become host names, with 17 characters more")
                .hasSizeLessThanOrEqualTo(46);
        assertThat(Names.of("a".repeat(252) + "1").labels())
                .allSatisfy((key, value) -> assertThat(value).hasSizeLessThanOrEqualTo(63));
    }

    private static List<String> names(String replication) {
        Replication resource = Resources.of(Resources.MINIMAL);
        resource.getMetadata().setName(replication);
        return all(of(resource)).map(object -> object.getMetadata().getName()).toList();
    }
}
