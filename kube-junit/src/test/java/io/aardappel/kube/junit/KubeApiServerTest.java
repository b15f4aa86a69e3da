package io.aardappel.kube.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

@WithKubeApiServer
@DisplayName("An API server for tests")
class KubeApiServerTest {
    private final KubeApiServer kube;

    KubeApiServerTest(KubeApiServer kube) {
        this.kube = kube;
    }

    @Test
    void keepsWhatItIsGiven(KubernetesClient client) {
        String namespace = kube.newNamespace();
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("kept")
                        .endMetadata()
                        .addToData("key", "value")
                        .build())
                .inNamespace(namespace)
                .create();
        assertThat(client.configMaps()
                        .inNamespace(namespace)
                        .withName("kept")
                        .get()
                        .getData())
                .containsExactly(Map.entry("key", "value"));
    }

    @Test
    void givesEachTestItsOwnNamespace() {
        assertThat(kube.newNamespace()).isNotEqualTo(kube.newNamespace());
    }

    @Test
    void refusesFurtherUsersWhatNoRoleAllows() {
        KubernetesClient reader = kube.clientOf("reader");
        assertThatThrownBy(() ->
                        reader.configMaps().inNamespace(kube.newNamespace()).list())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        refusal -> assertThat(refusal.getCode()).isEqualTo(403));
    }

    @Test
    void allowsFurtherUsersWhatARoleOfTheirGroupAllows() {
        String namespace = kube.newNamespace();
        kube.client()
                .resource(new RoleBuilder()
                        .withNewMetadata()
                        .withName("read")
                        .endMetadata()
                        .addNewRule()
                        .withApiGroups("")
                        .withResources("configmaps")
                        .withVerbs("list")
                        .endRule()
                        .build())
                .inNamespace(namespace)
                .create();
        kube.client()
                .resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName("readers")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", "read")
                        .addNewSubject()
                        .withKind("Group")
                        .withName("readers")
                        .endSubject()
                        .build())
                .inNamespace(namespace)
                .create();
        KubernetesClient reader = kube.clientOf("reader", "readers");
        await().ignoreExceptionsInstanceOf(KubernetesClientException.class)
                .untilAsserted(() -> assertThat(reader.configMaps()
                                .inNamespace(namespace)
                                .list()
                                .getItems())
                        .isEmpty());
    }

    @Test
    void takesTokensOfServiceAccounts() {
        String namespace = kube.newNamespace();
        kube.client()
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName("copier")
                        .endMetadata()
                        .build())
                .inNamespace(namespace)
                .create();
        assertThat(whoIs(kube.clientOfServiceAccount(namespace, "copier")))
                .isEqualTo("system:serviceaccount:" + namespace + ":copier");
    }

    private static String whoIs(KubernetesClient client) {
        String answer = client.raw(
                "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                "POST",
                Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "SelfSubjectReview"));
        return Serialization.unmarshal(answer, GenericKubernetesResource.class).get("status", "userInfo", "username");
    }

    @Test
    void leavesNothingWhenItsJvmIsKilled() throws Exception {
        try (ChildJvm jvm = ChildJvm.running(Killed.class)) {
            List<Path> folders = jvm.told().stream().map(Path::of).toList();
            assertThat(folders).hasSize(2).allMatch(Files::isDirectory);
            jvm.kill();
            await().until(() -> folders.stream().allMatch(Files::notExists));
        }
    }

    /** The JVM that is killed. */
    static final class Killed {
        private Killed() {}

        public static void main(String[] args) throws InterruptedException {
            ChildJvm.ready(
                    KubeApiServer.start().folders().stream().map(Path::toString).toList());
        }
    }

    @Nested
    @DisplayName("used by two classes")
    class UsedByTwoClasses {
        @Test
        void isOneAndStopsAfterTheLast() {
            Seen.SERVERS.clear();
            Seen.FOLDERS.clear();
            EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(First.class), selectClass(Second.class))
                    .execute()
                    .testEvents()
                    .assertStatistics(statistics -> statistics.succeeded(2));
            assertThat(Seen.SERVERS).hasSize(1);
            assertThat(Seen.FOLDERS).hasSize(4).noneMatch(Files::exists);
        }
    }

    /** What the two classes were given. */
    static final class Seen {
        static final Set<Integer> SERVERS = new LinkedHashSet<>();
        static final List<Path> FOLDERS = new ArrayList<>();

        private Seen() {}

        static void note(KubeApiServer kube) {
            SERVERS.add(System.identityHashCode(kube));
            assertThat(kube.folders()).allMatch(Files::isDirectory);
            FOLDERS.addAll(kube.folders());
        }
    }

    @WithKubeApiServer
    static class First {
        @Test
        void uses(KubeApiServer kube) {
            Seen.note(kube);
        }
    }

    @WithKubeApiServer
    static class Second {
        @Test
        void uses(KubeApiServer kube) {
            Seen.note(kube);
        }
    }
}
