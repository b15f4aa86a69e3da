package io.aardappel.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.aardappel.crds.api.Replication;
import io.aardappel.operator.plan.PageSeen;
import io.aardappel.program.http.PageServer;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.Ticker;
import io.aardappel.replicator.http.MonitoringPages;
import io.aardappel.replicator.http.ReplicatorMetrics;
import io.aardappel.replicator.http.StatusSource;
import io.aardappel.replicator.http.StreamLabels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pages of pods")
class PolledPagesTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration PERIOD = Duration.ofMillis(20);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-04T05:06:07Z"));
    private final AtomicInteger failed = new AtomicInteger();
    private final PolledPages pages =
            new PolledPages(now::get, PERIOD, 2, (took, answered) -> failed.addAndGet(answered ? 0 : 1));
    private final Replication resource = new Replication();

    PolledPagesTest() {
        resource.setMetadata(
                new ObjectMetaBuilder().withName("shop").withUid("7a1f").build());
    }

    @AfterEach
    void close() {
        pages.close();
    }

    private static Pod pod(int port) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("shop-replicator-1")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("replicator")
                .addNewPort()
                .withName("metrics")
                .withContainerPort(port)
                .endPort()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPodIP("127.0.0.1")
                .endStatus()
                .build();
    }

    private PageSeen until(int port, Predicate<PageSeen> wanted) {
        return await("the page").atMost(LIMIT).until(() -> pages.of(resource, Optional.of(pod(port))), wanted);
    }

    private PageSeen answer(int port) {
        return until(port, seen -> !(seen instanceof PageSeen.NotAsked));
    }

    private static HttpServer serving(int code, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        server.createContext("/status", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(code, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
        return server;
    }

    private PageSeen answerTo(int code, String body) throws IOException {
        HttpServer server = serving(code, body);
        try {
            return answer(server.getAddress().getPort());
        } finally {
            server.stop(0);
        }
    }

    /** Of a replicator in this state. */
    private PageSeen pageOf(Optional<EngineStatus> status, List<String> waitsFor) throws IOException {
        StatusSource source = new StatusSource() {
            @Override
            public Optional<EngineStatus> status() {
                return status;
            }

            @Override
            public List<String> waitsFor() {
                return waitsFor;
            }

            @Override
            public long sinceTurnMillis() {
                return 0;
            }
        };
        StreamLabels labels = new StreamLabels(List.of());
        try (ReplicatorMetrics metrics = new ReplicatorMetrics(labels, Duration.ofSeconds(1), Ticker.system(), source);
                PageServer server = new MonitoringPages(
                                "shop", labels, Duration.ofSeconds(1), Ticker.system(), source, metrics)
                        .serve(new InetSocketAddress("127.0.0.1", 0))) {
            return answer(server.address().getPort());
        }
    }

    private static EngineStatus active(Stage stage, boolean aligned, EngineStatus.Blocking... blocking) {
        return new EngineStatus(
                1_000,
                EngineStatus.Mode.ACTIVE,
                Optional.of(stage),
                Optional.of(Position.ZERO),
                stage == Stage.RUN ? ScanPhase.NONE : ScanPhase.APPLYING,
                Position.ZERO,
                new EngineStatus.Lock(true, "lock_shop-replicator-1_0b1c", 500, 9_000),
                aligned,
                0,
                0,
                1 << 20,
                Optional.empty(),
                List.of(blocking).stream().findFirst(),
                900,
                List.of(),
                EngineStatus.Totals.NONE,
                Optional.empty(),
                Optional.empty());
    }

    private static PageSeen told(PageSeen.Alignment alignment, PageSeen.Blocking... blocking) {
        return new PageSeen.Page(
                "shop-replicator-1",
                "active",
                List.of(),
                List.of(blocking).stream().findFirst(),
                alignment);
    }

    @Test
    void tellWhatAReplicatorWaitsForAtItsStart() throws IOException {
        assertThat(pageOf(Optional.empty(), List.of("the source does not answer")))
                .isEqualTo(new PageSeen.Page(
                        "shop-replicator-1",
                        "preflight",
                        List.of("the source does not answer"),
                        Optional.empty(),
                        PageSeen.Alignment.UNTOLD));
    }

    @Test
    void tellWhetherTheTablesAreASnapshot() throws IOException {
        assertThat(pageOf(Optional.of(active(Stage.RUN, true)), List.of()))
                .isEqualTo(told(PageSeen.Alignment.SNAPSHOT));
    }

    @Test
    void tellThatTheTablesAreBeingScanned() throws IOException {
        assertThat(pageOf(Optional.of(active(Stage.INITIAL_SCAN, false)), List.of()))
                .isEqualTo(told(PageSeen.Alignment.SCANNED));
    }

    @Test
    void tellThatOthersMovedTheCheckpoint() throws IOException {
        assertThat(pageOf(Optional.of(active(Stage.RUN, false)), List.of()))
                .isEqualTo(told(PageSeen.Alignment.CATCHING_UP));
    }

    @Test
    void tellOfAColumnThatIsMissing() throws IOException {
        EngineStatus.Blocking column = new EngineStatus.Blocking(
                EngineStatus.Blocking.Reason.SCHEMA, "goods/feed", 3, 900, "the table goods lacks price");
        assertThat(pageOf(Optional.of(active(Stage.RUN, true, column)), List.of()))
                .isEqualTo(told(
                        PageSeen.Alignment.SNAPSHOT,
                        new PageSeen.Blocking("schema", "goods/feed", "the table goods lacks price")));
    }

    @Test
    void tellWhatProgressWaitsForHoweverManyStreamsFollow() throws IOException {
        String body = """
                {"instanceId": "shop", "mode": "active", "checkpoint": {"step": "1", "tx": "2"},
                 "blocking": {"reason": "source", "stream": "goods/feed", "partition": 3, "since": "x", "why": "no answer"},
                 "problem": null, "streams": [""" + "\"\",".repeat(200_000) + "\"\"]}";
        assertThat(answerTo(200, body))
                .isEqualTo(new PageSeen.Page(
                        "shop-replicator-1",
                        "active",
                        List.of(),
                        Optional.of(new PageSeen.Blocking("source", "goods/feed", "no answer")),
                        PageSeen.Alignment.UNTOLD));
        assertThat(failed).hasValue(0);
    }

    @Test
    void areMissedWhereThereIsNoneOrAnotherOne() throws IOException {
        assertThat(answerTo(503, "{}")).isEqualTo(unreachable("it answers with status 503"));
        assertThat(failed.get()).isPositive();
    }

    @Test
    void areMissedWhereSomethingElseAnswers() throws IOException {
        assertThat(answerTo(200, "[]")).isEqualTo(unreachable("the page is no JSON object"));
    }

    private static PageSeen unreachable(String why) {
        return new PageSeen.Unreachable("shop-replicator-1", why);
    }

    @Test
    void followThePodThatIsToBeAsked() throws IOException {
        HttpServer first = serving(200, "{\"mode\": \"active\"}");
        HttpServer second = serving(200, "{\"mode\": \"standby\"}");
        try {
            int port = first.getAddress().getPort();
            until(
                    port,
                    seen -> seen instanceof PageSeen.Page page && page.mode().equals("active"));
            int other = second.getAddress().getPort();
            assertThat(pages.of(resource, Optional.of(pod(other)))).isInstanceOf(PageSeen.NotAsked.class);
            until(
                    other,
                    seen -> seen instanceof PageSeen.Page page && page.mode().equals("standby"));
            assertThat(pages.of(resource, Optional.empty())).isInstanceOf(PageSeen.NotAsked.class);
        } finally {
            first.stop(0);
            second.stop(0);
        }
    }

    @Test
    void areForgottenWhenNobodyAsks() throws IOException {
        HttpServer server = serving(200, "{\"mode\": \"active\"}");
        try {
            int port = server.getAddress().getPort();
            until(port, seen -> seen instanceof PageSeen.Page);
            await("forgotten").atMost(LIMIT).until(() -> {
                boolean anew = pages.of(resource, Optional.of(pod(port))) instanceof PageSeen.NotAsked;
                now.set(now.get().plus(PERIOD.multipliedBy(100)));
                return anew;
            });
        } finally {
            server.stop(0);
        }
    }
}
