package io.aardappel.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.Stream;
import io.aardappel.emulator.YdbEmulator;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;

@DisplayName("Streams that a resource newly names")
class CheckedStreamsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static YdbEmulator ydb;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-04T05:06:07Z"));
    private final AtomicInteger opened = new AtomicInteger();
    private CheckedStreams checks;

    @BeforeAll
    static void define() {
        ydb = YdbEmulator.builder().database("/local").start();
        try (GrpcTransport transport = transport();
                QueryClient client = QueryClient.newClient(transport).build()) {
            for (String statement : List.of(
                    "CREATE TABLE goods (id Int64 NOT NULL, PRIMARY KEY (id));",
                    "ALTER TABLE goods ADD CHANGEFEED feed WITH (FORMAT = 'JSON', MODE = 'UPDATES');",
                    "ALTER TOPIC `goods/feed` ADD CONSUMER copy;")) {
                SessionRetryContext.create(client)
                        .build()
                        .supplyResult(session -> QueryReader.readFrom(session.createQuery(statement, TxMode.NONE)))
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join()
                        .getStatus()
                        .expectSuccess(statement);
            }
        }
    }

    @AfterAll
    static void end() {
        ydb.close();
    }

    @BeforeEach
    void begin() {
        checks = new CheckedStreams(
                resource -> {
                    opened.incrementAndGet();
                    return transport();
                },
                resource -> transport(),
                now::get,
                1);
    }

    @AfterEach
    void close() {
        checks.close();
    }

    private static GrpcTransport transport() {
        return GrpcTransport.forConnectionString(ydb.connectionString())
                .withConnectTimeout(Duration.ofSeconds(5))
                .build();
    }

    private static Replication resource() {
        return Serialization.unmarshal("""
                apiVersion: aardappel.ydb.tech/v1alpha1
                kind: Replication
                metadata: {name: shop, namespace: copies, uid: 7a1f}
                spec:
                  source: {connectionString: "grpc://source:2136/local", auth: {anonymous: {}}}
                  destination: {connectionString: "grpc://copy:2136/local", auth: {anonymous: {}}}
                  stateTable: repl_state
                  streams: []
                """, Replication.class);
    }

    private static Stream stream(String topic, String consumer, String table) {
        return new Stream(topic, consumer, table, null, null);
    }

    private Map<Stream, String> said(CheckedStreams checks, Stream... streams) {
        return await("an answer")
                .atMost(LIMIT)
                .until(() -> checks.of(resource(), List.of(streams)), said -> !said.isEmpty());
    }

    @Test
    @DisplayName("have no flaw where topic, consumer and table are there")
    void good() {
        Stream good = stream("goods/feed", "copy", "goods");
        Stream absolute = stream("/local/goods/feed", "copy", "/local/goods");
        assertThat(said(checks, good, absolute)).isEqualTo(Map.of(good, "", absolute, ""));
    }

    @Test
    @DisplayName("are told by what is not there")
    void flawed() {
        Stream topic = stream("good/feed", "copy", "goods");
        Stream consumer = stream("goods/feed", "cpoy", "goods");
        Stream table = stream("goods/feed", "copy", "good");
        Map<Stream, String> said = said(checks, topic, consumer, table);
        assertThat(said.get(topic)).contains("the source has no topic /local/good/feed");
        assertThat(said.get(consumer)).isEqualTo("topic /local/goods/feed has no consumer cpoy");
        assertThat(said.get(table)).contains("the destination has no table /local/good");
    }

    @Test
    @DisplayName("are asked about once a minute, and anew when they change")
    void seldom() {
        Stream first = stream("goods/feed", "copy", "goods");
        Stream second = stream("goods/feed", "cpoy", "goods");
        said(checks, first);
        said(checks, first);
        assertThat(opened).hasValue(1);
        now.set(now.get().plusSeconds(61));
        said(checks, first);
        await("another look").atMost(LIMIT).until(() -> opened.get() == 2);
        said(checks, second);
        assertThat(opened).hasValue(3);
        assertThat(checks.of(resource(), List.of())).isEmpty();
    }

    @Test
    @DisplayName("cannot be checked while a database is away, and say so")
    void away() {
        try (CheckedStreams blind = new CheckedStreams(
                resource -> {
                    throw new IllegalStateException("source: no route. Mend it");
                },
                resource -> transport(),
                now::get,
                1)) {
            Stream one = stream("goods/feed", "copy", "goods");
            assertThat(said(blind, one)).isEqualTo(Map.of(one, "it cannot be checked, source: no route. Mend it"));
        }
    }
}
