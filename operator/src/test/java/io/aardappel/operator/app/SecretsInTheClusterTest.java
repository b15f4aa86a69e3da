package io.aardappel.operator.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.crds.api.Replication;
import io.aardappel.emulator.LastingPort;
import io.aardappel.emulator.junit.KnownSecrets;
import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@WithKubeApiServer
@DisplayName("The program with a heap of 64 MiB, in a namespace with 1,000 Secrets of 100 KB")
class SecretsInTheClusterTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int SECRETS = 1_000;
    private static final int SECRET_BYTES = 100_000;
    private static final int PASSES = 20;
    private static final String ACCOUNT = "operator";

    @Test
    @DisplayName("reads the one that a resource names, lists none, and works")
    void readsTheOneThatIsNamed(KubeApiServer server, @TempDir Path folder) throws IOException, InterruptedException {
        KubernetesClient person = server.client();
        person.load(Files.newInputStream(Path.of("../crds/replications.aardappel.ydb.tech.yaml")))
                .forceConflicts()
                .serverSideApply();
        await("the CRD").atMost(LIMIT).until(() -> person.getApiResources("aardappel.ydb.tech/v1alpha1") != null);
        String namespace = server.newNamespace();
        fill(person, namespace);
        grant(person, namespace);
        long lists = asked(person, "LIST");
        long gets = asked(person, "GET");
        int port = LastingPort.free();
        Path output = folder.resolve("output");
        Process program = program(
                kubeconfig(
                        folder,
                        server.clientOfServiceAccount(namespace, ACCOUNT).getConfiguration(),
                        namespace),
                namespace,
                port,
                output);
        try {
            person.resource(resource(namespace)).create();
            until(
                    program,
                    "the Deployment",
                    () -> person.apps()
                                    .deployments()
                                    .inNamespace(namespace)
                                    .withName("shop-replicator")
                                    .get()
                            != null);
            until(program, PASSES + " passes", () -> passes(port) >= PASSES);
            assertThat(configured(person, namespace).getReason()).isEqualTo("RollingOut");
            assertThat(asked(person, "GET")).as("read").isGreaterThan(gets);
            assertThat(asked(person, "LIST")).as("listed").isEqualTo(lists);
            program.destroy();
            assertThat(program.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(program.exitValue()).as(Files.readString(output)).isZero();
            assertThat(Files.readString(output)).doesNotContain(KnownSecrets.MARKER);
        } finally {
            program.destroyForcibly();
            person.secrets().inNamespace(namespace).delete();
        }
    }

    private static void until(Process program, String what, Callable<Boolean> condition) {
        await(what)
                .atMost(LIMIT)
                .failFast("the program has ended", () -> !program.isAlive())
                .until(condition);
    }

    private static void fill(KubernetesClient person, String namespace) {
        Map<String, String> data = Map.of(
                "token", base64(KnownSecrets.secret("among-a-thousand")), "filler", base64("x".repeat(SECRET_BYTES)));
        for (int i = 0; i < SECRETS; i++) {
            person.resource(new SecretBuilder()
                            .withNewMetadata()
                            .withName("secret-" + i)
                            .withNamespace(namespace)
                            .endMetadata()
                            .withData(data)
                            .build())
                    .create();
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** No more than the program says that it needs. */
    private static void grant(KubernetesClient person, String namespace) {
        List<PolicyRule> rules = Stream.of(RequiredRights.inServedNamespaces(), RequiredRights.forPodMonitors())
                .flatMap(List::stream)
                .map(right -> new PolicyRuleBuilder()
                        .withApiGroups(right.group())
                        .withResources(right.resource())
                        .withVerbs(right.verbs())
                        .build())
                .toList();
        person.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(ACCOUNT)
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .create();
        person.resource(new RoleBuilder()
                        .withNewMetadata()
                        .withName(ACCOUNT)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withRules(rules)
                        .build())
                .create();
        person.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName(ACCOUNT)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", ACCOUNT)
                        .addNewSubject("", "ServiceAccount", ACCOUNT, namespace)
                        .build())
                .create();
    }

    private static Path kubeconfig(Path folder, Config config, String namespace) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts: [{name: test, context: {cluster: test, user: test, namespace: %s}}]
                clusters: [{name: test, cluster: {server: "%s", certificate-authority-data: %s}}]
                users: [{name: test, user: {token: %s}}]
                """.formatted(
                        namespace, config.getMasterUrl(), config.getCaCertData(), config.getOauthToken()));
    }

    private static Process program(Path kubeconfig, String namespace, int port, Path output) throws IOException {
        ProcessBuilder program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--watch-namespaces=own",
                        "--pod-namespace=" + namespace,
                        "--leader-election=false",
                        "--replicator-image=registry.example/replicator:1",
                        "--poll-period=1s",
                        "--listen=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        program.environment().put("KUBECONFIG", kubeconfig.toString());
        return program.start();
    }

    private static Replication resource(String namespace) {
        return Serialization.unmarshal("""
                apiVersion: aardappel.ydb.tech/v1alpha1
                kind: Replication
                metadata: {name: shop, namespace: %s}
                spec:
                  source: {connectionString: "grpc://127.0.0.1:1/Root/shop", auth: {anonymous: {}}}
                  destination:
                    connectionString: "grpc://127.0.0.1:1/Root/copy"
                    auth: {staticTokenSecretRef: {name: secret-500, key: token}}
                  stateTable: repl_state
                  streams:
                  - {sourceTopic: goods/feed, consumer: copy, destinationTable: goods}
                """.formatted(namespace), Replication.class);
    }

    private static Condition configured(KubernetesClient person, String namespace) {
        return person
                .resources(Replication.class)
                .inNamespace(namespace)
                .withName("shop")
                .get()
                .getStatus()
                .conditions()
                .stream()
                .filter(one -> one.getType().equals("Configured"))
                .findFirst()
                .orElseThrow();
    }

    private static double passes(int port) throws IOException, InterruptedException {
        String page = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        return sum(page, "aardappel_operator_reconciliations_total\\{result=\"success\"}");
    }

    /** How often anybody asked the API server for Secrets in this way, by its own metrics. */
    private static long asked(KubernetesClient person, String verb) {
        return Math.round(sum(
                person.raw("/metrics"),
                "apiserver_request_total\\{[^}]*resource=\"secrets\"[^}]*verb=\"" + verb + "\"[^}]*}"));
    }

    private static double sum(String page, String series) {
        Matcher matcher = Pattern.compile("(?m)^" + series + " (\\S+)$").matcher(page);
        return matcher.results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
    }
}
