package io.aardappel.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.contract.Membership;
import io.aardappel.contract.Stage;
import io.aardappel.contract.StateTable;
import io.aardappel.contract.StreamTable;
import io.aardappel.contract.TableName;
import io.aardappel.crds.api.Replication;
import io.aardappel.emulator.LastingPort;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.operator.plan.StateSeen;
import io.aardappel.operator.plan.StreamKey;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;

@DisplayName("State tables that are polled")
class PolledStatesTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration PERIOD = Duration.ofMillis(50);
    private static final TableName TABLE = TableName.parse("repl_state");

    private final int port = LastingPort.free();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-04T05:06:07Z"));
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private volatile String database = "/copy";
    private YdbEmulator ydb;
    private PolledStates states;

    @BeforeEach
    void begin() {
        ydb = emulator();
        states = new PolledStates(
                resource -> {
                    connections.incrementAndGet();
                    return counted(transport());
                },
                now::get,
                PERIOD,
                2);
    }

    @AfterEach
    void end() {
        states.close();
        ydb.close();
    }

    private YdbEmulator emulator() {
        return YdbEmulator.builder().listen("localhost", port).database("/copy").start();
    }

    private GrpcTransport counted(GrpcTransport transport) {
        return (GrpcTransport) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {GrpcTransport.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closed.incrementAndGet();
                    }
                    return method.invoke(transport, arguments);
                });
    }

    private GrpcTransport transport() {
        return GrpcTransport.forConnectionString("grpc://localhost:" + port + database)
                .withConnectTimeout(Duration.ofSeconds(5))
                .build();
    }

    private void run(String statement, TxMode mode) {
        try (GrpcTransport transport = transport();
                QueryClient client = QueryClient.newClient(transport).build()) {
            SessionRetryContext.create(client)
                    .build()
                    .supplyResult(session -> QueryReader.readFrom(session.createQuery(statement, mode)))
                    .orTimeout(10, TimeUnit.SECONDS)
                    .join()
                    .getStatus()
                    .expectSuccess(statement);
        }
    }

    private void define(String statement) {
        run(statement, TxMode.NONE);
    }

    private void write(String statement) {
        run(statement, TxMode.SERIALIZABLE_RW);
    }

    private static Replication resource(String instance) {
        return Serialization.unmarshal("""
                apiVersion: aardappel.ydb.tech/v1alpha1
                kind: Replication
                metadata: {name: shop, namespace: copies}
                spec:
                  instanceId: %s
                  source: {connectionString: "grpc://source:2136/Root/shop", auth: {anonymous: {}}}
                  destination: {connectionString: "grpc://copy:2136/copy", auth: {anonymous: {}}}
                  stateTable: repl_state
                  streams: [{sourceTopic: goods/feed, consumer: copy, destinationTable: goods}]
                """.formatted(instance), Replication.class);
    }

    private StateSeen until(String instance, Predicate<StateSeen> wanted) {
        return await(instance).atMost(LIMIT).until(() -> states.of(resource(instance)), wanted);
    }

    private StateSeen.Row row(String instance, Predicate<StateSeen.Row> wanted) {
        return (StateSeen.Row) until(instance, seen -> seen instanceof StateSeen.Row row && wanted.test(row));
    }

    private void checkpoint(String instance, long step) {
        write("UPSERT INTO repl_state (id, step_id, tx_id, state, stage) VALUES ('" + instance + "', " + step
                + "ul, 7ul, 'OK', 'RUN');");
    }

    @Test
    void areUnknownAtFirst() {
        assertThat(states.of(resource("a"))).isInstanceOf(StateSeen.NotAsked.class);
    }

    @Test
    void haveNoRowWhileThereIsNoTable() {
        assertThat(until("a", seen -> !(seen instanceof StateSeen.NotAsked))).isInstanceOf(StateSeen.Absent.class);
    }

    @Test
    void sayWhatStandsInThem() {
        define(StateTable.createIfAbsent(TABLE));
        define(StreamTable.createIfAbsent(TABLE));
        write("UPSERT INTO repl_state (id, step_id, tx_id, state, stage, last_msg, lock_owner, lock_deadline) VALUES"
                + " ('a', 1234ul, 18446744073709551615ul, 'FATAL_ERROR', 'INITIAL_SCAN', 'UNFIT_RECORD: x', 'lock_pod_1',"
                + " CurrentUtcTimestamp() + Interval('PT60S')), ('b', NULL, NULL, NULL, NULL, NULL, NULL, NULL);");
        write("UPSERT INTO repl_state_streams (id, topic, consumer, dst_table, state, message) VALUES"
                + " ('a', '/Root/shop/goods/feed', 'copy', '/Root/copy/goods', 'member', NULL),"
                + " ('a', '/Root/shop/orders/feed', 'copy', NULL, 'failed', 'no such topic'),"
                + " ('z', '/Root/shop/goods/feed', 'copy', '/Root/copy/goods', 'member', NULL);");
        StateSeen.Row one = row("a", row -> true);
        assertThat(one.step()).isEqualTo(1234);
        assertThat(Long.toUnsignedString(one.txId())).isEqualTo("18446744073709551615");
        assertThat(one.fatal()).isTrue();
        assertThat(one.stage()).isEqualTo(Stage.INITIAL_SCAN);
        assertThat(one.lastMessage()).isEqualTo("UNFIT_RECORD: x");
        assertThat(one.owner()).isEqualTo("lock_pod_1");
        assertThat(one.held()).isTrue();
        assertThat(one.streams())
                .containsExactlyInAnyOrder(
                        new StateSeen.StreamSeen(
                                new StreamKey("/Root/shop/goods/feed", "copy"),
                                Membership.MEMBER,
                                "/Root/copy/goods",
                                ""),
                        new StateSeen.StreamSeen(
                                new StreamKey("/Root/shop/orders/feed", "copy"),
                                Membership.FAILED,
                                "",
                                "no such topic"));
        StateSeen.Row bare = row("b", row -> true);
        assertThat(bare.held()).as("of a row as the Go program may leave it").isFalse();
        assertThat(bare.stage()).isEqualTo(Stage.RUN);
        assertThat(bare.streams()).isEmpty();
    }

    @Test
    void sayThatThereIsNoSuchDatabase() {
        database = "/copi";
        assertThat(until("a", seen -> !(seen instanceof StateSeen.NotAsked)))
                .isInstanceOfSatisfying(StateSeen.Unreachable.class, away -> {
                    assertThat(away.noDatabase()).isTrue();
                    assertThat(away.why()).contains("/copi").doesNotContain("Exception");
                });
    }

    @Test
    void areReadWithoutOurTables() {
        define(StateTable.createIfAbsent(TABLE));
        checkpoint("a", 1);
        assertThat(row("a", row -> true).streams()).isEmpty();
    }

    @Test
    void tellThatALockHasRunOut() {
        define(StateTable.createIfAbsent(TABLE));
        write("UPSERT INTO repl_state (id, lock_owner, lock_deadline) VALUES ('a', 'lock_pod_1',"
                + " CurrentUtcTimestamp() - Interval('PT1S'));");
        assertThat(row("a", row -> true).held()).isFalse();
    }

    @Test
    void noticeWhenACheckpointMoves() {
        define(StateTable.createIfAbsent(TABLE));
        checkpoint("a", 1);
        assertThat(row("a", row -> true).movedAt()).as("it may be an old one").isEmpty();
        checkpoint("a", 2);
        assertThat(row("a", row -> row.step() == 2).movedAt()).contains(now.get());
        Instant moved = now.get();
        now.set(moved.plusSeconds(1));
        checkpoint("b", 1);
        row("b", row -> true);
        assertThat(row("a", row -> true).movedAt()).as("it stands still").contains(moved);
    }

    @Test
    void shareAConnectionAmongInstances() {
        define(StateTable.createIfAbsent(TABLE));
        for (int i = 0; i < 50; i++) {
            states.of(resource("i" + i));
        }
        checkpoint("i49", 1);
        row("i49", row -> true);
        until("i0", seen -> seen instanceof StateSeen.Absent);
        assertThat(connections).hasValue(1);
    }

    private static Replication byServiceAccount(String name) {
        Replication one = resource(name);
        one.getMetadata().setName(name);
        return Serialization.unmarshal(
                Serialization.asYaml(one)
                        .replace(
                                "anonymous: {}",
                                "serviceAccountToken: {audience: sts, exchange: {endpoint: \"http://sts/token\"}}"),
                Replication.class);
    }

    @Test
    void areReadByEachServiceAccountForItself() {
        for (String name : List.of("shop", "market", "shop")) {
            await(name).atMost(LIMIT).until(() -> states.of(byServiceAccount(name)) instanceof StateSeen.Absent);
        }
        assertThat(connections).hasValue(2);
    }

    @Test
    void areReadAgainAfterTheDatabaseWasAway() {
        define(StateTable.createIfAbsent(TABLE));
        checkpoint("a", 1);
        row("a", row -> true);
        ydb.close();
        StateSeen away = until("a", seen -> seen instanceof StateSeen.Unreachable);
        assertThat(((StateSeen.Unreachable) away).why()).isNotEmpty();
        ydb = emulator();
        define(StateTable.createIfAbsent(TABLE));
        checkpoint("a", 2);
        assertThat(row("a", row -> row.step() == 2).step()).isEqualTo(2);
    }

    @Test
    void areForgottenWhenNobodyAsks() {
        states.of(resource("a"));
        until("a", seen -> seen instanceof StateSeen.Absent);
        now.set(now.get().plus(PERIOD.multipliedBy(100)));
        await("no connection").atMost(LIMIT).until(() -> closed.get() == 1);
        assertThat(states.of(resource("a"))).as("asked for anew").isInstanceOf(StateSeen.NotAsked.class);
        until("a", seen -> seen instanceof StateSeen.Absent);
        assertThat(connections).hasValue(2);
    }
}
