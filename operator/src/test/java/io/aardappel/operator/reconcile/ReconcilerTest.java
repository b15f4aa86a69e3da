package io.aardappel.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.contract.Membership;
import io.aardappel.contract.Stage;
import io.aardappel.contract.StateTable;
import io.aardappel.crds.api.Replication;
import io.aardappel.emulator.junit.KnownSecrets;
import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.aardappel.operator.act.Actor;
import io.aardappel.operator.act.Announcer;
import io.aardappel.operator.act.Cluster;
import io.aardappel.operator.app.RequiredRights;
import io.aardappel.operator.login.PodLogins;
import io.aardappel.operator.login.SecretValues;
import io.aardappel.operator.observe.WorkloadReading;
import io.aardappel.operator.plan.Action;
import io.aardappel.operator.plan.Commands;
import io.aardappel.operator.plan.PageSeen;
import io.aardappel.operator.plan.Plan;
import io.aardappel.operator.plan.StateSeen;
import io.aardappel.operator.plan.StreamKey;
import io.aardappel.operator.resources.DesiredDeployment;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ResourceQuotaStatusBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectRulesReviewBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.Operator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@WithKubeApiServer
@DisplayName("The operator at a real API server")
class ReconcilerTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");
    private static final String IMAGE = "registry.example/replicator:1";

    private static final AtomicInteger LOOKS = new AtomicInteger();
    private static KubeApiServer server;
    private static KubernetesClient client;
    private static Operator operator;
    private static RecordedState state;
    private static Actor actor;

    private String namespace;

    @BeforeAll
    static void start(KubeApiServer given) throws Exception {
        server = given;
        client = given.client();
        Crd.install(client);
        client.resource(POD_MONITORS).forceConflicts().serverSideApply();
        awaitDefinition("podmonitors.monitoring.coreos.com");
        state = new RecordedState();
        KubernetesClient limited = clientWithRequiredRights();
        Announcer announcer = new Announcer(limited, "test", () -> NOW);
        actor = new Actor(limited, state, announcer, IMAGE, true);
        operator = new Operator(
                overrider -> overrider.withKubernetesClient(limited).withCloseClientOnStop(false));
        operator.register(
                new ReplicationReconciler(
                        new ReplicationReconciler.Sources(
                                resource -> {
                                    LOOKS.incrementAndGet();
                                    return state.of(resource);
                                },
                                new PodLogins(
                                        limited,
                                        new SecretValues(limited, () -> NOW, Duration.ZERO),
                                        Map.of(),
                                        () -> NOW),
                                (resource, pod) -> new PageSeen.NotAsked(),
                                (resource, streams) -> Map.of(),
                                true),
                        actor,
                        () -> NOW,
                        POLL,
                        state),
                ReplicationController::configure);
        operator.start();
    }

    /** As the manifests give them, so that what asks for more fails here. */
    private static KubernetesClient clientWithRequiredRights() {
        String home = server.newNamespace();
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(home)
                        .withName(home)
                        .endMetadata()
                        .build())
                .create();
        client.resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(home)
                        .endMetadata()
                        .withRules(Stream.of(RequiredRights.inServedNamespaces(), RequiredRights.forPodMonitors())
                                .flatMap(List::stream)
                                .map(right -> new PolicyRuleBuilder()
                                        .withApiGroups(right.group())
                                        .withResources(right.resource())
                                        .withVerbs(right.verbs())
                                        .build())
                                .toList())
                        .build())
                .create();
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(home)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", home)
                        .addNewSubject("", "ServiceAccount", home, home)
                        .build())
                .create();
        KubernetesClient limited = server.clientOfServiceAccount(home, home);
        await("the rights of " + home)
                .atMost(LIMIT)
                .pollInterval(POLL)
                .until(() -> limited
                        .authorization()
                        .v1()
                        .selfSubjectRulesReview()
                        .create(new SelfSubjectRulesReviewBuilder()
                                .withNewSpec()
                                .withNamespace(home)
                                .endSpec()
                                .build())
                        .getStatus()
                        .getResourceRules()
                        .stream()
                        .anyMatch(rule -> rule.getResources().contains("podmonitors")));
        return limited;
    }

    /** The Prometheus operator's, as far as it matters. */
    private static final String POD_MONITORS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: podmonitors.monitoring.coreos.com}
            spec:
              group: monitoring.coreos.com
              names: {kind: PodMonitor, listKind: PodMonitorList, plural: podmonitors, singular: podmonitor}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    private static void awaitDefinition(String name) {
        await(name)
                .atMost(LIMIT)
                .until(() -> client
                        .apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName(name)
                        .get()
                        .getStatus()
                        .getConditions()
                        .stream()
                        .anyMatch(one -> one.getType().equals("Established")
                                && one.getStatus().equals("True")));
    }

    private List<GenericKubernetesResource> monitors() {
        return client.genericKubernetesResources("monitoring.coreos.com/v1", "PodMonitor")
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    @Test
    @DisplayName("asks for metrics to be collected while that is wished")
    void makesPodMonitors() {
        apply("shop", "podMonitor: {interval: 30s, labels: {team: copies}}");
        until("the PodMonitor", () -> monitors().size() == 1);
        GenericKubernetesResource monitor = monitors().get(0);
        assertThat(monitor.getMetadata().getLabels())
                .containsEntry("team", "copies")
                .containsEntry("aardappel.ydb.tech/replication", "shop");
        assertThat(monitor.<String>get("spec", "podMetricsEndpoints", 0, "interval"))
                .isEqualTo("30s");
        apply("shop", "");
        until("no PodMonitor", () -> monitors().isEmpty());
    }

    @Test
    @DisplayName("tells of each resource how it is, until it is gone")
    void tellsStandings() {
        apply("shop", "");
        until("a word", () -> state.standing(namespace, "shop").equals("Starting"));
        client.resources(Replication.class)
                .inNamespace(namespace)
                .withName("shop")
                .delete();
        until("its end", () -> state.standing(namespace, "shop").equals("gone"));
    }

    @AfterAll
    static void stop() {
        operator.stop();
    }

    @BeforeEach
    void begin() {
        namespace = server.newNamespace();
    }

    private Replication resource(String name, String spec) {
        String yaml = """
                apiVersion: aardappel.ydb.tech/v1alpha1
                kind: Replication
                metadata: {name: %s, namespace: %s}
                spec:
                  source: {connectionString: "grpc://source:2136/Root/shop", auth: {anonymous: {}}}
                  destination: {connectionString: "grpc://copy:2136/Root/copy", auth: {anonymous: {}}}
                  stateTable: repl_state
                """.formatted(name, namespace);
        return Serialization.unmarshal(yaml + spec.indent(2), Replication.class);
    }

    private Replication apply(String name, String more) {
        String streams = """
                streams:
                - {sourceTopic: %s/goods/feed, consumer: copy, destinationTable: goods}
                """.formatted(namespace);
        return client.resource(resource(name, streams + more))
                .fieldManager("person")
                .forceConflicts()
                .serverSideApply();
    }

    private Replication current(String name) {
        return client.resources(Replication.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private Optional<Condition> condition(String name, String type) {
        Replication one = current(name);
        return one == null || one.getStatus() == null || one.getStatus().conditions() == null
                ? Optional.empty()
                : one.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals(type))
                        .findFirst();
    }

    private void awaitCondition(String name, String type, String status, String reason) {
        await(type + " " + reason)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(condition(name, type)).hasValueSatisfying(one -> {
                    assertThat(one.getReason()).isEqualTo(reason);
                    assertThat(one.getStatus()).isEqualTo(status);
                    assertThat(one.getObservedGeneration())
                            .isEqualTo(current(name).getMetadata().getGeneration());
                }));
    }

    private <R extends HasMetadata> List<R> all(Class<R> kind) {
        return client.resources(kind).inNamespace(namespace).list().getItems();
    }

    private Deployment deployment(String name) {
        return client.apps()
                .deployments()
                .inNamespace(namespace)
                .withName(name + "-replicator")
                .get();
    }

    private void untilDeployment(String what, Predicate<Deployment> condition, String name) {
        until(what, () -> deployment(name) != null && condition.test(deployment(name)));
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(LIMIT).until(condition);
    }

    /** What the Deployment's controller and the kubelet would do, which are not there. */
    private Pod pod(String name, String pod) {
        Deployment deployment = deployment(name);
        Pod made = client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(pod)
                        .withNamespace(namespace)
                        .withLabels(
                                deployment.getSpec().getTemplate().getMetadata().getLabels())
                        .withAnnotations(
                                deployment.getSpec().getTemplate().getMetadata().getAnnotations())
                        .endMetadata()
                        .withSpec(deployment.getSpec().getTemplate().getSpec())
                        .build())
                .create();
        return Statuses.ready(client, made);
    }

    private void roll(String name, int pods) {
        Statuses.rolled(client, deployment(name), pods);
    }

    private void replicating(String name) {
        untilDeployment("the Deployment", one -> true, name);
        pod(name, name + "-replicator-1");
        pod(name, name + "-replicator-2");
        roll(name, 2);
        state.says(namespace, name, row(name + "-replicator-1", false));
        awaitCondition(name, "Ready", "True", "Replicating");
    }

    private StateSeen.Row row(String holder, boolean fatal) {
        return new StateSeen.Row(
                NOW.minusSeconds(2).toEpochMilli(),
                7,
                fatal,
                Stage.RUN,
                fatal ? "UNFIT_RECORD: a row" : "",
                holder.isEmpty() ? "" : StateTable.OWNER_PREFIX + holder + "_1",
                !holder.isEmpty(),
                Optional.of(NOW),
                List.of(new StateSeen.StreamSeen(
                        new StreamKey("/Root/shop/" + namespace + "/goods/feed", "copy"), Membership.MEMBER, "", "")));
    }

    @Test
    @DisplayName("makes the objects of a new resource, and says in its status how it is")
    void makesObjects() {
        apply("shop", "");
        untilDeployment("the Deployment", one -> true, "shop");
        until("the others", () -> !all(PodDisruptionBudget.class).isEmpty());
        assertThat(all(ConfigMap.class))
                .filteredOn(one -> one.getMetadata().getName().startsWith("shop-"))
                .hasSize(1);
        assertThat(all(Service.class)).hasSize(1);
        assertThat(all(ServiceAccount.class)).hasSize(1);
        assertThat(deployment("shop").getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getUid())
                        .isEqualTo(current("shop").getMetadata().getUid()));
        awaitCondition("shop", "Ready", "False", "RollingOut");
        replicating("shop");
        assertThat(current("shop").getStatus().activePod()).isEqualTo("shop-replicator-1");
        assertThat(current("shop").getStatus().lag()).isEqualTo("2s");
    }

    @Test
    @DisplayName("marks the active pod as the one to be removed last")
    void marksTheActivePod() {
        apply("shop", "");
        replicating("shop");
        until("the mark", () -> cost("shop-replicator-1").equals("100"));
        state.says(namespace, "shop", row("shop-replicator-2", false));
        until("the other mark", () -> cost("shop-replicator-2").equals("100"));
        until("no mark left", () -> cost("shop-replicator-1").isEmpty());
    }

    private String cost(String pod) {
        Map<String, String> annotations = client.pods()
                .inNamespace(namespace)
                .withName(pod)
                .get()
                .getMetadata()
                .getAnnotations();
        return annotations.getOrDefault("controller.kubernetes.io/pod-deletion-cost", "");
    }

    private void secret(String token) {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("login")
                        .withNamespace(namespace)
                        .endMetadata()
                        .addToData("token", Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8)))
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    private String secretsHash(String pod) {
        return WorkloadReading.secretsHash(
                client.pods().inNamespace(namespace).withName(pod).get());
    }

    @Test
    @DisplayName("names a Secret that is missing, and notes at the pods, not in the template, what it holds")
    void followsSecrets() {
        String yaml = Serialization.asYaml(resource("shop", """
                streams:
                - {sourceTopic: %s/goods/feed, consumer: copy, destinationTable: goods}
                """.formatted(namespace)));
        client.resource(Serialization.unmarshal(
                        yaml.replace("anonymous: {}", "staticTokenSecretRef: {name: login, key: token}"),
                        Replication.class))
                .fieldManager("person")
                .forceConflicts()
                .serverSideApply();
        awaitCondition("shop", "Configured", "False", "SecretNotFound");
        assertThat(condition("shop", "Ready"))
                .hasValueSatisfying(one ->
                        assertThat(one.getMessage()).contains("key `token` of the Secret " + namespace + "/login"));
        assertThat(deployment("shop")).isNull();
        secret(KnownSecrets.secret("first-token-of-pods"));
        replicating("shop");
        until("the note", () -> !secretsHash("shop-replicator-1").isEmpty());
        String first = secretsHash("shop-replicator-1");
        until("the other note", () -> secretsHash("shop-replicator-2").equals(first));
        long generation = deployment("shop").getMetadata().getGeneration();
        secret(KnownSecrets.secret("second-token-of-pods"));
        until("another note", () -> !secretsHash("shop-replicator-1").equals(first));
        String second = secretsHash("shop-replicator-1");
        until("the other one's", () -> secretsHash("shop-replicator-2").equals(second));
        assertThat(deployment("shop").getMetadata().getGeneration()).isEqualTo(generation);
        assertThat(Serialization.asYaml(current("shop"))).doesNotContain(KnownSecrets.MARKER);
    }

    @Test
    @DisplayName("writes nothing at rest")
    void writesNothingAtRest() {
        apply("shop", "podMonitor: {interval: 30s}");
        until("the PodMonitor", () -> monitors().size() == 1);
        replicating("shop");
        until("the mark", () -> cost("shop-replicator-1").equals("100"));
        int settled = LOOKS.get();
        until("a few looks", () -> LOOKS.get() > settled + 10);
        Map<String, String> before = versions();
        int looks = LOOKS.get();
        until("many looks", () -> LOOKS.get() > looks + 60);
        assertThat(versions()).isEqualTo(before);
        assertThat(apply("shop", "podMonitor: {interval: 30s}").getMetadata().getResourceVersion())
                .as("applied again by the person")
                .isEqualTo(before.get("Replication/shop"));
    }

    private Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        monitors()
                .forEach(one -> versions.put(
                        "PodMonitor/" + one.getMetadata().getName(),
                        one.getMetadata().getResourceVersion()));
        List.of(
                        Replication.class,
                        Deployment.class,
                        ConfigMap.class,
                        Service.class,
                        ServiceAccount.class,
                        PodDisruptionBudget.class,
                        Pod.class,
                        Event.class)
                .forEach(kind -> all(kind)
                        .forEach(one -> versions.put(
                                one.getKind() + "/" + one.getMetadata().getName(),
                                one.getMetadata().getResourceVersion())));
        return versions;
    }

    @Test
    @DisplayName("puts back what somebody changed in its objects")
    void putsBack() {
        apply("shop", "");
        untilDeployment("the Deployment", one -> true, "shop");
        client.services()
                .inNamespace(namespace)
                .withName("shop-replicator")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"selector\":{\"aardappel.ydb.tech/replication\":\"other\"}}}");
        until(
                "the selector",
                () -> all(Service.class)
                        .get(0)
                        .getSpec()
                        .getSelector()
                        .get("aardappel.ydb.tech/replication")
                        .equals("shop"));
        client.apps()
                .deployments()
                .inNamespace(namespace)
                .withName("shop-replicator")
                .delete();
        untilDeployment("a new Deployment", one -> one.getMetadata().getDeletionTimestamp() == null, "shop");
    }

    @Test
    @DisplayName("stops all pods before one starts with what pods must agree on")
    void stopsAllFirst() {
        apply("shop", "");
        replicating("shop");
        String before = hash("shop");
        apply("shop", "heartbeat: {maxExpectedInterval: 5s}");
        untilDeployment("no pods wanted", one -> one.getSpec().getReplicas() == 0, "shop");
        awaitCondition("shop", "Ready", "False", "StoppingForChange");
        assertThat(hash("shop")).isEqualTo(before);
        client.pods().inNamespace(namespace).withGracePeriod(0).delete();
        untilDeployment(
                "the change",
                one -> !hash("shop").equals(before) && one.getSpec().getReplicas() == 2,
                "shop");
    }

    private String hash(String name) {
        return deployment(name).getMetadata().getAnnotations().get(DesiredDeployment.TOGETHER_HASH);
    }

    @Test
    @DisplayName("keeps the configurations before this one, but not all of them")
    void keepsSomeConfigurations() {
        for (int i = 1; i <= 6; i++) {
            apply("shop", "limits: {transactionRows: " + i + "}");
            int wanted = i;
            until(
                    "configuration " + i,
                    () -> all(ConfigMap.class).stream()
                            .anyMatch(one -> one.getData() != null
                                    && one.getData()
                                            .getOrDefault("replicator.yaml", "")
                                            .contains("transaction_rows: " + wanted)));
        }
        until(
                "three",
                () -> all(ConfigMap.class).stream()
                                .filter(one -> one.getMetadata().getName().startsWith("shop-"))
                                .count()
                        == 3);
    }

    private void annotate(String name, String annotation, String value) {
        client.resources(Replication.class)
                .inNamespace(namespace)
                .withName(name)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"" + annotation + "\":\"" + value + "\"}}}");
    }

    @Test
    @DisplayName("stops the pods after a FATAL_ERROR, and clears it once when asked")
    void clearsFatal() {
        apply("shop", "");
        replicating("shop");
        state.says(namespace, "shop", row("", true));
        awaitCondition("shop", "Ready", "False", "Fatal");
        untilDeployment("no pods wanted", one -> one.getSpec().getReplicas() == 0, "shop");
        assertThat(condition("shop", "Stalled").orElseThrow().getStatus()).isEqualTo("True");
        assertThat(current("shop").getStatus().lastError()).isEqualTo("UNFIT_RECORD: a row");
        annotate("shop", Commands.RESUME, "r1");
        until("the answer", () -> "r1".equals(current("shop").getStatus().resumed()));
        untilDeployment("pods again", one -> one.getSpec().getReplicas() == 2, "shop");
        assertThat(state.calls(namespace)).containsExactly("clearFatal shop");
        assertThat(all(Event.class))
                .anySatisfy(event -> {
                    assertThat(event.getReason()).isEqualTo("Fatal");
                    assertThat(event.getType()).isEqualTo("Warning");
                    assertThat(event.getNote()).contains("UNFIT_RECORD");
                })
                .anySatisfy(event -> assertThat(event.getNote()).contains("resume r1"));
    }

    @Test
    @DisplayName("says, once, which annotation nobody heeds, and goes on")
    void namesUnknownAnnotations() {
        apply("shop", "");
        replicating("shop");
        annotate("shop", "aardappel.ydb.tech/resum", "r1");
        awaitCondition("shop", "CommandsUnderstood", "False", "UnknownAnnotation");
        assertThat(condition("shop", "Ready").orElseThrow().getStatus()).isEqualTo("True");
        annotate("shop", "aardappel.ydb.tech/resum", "r2");
        annotate("shop", Commands.RESUME, "r3");
        until("the answer", () -> "r3".equals(current("shop").getStatus().resumed()));
        assertThat(all(Event.class))
                .filteredOn(event -> event.getReason().equals("UnknownAnnotation"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.getType()).isEqualTo("Warning");
                    assertThat(event.getNote()).contains("aardappel.ydb.tech/resum is unknown");
                });
    }

    @Test
    @DisplayName("takes removed streams out once that is confirmed, while no pod runs")
    void removesStreams() {
        apply("shop", "");
        replicating("shop");
        StateSeen.Row before = row("shop-replicator-1", false);
        List<StateSeen.StreamSeen> members = new ArrayList<>(before.streams());
        members.add(new StateSeen.StreamSeen(new StreamKey("/Root/shop/old/feed", "copy"), Membership.MEMBER, "", ""));
        state.says(
                namespace,
                "shop",
                new StateSeen.Row(
                        before.step(), 7, false, Stage.RUN, "", before.owner(), true, before.movedAt(), members));
        awaitCondition("shop", "StreamsAccepted", "False", "RemovalNotConfirmed");
        untilDeployment("its pods stay", one -> one.getSpec().getReplicas() == 2, "shop");
        annotate("shop", Commands.REMOVE_STREAMS, "old/feed:copy");
        untilDeployment("no pods wanted", one -> one.getSpec().getReplicas() == 0, "shop");
        assertThat(state.calls(namespace)).isEmpty();
        client.pods().inNamespace(namespace).withGracePeriod(0).delete();
        until("the removal", () -> state.calls(namespace).equals(List.of("removeMembers shop /Root/shop/old/feed")));
        untilDeployment("pods again", one -> one.getSpec().getReplicas() == 2, "shop");
    }

    /** The controller that fills in the status of quotas is not there, so this does. */
    private void allowNoDeployments() {
        Map<String, Quantity> none = Map.of("count/deployments.apps", new Quantity("0"));
        ResourceQuota quota = new ResourceQuotaBuilder()
                .withNewMetadata()
                .withName("none")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withHard(none)
                .endSpec()
                .build();
        client.resource(quota).create();
        quota.setStatus(
                new ResourceQuotaStatusBuilder().withHard(none).withUsed(none).build());
        client.resource(quota).updateStatus();
    }

    @Test
    @DisplayName("passes on what the API server refuses, in its words")
    void passesOnRefusals() {
        allowNoDeployments();
        apply("shop", "");
        awaitCondition("shop", "Ready", "False", "RefusedByApiServer");
        assertThat(condition("shop", "Ready").orElseThrow().getMessage()).contains("exceeded quota: none");
        assertThat(all(Event.class))
                .filteredOn(event -> event.getReason().equals("RefusedByApiServer"))
                .as("told once")
                .singleElement()
                .satisfies(event -> assertThat(event.getNote()).contains("exceeded quota: none"));
        assertThat(condition("shop", "Stalled").orElseThrow().getStatus()).isEqualTo("True");
    }

    @Test
    @DisplayName(
            "takes a template that is no pod's for refused, though the API server answers as to a fault of its own")
    void passesOnWhatDoesNotFit() {
        apply("shop", "template: {container: {resources: {limits: {memory: lots}}}}");
        awaitCondition("shop", "Stalled", "True", "RefusedByApiServer");
        assertThat(condition("shop", "Ready").orElseThrow().getMessage())
                .contains("quantities must match", "spec.template")
                .doesNotContain("Exception");
        apply("shop", "template: {container: {resources: {limts: {memory: 1Gi}}}}");
        awaitCondition("shop", "Stalled", "True", "RefusedByApiServer");
        await("the other words")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                condition("shop", "Ready").orElseThrow().getMessage())
                        .contains("limts", "field not declared in schema"));
        apply("shop", "template: {container: {resources: {limits: {memory: 1Gi}}}}");
        awaitCondition("shop", "Configured", "False", "RollingOut");
        apply("shop", "template: {container: {resources: {limits: {memory: lots}}}}");
        awaitCondition("shop", "Stalled", "True", "RefusedByApiServer");
    }

    @Test
    @DisplayName("serves the elder of two resources of one instance, and names it to the other")
    void servesTheElder() {
        apply("elder", "instanceId: " + namespace);
        awaitCondition("elder", "Ready", "False", "RollingOut");
        until(
                "a later second",
                () -> Instant.now()
                        .isAfter(Instant.parse(current("elder").getMetadata().getCreationTimestamp())
                                .plusSeconds(1)));
        apply("younger", "instanceId: " + namespace);
        awaitCondition("younger", "Ready", "False", "Conflict");
        assertThat(condition("younger", "Ready").orElseThrow().getMessage()).contains(namespace + "/elder");
        assertThat(deployment("younger")).isNull();
        assertThat(deployment("elder")).isNotNull();
    }

    @Test
    @DisplayName("removes the rows of a resource that is deleted, where that is its policy, and lets it go")
    void removesRows() {
        apply("shop", "deletionPolicy: Delete");
        untilDeployment("the Deployment", one -> true, "shop");
        until(
                "the finalizer",
                () -> current("shop").getMetadata().getFinalizers().equals(List.of(Commands.FINALIZER)));
        replicating("shop");
        state.says(namespace, "shop", row("", false));
        client.resources(Replication.class)
                .inNamespace(namespace)
                .withName("shop")
                .delete();
        untilDeployment("no pods wanted", one -> one.getSpec().getReplicas() == 0, "shop");
        assertThat(state.calls(namespace)).isEmpty();
        client.pods().inNamespace(namespace).withGracePeriod(0).delete();
        until("its end", () -> current("shop") == null);
        assertThat(state.calls(namespace)).containsExactly("deleteState shop");
    }

    @Test
    @DisplayName("removes no rows for a resource that changed, or went, since the plan was made")
    void removesNoRowsLate() {
        apply("shop", "");
        awaitCondition("shop", "Ready", "False", "RollingOut");
        Replication seen = current("shop");
        Plan plan = new Plan(List.of(new Action.DeleteState(false), new Action.Release()), seen.getStatus());
        annotate("shop", "example.com/changed", "since");
        assertThat(actor.perform(plan, seen, new NothingThere())).isFalse();
        Replication last = current("shop");
        client.resource(last).delete();
        until("its end", () -> current("shop") == null);
        assertThat(actor.perform(plan, last, new NothingThere())).isFalse();
        assertThat(state.calls(namespace)).isEmpty();
    }

    /** A cluster in which the resource owns nothing. */
    private static final class NothingThere implements Cluster {
        @Override
        public <R extends HasMetadata> List<R> owned(Class<R> kind, Replication resource) {
            return List.of();
        }

        @Override
        public <R extends HasMetadata> boolean matches(R actual, R wanted) {
            return true;
        }
    }

    @Test
    @DisplayName("lets a resource go at once whose rows stay")
    void letsGo() {
        apply("shop", "");
        untilDeployment("the Deployment", one -> true, "shop");
        client.resources(Replication.class)
                .inNamespace(namespace)
                .withName("shop")
                .delete();
        until("its end", () -> current("shop") == null);
        assertThat(state.calls(namespace)).isEmpty();
    }
}
