package io.aardappel.operator.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.crds.api.Replication;
import io.aardappel.emulator.LastingPort;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.aardappel.operator.app.RequiredRights.Right;
import io.aardappel.operator.settings.Scope;
import io.aardappel.program.stop.StopRequest;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@WithKubeApiServer
@DisplayName("The operator's program")
class OperatorProgramTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String USER = "operator";

    private static YdbEmulator ydb;
    private static KubeApiServer server;
    private static KubernetesClient client;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Program> programs = new ArrayList<>();
    private String namespace;

    @BeforeAll
    static void define(KubeApiServer given) throws IOException {
        server = given;
        client = given.client();
        ydb = YdbEmulator.builder().database("/copy").start();
        client.load(Files.newInputStream(Path.of("../crds/replications.aardappel.ydb.tech.yaml")))
                .forceConflicts()
                .serverSideApply();
        await("the CRD").atMost(LIMIT).until(() -> client.getApiResources("aardappel.ydb.tech/v1alpha1") != null);
    }

    @AfterAll
    static void end() {
        ydb.close();
    }

    @BeforeEach
    void begin() {
        namespace = server.newNamespace();
    }

    @AfterEach
    void stop() {
        programs.forEach(Program::stop);
    }

    /** One that runs in this process, as a user that has the rights which were given to it. */
    private final class Program {
        private final StopRequest stop = new StopRequest();
        private final int port = LastingPort.free();
        private final CompletableFuture<Integer> ended;

        Program(String identity, String... more) {
            List<String> arguments = new ArrayList<>(List.of(
                    "--watch-namespaces=own",
                    "--pod-namespace=" + namespace,
                    "--pod-name=" + identity,
                    "--listen=127.0.0.1:" + port,
                    "--replicator-image=registry.example/replicator:1",
                    "--poll-period=1s",
                    "--lease-duration=3s",
                    "--lease-renew-deadline=2s",
                    "--lease-retry-period=200ms"));
            arguments.addAll(List.of(more));
            Seams seams = new Seams(
                    Map.of(),
                    interceptor -> new KubernetesClientBuilder()
                            .withConfig(server.clientOf(USER).getConfiguration())
                            .withHttpClientBuilderConsumer(made -> made.addOrReplaceInterceptor("metrics", interceptor))
                            .build(),
                    DatabaseAccess::of,
                    stop);
            ended = CompletableFuture.supplyAsync(
                    () -> Main.run(arguments.toArray(String[]::new), seams),
                    task -> new Thread(task, identity).start());
            programs.add(this);
        }

        String page(String path) {
            return OperatorProgramTest.this.page(port, path);
        }

        Program ready() {
            until("readiness", () -> page("/readyz").equals("200 ready\n") || ended.isDone());
            assertThat(ended).as("the program").isNotDone();
            return this;
        }

        boolean acts() {
            return page("/metrics").contains("aardappel_operator_leader 1.0");
        }

        int stop() {
            stop.request();
            return ended.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        }
    }

    private String page(int port, String path) {
        try {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        } catch (IOException notYet) {
            return String.valueOf(notYet.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(LIMIT).until(condition);
    }

    private void grant(List<Right> rights) {
        List<PolicyRule> rules = rights.stream()
                .map(right -> new PolicyRuleBuilder()
                        .withApiGroups(right.group())
                        .withResources(right.resource())
                        .withVerbs(right.verbs())
                        .build())
                .toList();
        client.resource(new RoleBuilder()
                        .withNewMetadata()
                        .withName(USER)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withRules(rules)
                        .build())
                .create();
        client.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName(USER)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", USER)
                        .addNewSubject("rbac.authorization.k8s.io", "User", USER, null)
                        .build())
                .create();
    }

    private static List<Right> all() {
        return Stream.of(
                        RequiredRights.inServedNamespaces(),
                        RequiredRights.forPodMonitors(),
                        RequiredRights.inLeaseNamespace())
                .flatMap(List::stream)
                .toList();
    }

    private void apply(String name) throws IOException {
        String example = Files.readString(Path.of("../examples/minimal.yaml"))
                .replace("grpc://copy.example:2136/Root/copy", ydb.connectionString());
        Replication resource = client.getKubernetesSerialization().unmarshal(example, Replication.class);
        resource.getMetadata().setName(name);
        resource.getMetadata().setNamespace(namespace);
        client.resource(resource).create();
    }

    private Replication current(String name) {
        return client.resources(Replication.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private List<Condition> conditions(String name) {
        Replication one = current(name);
        return one.getStatus() == null || one.getStatus().conditions() == null
                ? List.of()
                : one.getStatus().conditions();
    }

    private Deployment deployment(String name) {
        return client.apps()
                .deployments()
                .inNamespace(namespace)
                .withName(name + "-replicator")
                .get();
    }

    private String holder() {
        Lease lease = client.leases()
                .inNamespace(namespace)
                .withName("aardappel-operator")
                .get();
        return lease == null || lease.getSpec().getHolderIdentity() == null
                ? ""
                : lease.getSpec().getHolderIdentity();
    }

    @Test
    @DisplayName("removes the rows of a resource, and lets it go, with no more rights than it says it needs")
    void letsGo() throws IOException {
        grant(all());
        new Program("one").ready();
        apply("shop");
        client.resources(Replication.class)
                .inNamespace(namespace)
                .withName("shop")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"deletionPolicy\":\"Delete\"}}");
        until(
                "the finalizer",
                () -> !current("shop").getMetadata().getFinalizers().isEmpty());
        client.resources(Replication.class)
                .inNamespace(namespace)
                .withName("shop")
                .delete();
        until("its end", () -> current("shop") == null);
    }

    @Test
    @DisplayName("serves an example with no more rights than it says it needs, and releases the lease at its end")
    void servesAnExample() throws IOException {
        grant(all());
        Program program = new Program("one").ready();
        apply("shop");
        until(
                "the state table",
                () -> conditions("shop").stream()
                        .anyMatch(one -> one.getType().equals("DestinationReachable")
                                && one.getStatus().equals("True")));
        until("the Deployment", () -> deployment("shop") != null);
        assertThat(client.resources(ConfigMap.class)
                        .inNamespace(namespace)
                        .withLabel("aardappel.ydb.tech/replication", "shop")
                        .list()
                        .getItems())
                .singleElement()
                .satisfies(map -> assertThat(map.getData()).containsKey("replicator.yaml"));
        until(
                "its metrics",
                () -> program.page("/metrics").contains("replication_ready{name=\"shop\",namespace=\"" + namespace));
        assertThat(program.page("/livez")).isEqualTo("200 alive\n");
        assertThat(program.page("/metrics"))
                .contains("aardappel_operator_reconciliations_total{result=\"success\"}")
                .contains("aardappel_operator_api_requests_total{")
                .contains("aardappel_operator_api_request_duration_seconds_count{")
                .contains("aardappel_operator_poll_duration_seconds_count{target=\"database\"}")
                .contains("aardappel_operator_build_info{");
        client.resources(Replication.class)
                .inNamespace(namespace)
                .withName("shop")
                .delete();
        until("no metrics of it", () -> !program.page("/metrics").contains("name=\"shop\""));
        assertThat(holder()).isEqualTo("one");
        assertThat(program.stop()).isZero();
        assertThat(holder()).isEmpty();
    }

    @Test
    @DisplayName("hands over to the other one when it stops")
    void handsOver() throws IOException {
        grant(all());
        Program first = new Program("first").ready();
        until("the lease", first::acts);
        Program second = new Program("second").ready();
        apply("shop");
        until("a status", () -> !conditions("shop").isEmpty());
        assertThat(second.acts()).as("a standby is ready and does nothing").isFalse();
        assertThat(second.page("/metrics")).doesNotContain("name=\"shop\"");
        assertThat(first.stop()).isZero();
        until("the other one acts", second::acts);
        assertThat(holder()).isEqualTo("second");
        apply("later");
        until("its status", () -> !conditions("later").isEmpty());
        until("both are its", () -> second.page("/metrics").contains("replication_ready{name=\"shop\""));
    }

    @Test
    @DisplayName("ends when it loses the lease")
    void endsWithoutTheLease() {
        grant(all());
        Program program = new Program("one").ready();
        until("the lease", program::acts);
        client.leases()
                .inNamespace(namespace)
                .withName("aardappel-operator")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE), // names no version: the program renews it meanwhile
                        "{\"spec\":{\"holderIdentity\":\"another\",\"leaseDurationSeconds\":600}}");
        until("its end", program.ended::isDone);
        assertThat(program.ended.join()).isEqualTo(ExitCode.LEASE_LOST.code());
        assertThat(holder()).isEqualTo("another");
    }

    @Test
    @DisplayName("names every right that it lacks before it touches anything")
    void namesMissingRights() {
        List<Right> some = new ArrayList<>(all());
        some.removeIf(right -> List.of("secrets", "deployments").contains(right.resource()));
        grant(some);
        ClusterCheck check =
                ClusterCheck.of(server.clientOf(USER), Scope.of(Set.of(namespace)), Optional.of(namespace));
        assertThat(check.problems())
                .singleElement()
                .asString()
                .startsWith("the operator lacks rights: ")
                .contains("list, watch, create, patch deployments.apps in namespace " + namespace)
                .contains("get secrets in namespace " + namespace)
                .contains("by a Role in each namespace")
                .doesNotContain("configmaps");
        assertThat(new Program("one").ended.join()).isEqualTo(ExitCode.CLUSTER.code());
        assertThat(holder()).isEmpty();
    }

    @Test
    @DisplayName("needs rights in all namespaces where it is to serve all")
    void needsRightsEverywhere() {
        grant(all());
        assertThat(ClusterCheck.of(server.clientOf(USER), Scope.everything(), Optional.of(namespace))
                        .problems())
                .singleElement()
                .asString()
                .contains("get secrets in all namespaces")
                .doesNotContain("leases");
    }

    @Test
    @Tag("slow")
    @DisplayName("as a process of its own ends with 0 on SIGTERM, and gives the lease back")
    void endsBySigterm(@TempDir Path folder) throws IOException, InterruptedException {
        Config administrator = client.getConfiguration();
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig.yaml"), """
                apiVersion: v1
                kind: Config
                current-context: test
                clusters:
                - name: test
                  cluster: {server: "%s", certificate-authority-data: "%s"}
                contexts:
                - name: test
                  context: {cluster: test, user: test}
                users:
                - name: test
                  user: {token: "%s"}
                """.formatted(
                        administrator.getMasterUrl(), administrator.getCaCertData(), administrator.getOauthToken()));
        Path log = folder.resolve("log");
        int port = LastingPort.free();
        ProcessBuilder command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--watch-namespaces=own",
                        "--pod-namespace=" + namespace,
                        "--pod-name=process",
                        "--listen=127.0.0.1:" + port,
                        "--replicator-image=registry.example/replicator:1")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        command.environment().put("KUBECONFIG", kubeconfig.toString());
        Process process = command.start();
        try {
            until(
                    "the lease",
                    () -> page(port, "/metrics").contains("aardappel_operator_leader 1.0") || !process.isAlive());
            assertThat(holder()).as("%s", Files.readString(log)).isEqualTo("process");
            process.destroy();
            assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isZero();
        assertThat(holder()).isEmpty();
        assertThat(Files.readString(log))
                .contains("\"message\":\"Got OS signal, stopping\"", "\"message\":\"stopped as requested\"");
    }

    @Test
    @Tag("slow")
    @DisplayName("says how to install what a cluster lacks")
    void saysHowToInstall() {
        try (KubeApiServer bare = KubeApiServer.start()) {
            ClusterCheck check = ClusterCheck.of(bare.client(), Scope.everything(), Optional.empty());
            assertThat(check.problems())
                    .singleElement()
                    .asString()
                    .contains("`kubectl apply --server-side -f crds/replications.aardappel.ydb.tech.yaml`");
            assertThat(check.podMonitors()).isFalse();
        }
    }
}
