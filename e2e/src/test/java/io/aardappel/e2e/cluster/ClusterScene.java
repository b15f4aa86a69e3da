package io.aardappel.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationStatus;
import io.aardappel.e2e.snapshot.Forwarder;
import io.aardappel.e2e.world.Comparison;
import io.aardappel.e2e.world.Database;
import io.aardappel.e2e.world.Row;
import io.aardappel.e2e.world.Shop;
import io.aardappel.e2e.world.Workload;
import io.aardappel.emulator.LastingPort;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.KnownSecrets;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import tech.ydb.auth.TokenAuthProvider;

/**
 * A namespace under the restricted pod security standard, two databases of an emulator of its own with the tables of the
 * {@link Shop}, a workload that writes to them, and one Replication that carries it over.
 */
final class ClusterScene implements AutoCloseable {
    /** For what takes seconds on a machine that does nothing else. */
    static final Duration LIMIT = Duration.ofMinutes(5);

    static final String NAME = "shop";
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long SEED = 20_263;
    private static final int SHARDS_OF_SOURCE = 2;
    private static final String SELECTOR = Replication.GROUP + "/replication";

    private static final String MANIFEST = """
            apiVersion: aardappel.ydb.tech/v1alpha1
            kind: Replication
            metadata:
              name: shop
            spec:
              source:
                connectionString: grpc://%1$s/source
                auth: %2$s
              destination:
                connectionString: grpc://%1$s/copy
                auth: %2$s
              stateTable: aardappel_state
              heartbeat: {maxExpectedInterval: 6s}
              limits: {memory: 64Mi}
              template:
                container:
                  resources:
                    requests: {cpu: 20m, memory: 128Mi}
                    limits: {memory: 320Mi}
              streams:
              - {sourceTopic: accounts/feed, consumer: aardappel, destinationTable: accounts}
              - {sourceTopic: transfers/feed, consumer: aardappel, destinationTable: transfers}
              - {sourceTopic: orders/feed, consumer: aardappel, destinationTable: orders}
              - {sourceTopic: order_lines/feed, consumer: aardappel, destinationTable: order_lines}
            """;

    private final ClusterUnderTest cluster;
    private final String namespace;
    private final YdbEmulator emulator;
    private final int doorPort = LastingPort.free();
    private final Database source;
    private final Database copy;
    private final Workload workload;
    private @Nullable Forwarder door;

    private ClusterScene(ClusterUnderTest cluster, String name, YdbEmulator emulator, TokenAuthProvider tickets) {
        this.cluster = cluster;
        this.namespace = "aardappel-test-" + name;
        this.emulator = emulator;
        openDoor();
        source = new Database(emulator.connectionString("/source"), tickets);
        copy = new Database(emulator.connectionString("/copy"), tickets);
        workload = new Workload(source, SEED);
    }

    /** Databases that ask for no login, with tables, rows and changefeeds. */
    static ClusterScene open(ClusterUnderTest cluster, String name) {
        return open(cluster, name, YdbEmulator.builder());
    }

    /**
     * The same.
     *
     * @param builder of the emulator, but for its address and databases
     */
    static ClusterScene open(ClusterUnderTest cluster, String name, YdbEmulator.Builder builder) {
        String ours = KnownSecrets.secret("cluster-test");
        YdbEmulator emulator = builder.listen("localhost", 0)
                .database("/source")
                .database("/copy")
                .start();
        ClusterScene scene = new ClusterScene(cluster, name, emulator, new TokenAuthProvider(ours));
        try {
            scene.prepare();
            return scene;
        } catch (RuntimeException failed) {
            scene.close();
            throw failed;
        }
    }

