package io.aardappel.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.contract.Membership;
import io.aardappel.contract.Stage;
import io.aardappel.contract.StateTable;
import io.aardappel.crds.api.Replication;
import io.aardappel.operator.act.Actor;
import io.aardappel.operator.act.Announcer;
import io.aardappel.operator.login.PodLogins;
import io.aardappel.operator.login.SecretValues;
import io.aardappel.operator.plan.PageSeen;
import io.aardappel.operator.plan.StateSeen;
import io.aardappel.operator.plan.StreamKey;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.Operator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A namespace that an operator serves by a client of its own, and a person who looks on by another one. The clock
 * stands still, so that a lag does not change.
 */
final class ServedNamespace implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(60);
    static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");
    private static final Duration POLL = Duration.ofMillis(100);

    private static final List<Class<? extends HasMetadata>> KINDS = List.of(
            Replication.class,
            Deployment.class,
            ConfigMap.class,
            Service.class,
            ServiceAccount.class,
            PodDisruptionBudget.class,
            Pod.class,
            Event.class);

    final String name;
    final RecordedState state = new RecordedState();
    private final AtomicInteger looks = new AtomicInteger();
    private final KubernetesClient person;
    private final Operator operator;

    /** Returns when the operator watches. */
    ServedNamespace(String name, KubernetesClient person, KubernetesClient operators) {
        this.name = name;
        this.person = person;
        Announcer announcer = new Announcer(operators, "test", () -> NOW);
        operator = new Operator(
                overrider -> overrider.withKubernetesClient(operators).withCloseClientOnStop(false));
        operator.register(
                new ReplicationReconciler(
                        new ReplicationReconciler.Sources(
                                resource -> {
                                    looks.incrementAndGet();
                                    return state.of(resource);
                                },
                                new PodLogins(
                                        operators,
                                        new SecretValues(operators, () -> NOW, Duration.ZERO),
                                        Map.of(),
                                        () -> NOW),
                                (resource, pod) -> new PageSeen.NotAsked(),
                                (resource, streams) -> Map.of(),
                                false),
                        new Actor(operators, state, announcer, "registry.example/replicator:1", false),
                        () -> NOW,
                        POLL,
                        state),
                overrider -> {
                    ReplicationController.configure(overrider);
                    overrider.settingNamespaces(Set.of(name));
                });
        operator.start();
    }

    Replication apply(String resource, String more) {
        String yaml = """
                apiVersion: aardappel.ydb.tech/v1alpha1
                kind: Replication
                metadata: {name: %s, namespace: %s}
                spec:
                  source: {connectionString: "grpc://source:2136/Root/shop", auth: {anonymous: {}}}
                  destination: {connectionString: "grpc://copy:2136/Root/copy", auth: {anonymous: {}}}
                  stateTable: repl_state
                  streams:
                  - {sourceTopic: %s/%s/feed, consumer: copy, destinationTable: goods}
                """.formatted(resource, name, name, resource);
        return person.resource(Serialization.unmarshal(yaml + more.indent(2), Replication.class))
                .fieldManager("person")
                .forceConflicts()
                .serverSideApply();
    }

    Replication current(String resource) {
        return person.resources(Replication.class)
                .inNamespace(name)
                .withName(resource)
                .get();
    }

    Optional<Condition> condition(String resource, String type) {
        Replication one = current(resource);
        return one == null || one.getStatus() == null || one.getStatus().conditions() == null
                ? Optional.empty()
                : one.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals(type))
                        .findFirst();
    }

    void awaitCondition(String resource, String type, String status, String reason) {
        await(type + " " + reason)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(condition(resource, type)).hasValueSatisfying(one -> {
                    assertThat(one.getReason()).isEqualTo(reason);
                    assertThat(one.getStatus()).isEqualTo(status);
                    assertThat(one.getObservedGeneration())
                            .isEqualTo(current(resource).getMetadata().getGeneration());
                }));
    }

    <R extends HasMetadata> List<R> all(Class<R> kind) {
        return person.resources(kind).inNamespace(name).list().getItems();
    }

    Deployment deployment(String resource) {
        return person.apps()
                .deployments()
                .inNamespace(name)
                .withName(resource + "-replicator")
                .get();
    }

    static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(LIMIT).until(condition);
    }

    /** The operator looks at its resources so many times more. */
    void awaitLooks(int more) {
        int before = looks.get();
        until(more + " looks", () -> looks.get() >= before + more);
    }

    int looks() {
        return looks.get();
    }

    /** Does what the Deployment's controller, the kubelet and the pods would do; returns when the resource is Ready. */
    void replicate(String resource) {
        until("the Deployment", () -> deployment(resource) != null);
        pod(resource, resource + "-replicator-1");
        pod(resource, resource + "-replicator-2");
        roll(resource);
        state.says(name, resource, row(resource));
        awaitCondition(resource, "Ready", "True", "Replicating");
    }

    private void pod(String resource, String pod) {
        Deployment deployment = deployment(resource);
        Pod made = person.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(pod)
                        .withNamespace(name)
                        .withLabels(
                                deployment.getSpec().getTemplate().getMetadata().getLabels())
                        .withAnnotations(
                                deployment.getSpec().getTemplate().getMetadata().getAnnotations())
                        .endMetadata()
                        .withSpec(deployment.getSpec().getTemplate().getSpec())
                        .build())
                .create();
        Statuses.ready(person, made);
    }

    /** The Deployment's controller has made all pods of the template. */
    void roll(String resource) {
        Deployment one = deployment(resource);
        Statuses.rolled(person, one, one.getSpec().getReplicas());
    }

    private StateSeen.Row row(String resource) {
        return new StateSeen.Row(
                NOW.minusSeconds(2).toEpochMilli(),
                7,
                false,
                Stage.RUN,
                "",
                StateTable.OWNER_PREFIX + resource + "-replicator-1_1",
                true,
                Optional.of(NOW),
                List.of(new StateSeen.StreamSeen(
                        new StreamKey("/Root/shop/" + name + "/" + resource + "/feed", "copy"),
                        Membership.MEMBER,
                        "",
                        "")));
    }

    /** Of every object that is there, by kind and name. */
    Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        KINDS.forEach(kind -> all(kind)
                .forEach(one -> versions.put(
                        one.getKind() + "/" + one.getMetadata().getName(),
                        one.getMetadata().getResourceVersion())));
        return versions;
    }

    @Override
    public void close() {
        operator.stop();
    }
}
