package io.aardappel.access.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.aardappel.access.failure.Cause;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Exchanges the token of a credential file for one that a database takes, after RFC 8693. */
public final class TokenExchange implements Issuer {
    private static final byte[] NO_BODY = {};
    private static final int PROXY_AUTHENTICATION_REQUIRED = 407;
    private static final Set<Integer> PASSING = Set.of(408, 429, 500, 502, 503, 504);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final CredentialFile file;
    private final ExchangeClient client;
    private final InstantSource clock;

    /** @param clock the wall's, for signed tokens */
    public TokenExchange(CredentialFile file, ExchangeClient client, InstantSource clock) {
        this.file = file;
        this.client = client;
        this.clock = clock;
    }

    @Override
    public Issued issue(Duration within) throws IssueException {
        ExchangeRequest request = file.read();
        ExchangeForm form;
        try {
            form = ExchangeForm.of(request, clock.instant());
        } catch (IssueException noToken) {
            throw noToken.about(file.object());
        }
        try {
            HttpResponse<byte[]> response = send(request.endpoint(), form, within);
            byte[] body = Objects.requireNonNullElse(response.body(), NO_BODY); // a proxy that refused has none
            return response.statusCode() == 200
                    ? issued(body, request.scope())
                    : refused(response.statusCode(), body, form);
        } catch (IssueException failed) {
            throw failed.about(file.object() + ": token exchange at " + shown(request.endpoint()));
        }
    }

    /** Without user, password and query, which may hold secrets. */
    private static String shown(URI endpoint) {
        String port = endpoint.getPort() < 0 ? "" : ":" + endpoint.getPort();
        return endpoint.getScheme() + "://" + endpoint.getHost() + port + endpoint.getRawPath();
    }

    /** The client's own time limit ends with the head of the answer; this one takes in its body. */
    private HttpResponse<byte[]> send(URI endpoint, ExchangeForm form, Duration within) throws IssueException {
        CompletableFuture<HttpResponse<byte[]>> answer = client.post(endpoint, form.encoded());
        try {
            return answer.get(Math.max(1, within.toMillis()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw away("no answer within " + within.toMillis() + " ms");
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw away("interrupted while waiting for the answer");
        } catch (ExecutionException failed) {
            throw away(form.redacted(Cause.of(failed)));
        }
    }

    private static IssueException away(String what) {
        return IssueException.passing(what, "See that the token service is well and can be reached from here");
    }

    private static Issued refused(int status, byte[] body, ExchangeForm form) throws IssueException {
        String what = "HTTP " + status + form.redacted(reason(body));
        if (PASSING.contains(status)) {
            throw away(what);
        }
        throw IssueException.lasting(what, remedy(status));
    }

    private static String remedy(int status) {
        if (status == PROXY_AUTHENTICATION_REQUIRED) {
            return "Give user and password of the proxy in HTTPS_PROXY or HTTP_PROXY, as http://USER:PASSWORD@HOST:PORT";
        }
        return status / 100 == 3
                ? "Name the address that it points to; redirects are not followed"
                : "See that the endpoint is right, and that the token service knows the credentials";
    }

    /** What RFC 6749 lets the service say. */
    private static String reason(byte[] body) {
        try {
            JsonNode json = JSON.readTree(body);
            String error = json.path("error").asText();
            String description = json.path("error_description").asText();
            return (error.isEmpty() ? "" : ", " + error) + (description.isEmpty() ? "" : ": " + description);
        } catch (IOException noJson) {
            return "";
        }
    }

    private static Issued issued(byte[] body, String scope) throws IssueException {
        JsonNode json;
        try {
            json = JSON.readTree(body);
        } catch (JsonProcessingException noJson) { // its message quotes the answer
            throw unusable("is no JSON");
        } catch (IOException impossible) {
            throw unusable("cannot be read");
        }
        String token = json.path("access_token").asText();
        if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw unusable(token.isEmpty() ? "has no access_token" : "has an access_token that cannot be sent");
        }
        if (!json.path("token_type").asText().equalsIgnoreCase("bearer")) {
            throw unusable("has another token_type than bearer");
        }
        JsonNode seconds = json.path("expires_in");
        if (!seconds.canConvertToLong() || seconds.asLong() <= 0) {
            throw unusable("has no expires_in above zero");
        }
        String granted = json.path("scope").asText();
        if (!scope.isEmpty() && !granted.isEmpty() && !words(granted).equals(words(scope))) {
            throw unusable("grants another scope than was asked for");
        }
        return new Issued("Bearer " + token, Duration.ofSeconds(Math.min(seconds.asLong(), Integer.MAX_VALUE)));
    }

    private static Set<String> words(String scope) {
        return Set.copyOf(List.of(scope.strip().split(" +")));
    }

    private static IssueException unusable(String fault) {
        return IssueException.lasting("the answer " + fault, "See that this is the address of a token exchange");
    }
}
