package io.aardappel.emulator.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.table.TableSpec.Partitioning;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TopicMessage;
import io.aardappel.emulator.model.topic.TopicSpec;
import io.aardappel.emulator.model.value.Type.Primitive;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The control interface")
class ControlServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final YdbEmulator emulator =
            YdbEmulator.builder().control("localhost", 0).start();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        emulator.close();
    }

    private record Reply(int status, JsonNode body) {}

    private Reply send(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://" + emulator.controlEndpoint().orElseThrow() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .timeout(Duration.ofSeconds(10))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        return new Reply(response.statusCode(), JSON.readTree(response.body()));
    }

    @Test
    void tellsThatItIsWell() throws Exception {
        assertThat(send("GET", "/health", "").body().path("status").asText()).isEqualTo("ok");
    }

    @Test
    void putsARuleInForce() throws Exception {
        Reply reply = send(
                "POST",
                "/faults",
                "{\"fault\":\"commit-late\",\"path\":\"/local/t\",\"operations\":[\"commit\"],\"count\":2,\"delayMs\":50}");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(emulator.faults().active()).singleElement().satisfies(active -> {
            assertThat(active.rule().fault()).isEqualTo(Fault.COMMIT_LATE);
            assertThat(active.rule().path()).isEqualTo("/local/t");
            assertThat(active.rule().operations()).containsExactly(Operation.COMMIT);
            assertThat(active.rule().count()).isEqualTo(2);
            assertThat(active.rule().delay()).isEqualTo(Duration.ofMillis(50));
        });
    }

    @Test
    void takesRightsAwayAndGivesThemBack() throws Exception {
        String rights = "{\"user\":\"ann\",\"path\":\"/local/t\",\"%s\":[\"read\",\"write\"]}";
        assertThat(send("POST", "/access", rights.formatted("revoke"))
                        .body()
                        .path("revoked")
                        .asInt())
                .isEqualTo(2);
        assertThat(send("POST", "/access", rights.formatted("grant"))
                        .body()
                        .path("granted")
                        .asInt())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"revoke\":[\"rule\"]", "\"revoke\":\"read\"", "\"revokes\":[\"read\"]"})
    void refusesRightsThatItDoesNotUnderstand(String rights) throws Exception {
        Reply answer = send("POST", "/access", "{\"user\":\"ann\",\"path\":\"/local/t\"," + rights + "}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("error").asText()).contains("describe, read");
    }

    @Test
    void showsRulesAndHowOftenFaultsFired() throws Exception {
        send("POST", "/faults", "{\"fault\":\"aborted\",\"count\":1}");
        emulator.faults().strike(Fault.ABORTED, Site.of("/local", Operation.QUERY));
        JsonNode faults = send("GET", "/faults", "").body();
        assertThat(faults.path("rules").get(0).path("fired").asLong()).isEqualTo(1);
        assertThat(faults.path("fired").path("aborted").asLong()).isEqualTo(1);
    }

    @Test
    void takesARuleOutOfForce() throws Exception {
        long id = send("POST", "/faults", "{\"fault\":\"aborted\"}")
                .body()
                .path("id")
                .asLong();
        assertThat(send("DELETE", "/faults/" + id, "").status()).isEqualTo(200);
        assertThat(emulator.faults().active()).isEmpty();
    }

    @Test
    void refusesAnUnknownFaultAndListsTheKnownOnes() throws Exception {
        Reply reply = send("POST", "/faults", "{\"fault\":\"earthquake\"}");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body().path("error").asText())
                .startsWith("unknown fault 'earthquake', known are aborted, bad-session");
    }

    @Test
    void refusesAnUnknownKey() throws Exception {
        assertThat(send("POST", "/faults", "{\"fault\":\"aborted\",\"cuont\":1}")
                        .body()
                        .path("error")
                        .asText())
                .startsWith("unknown key 'cuont'");
    }

    @Test
    void refusesWhatIsNoJson() throws Exception {
        assertThat(send("POST", "/faults", "{").status()).isEqualTo(400);
    }

    @Test
    void knowsNoOtherPaths() throws Exception {
        assertThat(send("GET", "/nothing", "").status()).isEqualTo(404);
    }

    @Test
    void splitsAndMergesShards() throws Exception {
        emulator.database()
                .createTable(
                        new TableSpec(
                                "/local/t",
                                List.of(Column.notNull("id", Primitive.INT64)),
                                List.of("id"),
                                Partitioning.ONE,
                                List.of(),
                                Map.of()),
                        false);
        send("POST", "/shards/split", "{\"path\":\"/local/t\",\"at\":[100]}");
        assertThat(emulator.database().describeTable("/local/t").shards()).hasSize(2);
        send("POST", "/shards/merge", "{\"path\":\"/local/t\",\"shard\":0}");
        assertThat(emulator.database().describeTable("/local/t").shards()).hasSize(1);
    }

    @Test
    void saysWhyAShardCannotBeSplit() throws Exception {
        Reply reply = send("POST", "/shards/split", "{\"path\":\"/local/none\",\"at\":[1]}");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body().path("error").asText()).contains("/local/none");
    }

    @Test
    void splitsAPartition() throws Exception {
        emulator.database()
                .createTopic(
                        new TopicSpec("/local/q", 1, 0, true, Duration.ofHours(1), List.of(), List.of(), Map.of()),
                        false);
        Reply reply = send("POST", "/partitions/split", "{\"path\":\"/local/q\",\"partition\":0}");
        assertThat(reply.body().path("children")).hasSize(2);
    }

    @Test
    void makesTopicsForgetByAClockThatJumped() throws Exception {
        emulator.database()
                .createTopic(
                        new TopicSpec("/local/q", 1, 0, false, Duration.ofHours(1), List.of(), List.of(), Map.of()),
                        false);
        Topic topic = emulator.topics("/local").get("/local/q");
        topic.append(
                0, List.of(new TopicMessage("", 0, 0, System.currentTimeMillis(), 1, 1, Map.of(), new byte[] {1})));

        send("POST", "/clock/jump", "{\"database\":\"/local\",\"ms\":3700000}");

        await().atMost(Duration.ofSeconds(10)).until(() -> !topic.hasMessages());
    }

    @Test
    void restartsTheNode() throws Exception {
        assertThat(send("POST", "/node/restart", "").body().path("restarted").asBoolean())
                .isTrue();
    }
}
