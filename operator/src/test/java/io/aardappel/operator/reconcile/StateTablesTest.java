package io.aardappel.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.contract.DecisionTable;
import io.aardappel.contract.InstanceTable;
import io.aardappel.contract.StateTable;
import io.aardappel.contract.StreamTable;
import io.aardappel.contract.TableName;
import io.aardappel.crds.api.Replication;
import io.aardappel.emulator.LastingPort;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.aardappel.operator.act.Actor;
import io.aardappel.operator.act.Announcer;
import io.aardappel.operator.observe.PolledStates;
import io.aardappel.operator.observe.SecretBook;
import io.aardappel.operator.plan.Commands;
import io.aardappel.operator.plan.PageSeen;
import io.aardappel.operator.state.DestinationChanges;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.Operator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;
import tech.ydb.table.result.ResultSetReader;

@WithKubeApiServer
@WithYdb
@DisplayName("The operator at a real API server and with state tables of a database")
class StateTablesTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final TableName TABLE = new TableName("repl_state");
    private static final AtomicReference<Instant> NOW = new AtomicReference<>(Instant.EPOCH);

    private static YdbEmulator ydb;
    private static GrpcTransport transport;
    private static QueryClient queries;
    private static KubernetesClient client;
    private static PolledStates states;
    private static Operator operator;
    private static String namespace;

    @BeforeAll
    static void start(KubeApiServer server, YdbEmulator given) throws Exception {
        ydb = given;
        transport = open(ydb.connectionString());
        queries = QueryClient.newClient(transport).build();
        for (String statement : List.of(
                StateTable.createIfAbsent(TABLE),
                InstanceTable.createIfAbsent(TABLE),
                StreamTable.createIfAbsent(TABLE),
                DecisionTable.createIfAbsent(TABLE))) {
            run(statement, TxMode.NONE);
        }
        client = server.client();
        Crd.install(client);
        namespace = server.newNamespace();
        PolledStates.Destinations destinations =
                resource -> open(resource.getSpec().destination().connectionString());
        states = new PolledStates(destinations, NOW::get, POLL, 2);
        Actor actor = new Actor(
                client,
                new DestinationChanges(destinations, "operator-0"),
                new Announcer(client, "test", NOW::get),
                "registry.example/replicator:1",
                false);
        operator =
                new Operator(overrider -> overrider.withKubernetesClient(client).withCloseClientOnStop(false));
        ReplicationReconciler.Sources sources = new ReplicationReconciler.Sources(
                states,
                resource -> SecretBook.Seen.nothing(),
                (resource, pod) -> new PageSeen.NotAsked(),
                (resource, streams) -> Map.of(),
                false);
        operator.register(new ReplicationReconciler(sources, actor, NOW::get, POLL, new RecordedState()), overrider -> {
            ReplicationController.configure(overrider);
            overrider.settingNamespace(namespace);
        });
        operator.start();
    }

    @AfterAll
    static void stop() {
        client.resources(Replication.class).inNamespace(namespace).delete();
        operator.stop();
        states.close();
        queries.close();
        transport.close();
    }

    @BeforeEach
    void begin() {
        NOW.set(Instant.now());
    }

    private static GrpcTransport open(String connectionString) {
        return GrpcTransport.forConnectionString(connectionString)
                .withConnectTimeout(Duration.ofSeconds(2))
                .build();
    }

    private static QueryReader run(String statement, TxMode mode) {
        var answer = SessionRetryContext.create(queries)
                .build()
                .supplyResult(session -> QueryReader.readFrom(session.createQuery(statement, mode)))
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
        answer.getStatus().expectSuccess(statement);
        return answer.getValue();
    }

    private static void write(String statement) {
        run(statement, TxMode.SERIALIZABLE_RW);
    }

    /** The first column, rows parted by blanks. */
    private static String read(String statement) {
        StringJoiner values = new StringJoiner(" ");
        for (ResultSetReader rows : run(statement, TxMode.SERIALIZABLE_RW)) {
            while (rows.next()) {
                values.add(rows.getColumn(0).getText());
            }
        }
        return values.toString();
    }

    /** Applies a resource of that name and instance, with a stream of each topic. */
    private static void applyTo(String destination, String name, String more, String... topics) {
        StringBuilder streams = new StringBuilder();
        for (String topic : topics) {
            streams.append("\n  - {sourceTopic: ")
                    .append(name)
                    .append('/')
                    .append(topic)
                    .append(", consumer: copy, destinationTable: ")
                    .append(topic)
                    .append('}');
        }
        client.resource(Serialization.unmarshal(
                        """
                apiVersion: aardappel.ydb.tech/v1alpha1
                kind: Replication
                metadata: {name: %s, namespace: %s}
                spec:
                  instanceId: %s
                  source: {connectionString: "grpc://source:2136/src", auth: {anonymous: {}}}
                  destination: {connectionString: "%s", auth: {anonymous: {}}}
                  stateTable: repl_state
                  %s
                  streams:""".formatted(name, namespace, name, destination, more) + streams, Replication.class))
                .fieldManager("person")
                .forceConflicts()
                .serverSideApply();
    }

    private static void apply(String name, String more, String... topics) {
        applyTo(ydb.connectionString(), name, more, topics);
    }

    /** As a replicator leaves them that gave its lock up. */
    private static void rows(String name, String state, String... topics) {
        write("UPSERT INTO repl_state (id, step_id, tx_id, state, stage, last_msg, lock_owner, lock_deadline) VALUES ('"
                + name + "', 10ul, 7ul, '" + state
                + "', 'RUN', 'UNFIT_RECORD: x', 'lock_gone_1', CurrentUtcTimestamp())");
        write("UPSERT INTO repl_state_instances (id, commit_seq) VALUES ('" + name + "', 3ul)");
        for (String topic : topics) {
            write("UPSERT INTO repl_state_streams (id, topic, consumer, state) VALUES ('" + name + "', '/src/" + name
                    + "/" + topic + "', 'copy', 'member')");
        }
    }

    private static Replication current(String name) {
        return client.resources(Replication.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private static void untilPods(String name, int wanted) {
        until(wanted + " pods wanted", () -> {
            Deployment deployment = client.apps()
                    .deployments()
                    .inNamespace(namespace)
                    .withName(name + "-replicator")
                    .get();
            return deployment != null && deployment.getSpec().getReplicas() == wanted;
        });
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(LIMIT).until(condition);
    }

    private static void delete(String name) {
        client.resources(Replication.class)
                .inNamespace(namespace)
                .withName(name)
                .delete();
    }

    private static void untilHeld(String name) {
        until("the finalizer", () -> current(name).getMetadata().getFinalizers().equals(List.of(Commands.FINALIZER)));
    }

    @Test
    @DisplayName("clears FATAL_ERROR in the row when it is asked to, and starts the pods again")
    void clearsFatal() {
        rows("fatal", "FATAL_ERROR", "goods");
        apply("fatal", "", "goods");
        untilPods("fatal", 0);
        until(
                "the error",
                () -> current("fatal").getStatus() != null
                        && "UNFIT_RECORD: x".equals(current("fatal").getStatus().lastError()));
        client.resources(Replication.class)
                .inNamespace(namespace)
                .withName("fatal")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"" + Commands.RESUME + "\":\"r1\"}}}");
        untilPods("fatal", 2);
        assertThat(read("SELECT state FROM repl_state WHERE id = 'fatal' AND last_msg IS NULL"))
                .isEqualTo("OK");
        until("the answer", () -> "r1".equals(current("fatal").getStatus().resumed()));
    }

    @Test
    @DisplayName("keeps a stream that is taken out of the resource as it was, until its removal is confirmed")
    void removesStreams() {
        rows("streams", "OK", "goods", "orders");
        apply("streams", "", "goods", "orders");
        untilPods("streams", 2);
        until("its status", () -> current("streams").getStatus() != null);
        String config = config("streams");
        apply("streams", "", "goods");
        until("the refusal", () -> accepted("streams").startsWith("RemovalNotConfirmed"));
        assertThat(accepted("streams"))
                .contains("/src/streams/orders (consumer copy)", "remove-streams=streams/orders:copy");
        assertThat(config("streams")).isEqualTo(config);
        untilPods("streams", 2);
        assertThat(read("SELECT topic FROM repl_state_streams WHERE id = 'streams' AND state = 'removed'"))
                .isEmpty();
        client.resources(Replication.class)
                .inNamespace(namespace)
                .withName("streams")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"" + Commands.REMOVE_STREAMS
                                + "\":\"streams/orders:copy\"}}}");
        until(
                "the removal",
                () -> read("SELECT topic FROM repl_state_streams WHERE id = 'streams' AND state = 'removed'")
                        .equals("/src/streams/orders"));
        untilPods("streams", 2);
        assertThat(read("SELECT topic FROM repl_state_streams WHERE id = 'streams' AND state = 'member'"))
                .isEqualTo("/src/streams/goods");
        until(
                "the answer",
                () -> "streams/orders:copy"
                        .equals(current("streams").getStatus().removed()));
        until("its end", () -> accepted("streams").startsWith("Accepted"));
        assertThat(config("streams")).isNotEqualTo(config);
    }

    @Test
    @DisplayName(
            "says in a condition and an Event, once, that a stream cannot be taken out, and takes it out when it can")
    void tellsThatStreamsCannotBeRemoved() {
        rows("busy", "OK", "goods", "orders");
        apply("busy", "", "goods", "orders");
        untilPods("busy", 2);
        write("UPDATE repl_state SET lock_owner = 'lock_busy-replicator-1_x', lock_deadline = CurrentUtcTimestamp()"
                + " + Interval('PT1H') WHERE id = 'busy'");
        apply("busy", "", "goods");
        until("its status", () -> accepted("busy").startsWith("RemovalNotConfirmed"));
        client.resources(Replication.class)
                .inNamespace(namespace)
                .withName("busy")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"" + Commands.REMOVE_STREAMS + "\":\"busy/orders:copy\"}}}");
        until("the failure", () -> condition("busy", "Configured").startsWith("DestinationChangeFailed"));
        assertThat(condition("busy", "Configured")).contains("lock_busy-replicator-1_x");
        until(
                "the event",
                () -> client.resources(Event.class).inNamespace(namespace).list().getItems().stream()
                        .anyMatch(event -> event.getReason().equals("DestinationChangeFailed")
                                && event.getNote().contains("lock_busy-replicator-1_x")));
        write("UPDATE repl_state SET lock_deadline = CurrentUtcTimestamp() WHERE id = 'busy'");
        until("its end", () -> accepted("busy").startsWith("Accepted"));
        assertThat(read("SELECT topic FROM repl_state_streams WHERE id = 'busy' AND state = 'removed'"))
                .isEqualTo("/src/busy/orders");
        untilPods("busy", 2);
    }

    /** Reason and message of StreamsAccepted. */
    private static String accepted(String name) {
        return condition(name, "StreamsAccepted");
    }

    private static String condition(String name, String type) {
        Replication one = current(name);
        return one.getStatus() == null || one.getStatus().conditions() == null
                ? ""
                : one.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals(type))
                        .map(condition -> condition.getReason() + ": " + condition.getMessage())
                        .findFirst()
                        .orElse("");
    }

    /** The ConfigMap that its pods read. */
    private static String config(String name) {
        return client
                .apps()
                .deployments()
                .inNamespace(namespace)
                .withName(name + "-replicator")
                .get()
                .getSpec()
                .getTemplate()
                .getSpec()
                .getVolumes()
                .stream()
                .filter(volume -> volume.getConfigMap() != null)
                .map(volume -> volume.getConfigMap().getName())
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("removes the rows of a resource that is deleted, where that is its policy")
    void removesRows() {
        rows("deleted", "OK", "goods");
        apply("deleted", "deletionPolicy: Delete", "goods");
        untilHeld("deleted");
        untilPods("deleted", 2);
        delete("deleted");
        until("its end", () -> current("deleted") == null);
        for (String table : new String[] {"repl_state", "repl_state_instances", "repl_state_streams"}) {
            assertThat(read("SELECT id FROM " + table + " WHERE id = 'deleted'"))
                    .as(table)
                    .isEmpty();
        }
    }

    @Test
    @DisplayName(
            "waits for a lock that a pod left behind, and lets the resource go with its rows left when that takes too long")
    void letsGoOfALockedInstance() {
        rows("locked", "OK", "goods");
        write("UPDATE repl_state SET lock_owner = 'lock_locked-replicator-1_x', lock_deadline = CurrentUtcTimestamp()"
                + " + Interval('PT1H') WHERE id = 'locked'");
        apply("locked", "deletionPolicy: Delete", "goods");
        untilHeld("locked");
        untilPods("locked", 2);
        delete("locked");
        untilPods("locked", 0);
        assertThat(current("locked").getMetadata().getFinalizers()).contains(Commands.FINALIZER);
        NOW.set(Instant.now().plusSeconds(180));
        until("its end", () -> current("locked") == null);
        assertThat(read("SELECT id FROM repl_state WHERE id = 'locked'")).isEqualTo("locked");
        until(
                "the event",
                () -> client.resources(Event.class).inNamespace(namespace).list().getItems().stream()
                        .anyMatch(event -> event.getNote().contains("remove them by hand")
                                && event.getNote().contains("lock_locked-replicator-1_x")));
    }

    @Test
    @DisplayName("lets a resource go whose database is away, after some time")
    void letsGoWithoutTheDatabase() {
        applyTo("grpc://localhost:" + LastingPort.free() + "/local", "away", "deletionPolicy: Delete", "goods");
        untilHeld("away");
        delete("away");
        until(
                "that it waits",
                () -> current("away").getMetadata().getDeletionTimestamp() != null
                        && current("away").getMetadata().getFinalizers().contains(Commands.FINALIZER));
        NOW.set(Instant.now().plusSeconds(180));
        until("its end", () -> current("away") == null);
    }
}
