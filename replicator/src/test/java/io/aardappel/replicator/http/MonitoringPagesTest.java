package io.aardappel.replicator.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.aardappel.program.http.PageServer;
import io.aardappel.replicator.engine.EngineStatus.Blocking;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The monitoring server")
class MonitoringPagesTest {
    private final StatusSource source = Snapshots.source(Snapshots.active());
    private final ReplicatorMetrics metrics =
            new ReplicatorMetrics(Snapshots.LABELS, Duration.ofSeconds(3), Snapshots.TICKER, source);
    private final PageServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    MonitoringPagesTest() throws IOException {
        server = new MonitoringPages("shop", Snapshots.LABELS, Duration.ofSeconds(1), Snapshots.TICKER, source, metrics)
                .serve(new InetSocketAddress("127.0.0.1", 0));
    }

    @AfterEach
    void close() {
        server.close();
        metrics.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/metrics, 200, text/plain; version=0.0.4; charset=utf-8",
        "/readyz,  200, text/plain; charset=utf-8",
        "/livez,   200, text/plain; charset=utf-8",
        "/status,  200, application/json",
        "/,        404, text/plain; charset=utf-8",
        "/statusx, 404, text/plain; charset=utf-8"
    })
    void answers(String path, int code, String type) throws Exception {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).isEqualTo(code);
        assertThat(response.headers().firstValue("Content-Type")).contains(type);
    }

    @Test
    void tellsTheStatusAsJson() throws Exception {
        JsonNode status = new ObjectMapper().readTree(get("/status").body());
        assertThat(status.path("mode").asText()).isEqualTo("active");
        assertThat(status.path("stage").asText()).isEqualTo("RUN");
        assertThat(status.path("checkpoint").path("tx").asText()).isEqualTo("18446744073709551615");
        assertThat(status.path("lagSeconds").asDouble()).isEqualTo(2.5);
        assertThat(status.path("lock").path("held").asBoolean()).isTrue();
    }

    @Test
    void tellsHowLongHistoryIsKept() throws Exception {
        JsonNode streams = new ObjectMapper().readTree(get("/status").body()).path("streams");

        assertThat(streams.path(0).path("history").path("leftSeconds").asDouble())
                .isEqualTo(7_200.5);
        assertThat(streams.path(0).path("history").path("retentionSeconds").asDouble())
                .isEqualTo(86_400);
        assertThat(streams.path(1).path("history").isNull()).isTrue();
    }

    @Test
    void namesWhatProgressWaitsFor() throws Exception {
        JsonNode blocking = new ObjectMapper().readTree(get("/status").body()).path("blocking");
        assertThat(blocking.path("stream").asText()).isEqualTo("orders/feed");
        assertThat(blocking.path("partition").asInt()).isEqualTo(1);
        assertThat(blocking.path("since").asText()).isEqualTo("2027-01-15T07:59:53Z");
        assertThat(blocking.path("why").asText()).isEqualTo("no heartbeat for 7 s");
    }

    @Test
    void tellsWhatAProcessWithoutTheLockKnewLast() throws Exception {
        JsonNode page = new ObjectMapper()
                .readTree(new StatusPage("shop", Snapshots.LABELS)
                        .render(
                                Optional.of(Snapshots.standby(
                                        new Blocking(Blocking.Reason.DESTINATION, "", -1, 0, "no answer"))),
                                List.of(),
                                Snapshots.NOW));

        assertThat(page.path("checkpoint").isNull()).isTrue();
        assertThat(page.has("lagSeconds")).isFalse();
        assertThat(page.path("lastKnownCheckpoint").path("step").asText()).isEqualTo("1799999990000");
        assertThat(page.path("notConfirmedSince").asText()).isEqualTo("2027-01-15T07:59:51Z");
    }

    @Test
    void saysWhatAStartWaitsForBeforeThereIsAnEngine() throws Exception {
        JsonNode page = new ObjectMapper()
                .readTree(new StatusPage("shop", Snapshots.LABELS)
                        .render(Optional.empty(), List.of("the source database: it cannot be reached"), Snapshots.NOW));

        assertThat(page.path("mode").asText()).isEqualTo("preflight");
        assertThat(page.path("waitsFor")).hasSize(1);
        assertThat(page.path("waitsFor").path(0).asText()).isEqualTo("the source database: it cannot be reached");
    }

    @Test
    void listsStreamsWithTheirMostSilentPartitionsFirst() throws Exception {
        JsonNode orders = new ObjectMapper()
                .readTree(get("/status").body())
                .path("streams")
                .path(1);
        assertThat(orders.path("tag").asText()).isEqualTo("orders \"new\"");
        assertThat(orders.path("partitions").path(0).path("partition").asInt()).isEqualTo(1);
    }

    @Test
    @Timeout(10)
    @DisplayName("ends while a request is under way")
    void endsDuringARequestB33() throws Exception {
        try (Socket half = new Socket("127.0.0.1", server.address().getPort())) {
            half.getOutputStream().write("GET /metrics HTTP/1.1\r\nHost: h\r\n".getBytes(StandardCharsets.US_ASCII));
            half.getOutputStream().flush();
            get("/readyz"); // the server has come past the half request

            server.close();
            assertThat(half.getInputStream().read()).isEqualTo(-1);
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
