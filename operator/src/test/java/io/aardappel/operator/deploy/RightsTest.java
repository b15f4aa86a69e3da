package io.aardappel.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.aardappel.operator.app.RequiredRights;
import io.aardappel.operator.app.RequiredRights.Right;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectRulesReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectRulesReviewStatus;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As a real API server judges them. */
@WithKubeApiServer
@DisplayName("Rights")
class RightsTest {
    private static final Set<String> WHERE_IT_SERVES =
            rights(Stream.of(RequiredRights.inServedNamespaces(), RequiredRights.forPodMonitors()));
    private static final Set<String> WHERE_IT_RUNS = rights(Stream.of(RequiredRights.inLeaseNamespace()));

    private static KubeApiServer server;
    private static KubernetesClient client;
    private static String elsewhere;
    private static Set<String> everybodys;

    @BeforeAll
    static void install(KubeApiServer given) {
        server = given;
        client = given.client();
        elsewhere = given.newNamespace();
        Manifests.apply(client, Manifests.rendered(Manifests.OVERLAYS + "cluster"));
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(elsewhere)
                        .withName("nobody")
                        .endMetadata()
                        .build())
                .create();
        everybodys = effective(server.clientOfServiceAccount(elsewhere, "nobody"), elsewhere);
    }

    private static Set<String> rights(Stream<List<Right>> needed) {
        return needed.flatMap(List::stream)
                .flatMap(right ->
                        right.verbs().stream().map(verb -> right.group() + "/" + right.resource() + " " + verb))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> plus(Set<String> some, Set<String> more) {
        return Stream.concat(some.stream(), more.stream()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** All that somebody may do in a namespace, as the server adds it up. */
    private static Set<String> effective(KubernetesClient somebody, String namespace) {
        SubjectRulesReviewStatus review = somebody.authorization()
                .v1()
                .selfSubjectRulesReview()
                .create(new SelfSubjectRulesReviewBuilder()
                        .withNewSpec()
                        .withNamespace(namespace)
                        .endSpec()
                        .build())
                .getStatus();
        assertThat(review.getIncomplete()).isFalse();
        return review.getResourceRules().stream()
                .flatMap(rule -> rule.getApiGroups().stream()
                        .flatMap(group -> rule.getResources().stream()
                                .flatMap(resource ->
                                        rule.getVerbs().stream().map(verb -> group + "/" + resource + " " + verb))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void standInThePageAboutInstalling() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("..", "docs", "install.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.replace("**", ""))
                .toList();
        assertThat(Stream.of(
                                RequiredRights.inServedNamespaces(),
                                RequiredRights.forPodMonitors(),
                                RequiredRights.inLeaseNamespace())
                        .flatMap(List::stream))
                .allSatisfy(right -> assertThat(rows)
                        .anySatisfy(row -> assertThat(row)
                                .contains("`" + right.resource() + "`")
                                .contains("| " + String.join(", ", right.verbs()) + " |")));
    }

    /** Roles take a moment until they count. */
    private static void expect(KubernetesClient operator, String namespace, Set<String> wanted) {
        await("the rights in " + namespace)
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> {
                    Set<String> more = effective(operator, namespace);
                    more.removeAll(everybodys);
                    assertThat(more).isEqualTo(wanted);
                });
    }

    @Nested
    @DisplayName("of an operator that serves all namespaces")
    class OfAll {
        private final KubernetesClient operator =
                server.clientOfServiceAccount(Manifests.NAMESPACE, Manifests.OPERATOR);

        @Test
        void areTheseAndNoMoreInEachOfThem() {
            expect(operator, elsewhere, WHERE_IT_SERVES);
        }

        @Test
        void reachToLeasesInItsOwn() {
            expect(operator, Manifests.NAMESPACE, plus(WHERE_IT_SERVES, WHERE_IT_RUNS));
        }

        /** What a list of rules hides is asked for in so many words. */
        @CsvSource({
            "'', secrets, list",
            "'', secrets, watch",
            "'', secrets, create",
            "'', secrets, delete",
            "'', pods, create",
            "'', pods, delete",
            "'', pods/exec, create",
            "'', namespaces, list",
            "'', nodes, get",
            "apps, deployments, delete",
            "apps, deployments/scale, patch",
            "aardappel.ydb.tech, replications, delete",
            "aardappel.ydb.tech, replications, create",
            "aardappel.ydb.tech, replications, update",
            "rbac.authorization.k8s.io, roles, create",
            "rbac.authorization.k8s.io, rolebindings, create",
            "rbac.authorization.k8s.io, clusterroles, escalate",
            "apiextensions.k8s.io, customresourcedefinitions, patch",
            "'', users, impersonate",
            "'', serviceaccounts, impersonate",
            "coordination.k8s.io, leases, get",
        })
        @ParameterizedTest
        void leaveOut(String group, String resource, String verb) {
            assertThat(may(
                            "system:serviceaccount:" + Manifests.NAMESPACE + ":" + Manifests.OPERATOR,
                            group,
                            resource,
                            verb))
                    .isFalse();
        }
    }

    @Nested
    @DisplayName("of an operator that serves its own namespace")
    class OfOne {
        private final String own = server.newNamespace();

        OfOne() {
            Manifests.apply(client, Manifests.rendered("overlays/namespaced", "own", "namespace: " + own + "\n"));
        }

        @Test
        void endWithIt() {
            KubernetesClient operator = server.clientOfServiceAccount(own, Manifests.OPERATOR);
            expect(operator, own, plus(WHERE_IT_SERVES, WHERE_IT_RUNS));
            expect(operator, elsewhere, Set.of());
        }

        @Test
        void belongToNoCluster() {
            assertThat(Manifests.rendered(Manifests.OVERLAYS + "namespaced"))
                    .extracting(GenericKubernetesResource::getKind)
                    .doesNotContain("ClusterRole", "ClusterRoleBinding", "Namespace", "CustomResourceDefinition");
        }

        @Test
        void areThoseOfTheOther() {
            assertThat(Manifests.only(Role.class, Manifests.rendered("deploy/kustomize/watched"))
                            .getRules())
                    .isEqualTo(client.rbac()
                            .clusterRoles()
                            .withName(Manifests.OPERATOR)
                            .require()
                            .getRules());
        }
    }

    @Nested
    @DisplayName("of people")
    class OfPeople {
        @CsvSource({
            "aardappel-replications-view, 'view edit admin', replications, 'get list watch'",
            "aardappel-replications-view, 'view edit admin', replications/status, get",
            "aardappel-replications-edit, 'edit admin', replications, 'create update patch delete'",
            "aardappel-replications-edit, 'edit admin', replications/scale, 'update patch'",
            "aardappel-replications-admin, admin, replications/status, 'update patch'",
        })
        @ParameterizedTest
        void joinTheClustersOwnRoles(String role, String joined, String resource, String verbs) {
            ClusterRole installed = client.rbac().clusterRoles().withName(role).require();
            assertThat(installed.getMetadata().getLabels().entrySet())
                    .filteredOn(label -> label.getKey().startsWith("rbac.authorization.k8s.io/aggregate-to-"))
                    .allSatisfy(label -> assertThat(label.getValue()).isEqualTo("true"))
                    .extracting(label -> label.getKey().substring(label.getKey().lastIndexOf('-') + 1))
                    .containsExactlyInAnyOrder(joined.split(" "));
            String person = role + "-" + resource.replace('/', '-');
            bind(person, role);
            await("the right of " + person)
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> List.of(verbs.split(" ")).stream()
                            .allMatch(verb -> may(person, "aardappel.ydb.tech", resource, verb)));
        }

        @Test
        void whoViewsChangesNothing() {
            bind("viewer", "aardappel-replications-view");
            await("the right to look")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> may("viewer", "aardappel.ydb.tech", "replications", "get"));
            assertThat(Stream.of("create", "update", "patch", "delete")
                            .filter(verb -> may("viewer", "aardappel.ydb.tech", "replications", verb)))
                    .isEmpty();
        }

        private void bind(String person, String role) {
            client.resource(new RoleBindingBuilder()
                            .withNewMetadata()
                            .withNamespace(elsewhere)
                            .withName(person)
                            .endMetadata()
                            .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                            .addNewSubject()
                            .withKind("User")
                            .withApiGroup("rbac.authorization.k8s.io")
                            .withName(person)
                            .endSubject()
                            .build())
                    .create();
        }
    }

    private static boolean may(String who, String group, String resource, String verb) {
        String[] parts = resource.split("/");
        return client.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(who)
                        .withNewResourceAttributes()
                        .withNamespace(elsewhere)
                        .withGroup(group)
                        .withResource(parts[0])
                        .withSubresource(parts.length > 1 ? parts[1] : null)
                        .withVerb(verb)
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }
}