    private void prepare() {
        for (Shop.Table table : Shop.TABLES) {
            source.define(table.create(SHARDS_OF_SOURCE));
            copy.define(table.create(1));
        }
        workload.fill();
        for (Shop.Table table : Shop.TABLES) {
            source.define(table.addFeed());
            source.define(table.addConsumer("aardappel"));
        }
        client().namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                        .endMetadata()
                        .build())
                .create();
    }

    KubernetesClient client() {
        return cluster.client();
    }

    String namespace() {
        return namespace;
    }

    YdbEmulator emulator() {
        return emulator;
    }

    Workload workload() {
        return workload;
    }

    /** From now on pods reach the databases, at the address that the Replication names. */
    void openDoor() {
        door = new Forwarder(cluster.hostAddress(), doorPort, emulator.port());
    }

    /** From now on they do not; this process still does. */
    void closeDoor() {
        Objects.requireNonNull(door, "the door is closed already").close();
        door = null;
    }

    /** The Replication as it is applied, with databases that ask for no login. */
    Replication wanted() {
        return wanted("{anonymous: {}}");
    }

    /** @param auth of both databases, in YAML */
    Replication wanted(String auth) {
        return Serialization.unmarshal(
                MANIFEST.formatted(cluster.hostAddress() + ":" + doorPort, auth), Replication.class);
    }

    void apply(Replication replication) {
        cluster.replications().inNamespace(namespace).resource(replication).create();
    }

    /** Starts the workload, applies the resource and waits until it is Ready. */
    void begin(Replication replication) {
        workload.start();
        apply(replication);
        awaitReady();
    }

    Resource<Replication> replication() {
        return cluster.replications().inNamespace(namespace).withName(NAME);
    }

    /** Changes the Replication as `kubectl patch --type=merge` does. */
    void patch(String json) {
        replication().patch(PatchContext.of(PatchType.JSON_MERGE), json);
    }

    /** What the operator says; empty while it says nothing, or there is no resource. */
    Optional<ReplicationStatus> status() {
        return Optional.ofNullable(replication().get()).map(Replication::getStatus);
    }

    /** A condition as STATUS REASON MESSAGE; empty text while there is none. */
    String condition(String type) {
        return status().map(ReplicationStatus::conditions).orElse(List.of()).stream()
                .filter(condition -> condition.getType().equals(type))
                .map(condition -> condition.getStatus() + " " + condition.getReason() + " " + condition.getMessage())
                .findFirst()
                .orElse("");
    }

    /** Waits until the assertion holds. */
    static void eventually(ThrowingRunnable assertion) {
        await().atMost(LIMIT).pollInterval(POLL).untilAsserted(assertion);
    }

    /** Waits until it is so. */
    static void eventuallyTrue(Callable<Boolean> condition) {
        await().atMost(LIMIT).pollInterval(POLL).until(condition);
    }

    void awaitCondition(String type, String beginning) {
        eventually(() -> assertThat(condition(type)).startsWith(beginning));
    }

    void awaitReady() {
        awaitCondition("Ready", "True Replicating");
    }

    /** Empty text while none is. */
    String activePod() {
        return status().map(ReplicationStatus::activePod).orElse("");
    }

    List<Pod> pods() {
        return client().pods()
                .inNamespace(namespace)
                .withLabel(SELECTOR, NAME)
                .list()
                .getItems();
    }

    void awaitPods(int count) {
        eventually(() -> assertThat(pods()).hasSize(count));
    }

    void awaitReadyPods(int count) {
        awaitPods(count);
        eventually(
                () -> assertThat(status().map(ReplicationStatus::readyReplicas).orElse(0))
                        .isEqualTo(count));
    }

    /** The resource is gone. */
    void awaitGone() {
        eventuallyTrue(() -> replication().get() == null);
    }

    /** Another pod than that is the active one. */
    void awaitTakeoverFrom(String pod) {
        eventually(() -> assertThat(activePod()).isNotEmpty().isNotEqualTo(pod));
    }

    /** Of pods; they stay while no pod is replaced. */
    Set<String> uids() {
        return pods().stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    }

    /** How often processes of the pods that are there have ended. */
    int restarts() {
        return pods().stream()
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                .mapToInt(ContainerStatus::getRestartCount)
                .sum();
    }

    /** Coordinator step of the checkpoint in the state table, 0 before there is one. */
    long checkpoint() {
        List<Row> rows = copy.read("SELECT step_id FROM aardappel_state;");
        String digits = rows.isEmpty() ? "" : rows.get(0).text("step_id").replaceAll("\\D", "");
        return digits.isEmpty() ? 0 : Long.parseLong(digits);
    }

    /** Rows in the state table. */
    int stateRows() {
        return copy.read("SELECT id FROM aardappel_state;").size();
    }

    void awaitCheckpointBehind(long milliseconds) {
        eventually(() -> assertThat(checkpoint()).isGreaterThan(milliseconds));
    }

    /** The checkpoint passes what is written now. */
    void awaitProgress() {
        awaitCheckpointBehind(System.currentTimeMillis());
    }

    /** Ends the workload and waits for a checkpoint behind its last write. */
    void settle() {
        workload.stop();
        workload.check();
        assertThat(workload.transactions()).as("transactions written").isPositive();
        awaitProgress();
    }

    /** The same, and compares all tables. */
    void settleAndCompare() {
        settle();
        compare();
    }

    void compare() {
        assertThat(Comparison.ofShop(source, copy)).allSatisfy(table -> {
            assertThat(table.rows()).as(table.table()).isPositive();
            assertThat(table.differences()).as(table.table()).isZero();
        });
    }

    /** What the pods that are there have said goes where secrets are looked for. */
    private void keepLogs() {
        Path folder = Path.of("target", "written", "cluster", namespace);
        try {
            Files.createDirectories(folder);
            for (Pod pod : pods()) {
                Files.writeString(folder.resolve(pod.getMetadata().getName() + ".log"), log(pod));
            }
            for (Pod pod : cluster.operatorPods()) {
                Files.writeString(folder.resolve(pod.getMetadata().getName() + ".log"), log(pod));
            }
            Replication replication = replication().get();
            Files.writeString(
                    folder.resolve("replication.txt"),
                    replication == null ? "gone" : Serialization.asYaml(replication));
        } catch (IOException unwritable) {
            throw new UncheckedIOException("cannot write to " + folder.toAbsolutePath(), unwritable);
        }
    }

    private String log(Pod pod) {
        try {
            return client().pods().resource(pod).getLog();
        } catch (KubernetesClientException notStarted) {
            return "no log: " + notStarted.getMessage();
        }
    }

    /** Takes everything away, the resource first: its operator may have to clean up. */
    @Override
    public void close() {
        workload.close();
        try {
            keepLogs();
            replication().delete();
            replication().waitUntilCondition(Objects::isNull, LIMIT.toSeconds(), TimeUnit.SECONDS);
        } finally {
            client().namespaces().withName(namespace).delete();
            source.close();
            copy.close();
            if (door != null) {
                door.close();
            }
            emulator.close();
        }
    }
}
