package io.aardappel.emulator.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.aardappel.emulator.YdbEmulator;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The token service")
class TokenServiceTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SUBJECT = "&subject_token_type=jwt&subject_token=";

    private final YdbEmulator ydb = YdbEmulator.builder()
            .tokenService("localhost", 0)
            .control("localhost", 0)
            .start();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        ydb.close();
    }

    private record Reply(int status, JsonNode body) {
        String text(String field) {
            return body.path(field).asText();
        }
    }

    private Reply exchange(String subject) throws IOException, InterruptedException {
        return post("grant_type=" + URLEncoder.encode(TokenDesk.GRANT_TYPE, StandardCharsets.UTF_8) + subject);
    }

    private Reply post(String form) throws IOException, InterruptedException {
        return send(ydb.tokenEndpoint().orElseThrow(), "application/x-www-form-urlencoded", form);
    }

    private Reply command(String path, String body) throws IOException, InterruptedException {
        return send(URI.create("http://" + ydb.controlEndpoint().orElseThrow() + path), "application/json", body);
    }

    private Reply send(URI where, String type, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(where)
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .timeout(Duration.ofSeconds(2))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        return new Reply(response.statusCode(), JSON.readTree(response.body()));
    }

    private boolean knows(String ticket) {
        return ydb.accounts().userOf("Bearer " + ticket).isPresent();
    }

    @Test
    void makesCallsWithoutATicketRefused() {
        assertThat(ydb.accounts().userOf(null)).isEmpty();
    }

    @Test
    void issuesATicketThatIsKnown() throws Exception {
        Reply reply = exchange(SUBJECT + "any");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text("token_type")).isEqualTo("Bearer");
        assertThat(reply.body().path("expires_in").asLong()).isEqualTo(3_600);
        assertThat(knows(reply.text("access_token"))).isTrue();
    }

    @Test
    void remembersWhatItWasAsked() throws Exception {
        exchange(SUBJECT + "a+b&resource=x&resource=y");
        assertThat(ydb.tokenDesk().requests()).singleElement().satisfies(form -> {
            assertThat(form).containsEntry("subject_token", List.of("a b"));
            assertThat(form).containsEntry("resource", List.of("x", "y"));
        });
    }

    @Test
    void echoesTheScope() throws Exception {
        assertThat(exchange(SUBJECT + "any&scope=one+two").text("scope")).isEqualTo("one two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"grant_type=password", "", "grant_type"})
    void knowsOneGrantTypeOnly(String form) throws Exception {
        Reply reply = post(form);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("error")).isEqualTo("unsupported_grant_type");
    }

    @Test
    void wantsASubject() throws Exception {
        assertThat(exchange("&subject_token=any").text("error_description")).contains("subject_token_type");
    }

    @Test
    void expiresWhatItIssued() throws Exception {
        String ticket = exchange(SUBJECT + "any").text("access_token");
        command("/tokens/expire", "");
        assertThat(knows(ticket)).isFalse();
    }

    @Test
    void tellsTheLifetimeItWasGiven() throws Exception {
        command("/tokens", "{\"lifetimeMs\": 2000}");
        assertThat(exchange(SUBJECT + "any").body().path("expires_in").asLong()).isEqualTo(2);
    }

    @Test
    void refusesAsOftenAsItIsTold() throws Exception {
        command("/tokens", "{\"status\": 503, \"count\": 2}");
        assertThat(List.of(
                        exchange(SUBJECT + "any").status(),
                        exchange(SUBJECT + "any").status(),
                        exchange(SUBJECT + "any").status()))
                .containsExactly(503, 503, 200);
        assertThat(command("/tokens", "{}").body().path("issued").asInt()).isEqualTo(1);
    }

    @Test
    void holdsItsAnswersBack() throws Exception {
        command("/tokens", "{\"delayMs\": 60000}");
        assertThatThrownBy(() -> exchange(SUBJECT + "any")).isInstanceOf(HttpTimeoutException.class);
    }

    @Test
    void takesOnlyTheTokenThatTookTheOthersPlace() throws Exception {
        command("/tokens", "{\"subjects\": [\"second\"]}");
        assertThat(exchange(SUBJECT + "first").text("error")).isEqualTo("invalid_grant");
        assertThat(exchange(SUBJECT + "second").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"lifetimeMs\": 10}", "{\"status\": 200}", "{\"count\": 1}", "{\"lifetime\": 1}"})
    void refusesCommandsThatMakeNoSense(String body) throws Exception {
        assertThat(command("/tokens", body).status()).isEqualTo(400);
    }
}
