package io.aardappel.access.auth;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.nimbusds.jose.JWSAlgorithm;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The JSON that says how to get tokens, in both forms that the Go program takes. In one, members lie at the top and
 * are written with hyphens; in the other they lie under {@code oauth2_token_exchange} and are written with
 * underscores, and may name resource, audience and scope, which the Go program sends in the first form only. It is
 * read anew at every exchange, so that a key replaced in it is used without a restart.
 *
 * @param content the file, or what takes its place
 * @param files those that it names
 * @param endpointKey the configuration's key with the endpoint to be used instead of the file's, empty where there is
 * none
 * @param endpoint to be used instead of the file's
 */
public record CredentialFile(Content content, NamedFiles files, String endpointKey, Optional<String> endpoint) {
    private static final String SECOND_FORM = "oauth2_token_exchange";
    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A file of this machine, which may name others.
     *
     * @param key the configuration's key with its path
     * @param endpointKey the configuration's key with the endpoint to be used instead of the file's
     */
    public CredentialFile(String key, Path file, String endpointKey, Optional<String> endpoint) {
        this(
                new FileContent(key + " = \"" + file + "\"", file, "credential file", false),
                NamedFiles.ofThisMachine(),
                endpointKey,
                endpoint);
    }

    /** The file with its key, for messages. */
    String object() {
        return content.name();
    }

    /**
     * Reads it whole.
     *
     * @throws IssueException naming the file and everything that is wrong in it
     */
    ExchangeRequest read() throws IssueException {
        List<String> problems = new ArrayList<>();
        Fields root = new Fields("", json(), problems);
        ExchangeRequest request = root.text("type").equalsIgnoreCase(SECOND_FORM) ? second(root) : first(root);
        if (!problems.isEmpty()) {
            throw wrong(String.join("; ", problems), "Correct the file");
        }
        return request;
    }

    private JsonNode json() throws IssueException {
        try {
            JsonNode json = JSON.readTree(content.text());
            if (json.isObject()) {
                return json;
            }
            throw wrong("the credential file holds no JSON object", "Write one");
        } catch (JsonProcessingException malformed) { // its message quotes the file
            JsonLocation at = malformed.getLocation();
            String place = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
            throw wrong("the credential file is no JSON" + place, "Correct it there or just before");
        }
    }

    private IssueException wrong(String fault, String remedy) {
        return IssueException.lasting(object() + ": " + fault, remedy);
    }

    private ExchangeRequest first(Fields root) {
        return new ExchangeRequest(
                endpoint(root, "token-endpoint"),
                root.text("grant-type", ExchangeRequest.GRANT_TYPE),
                root.text("requested-token-type", ExchangeRequest.ACCESS_TOKEN),
                root.texts("res"),
                root.texts("aud"),
                String.join(" ", root.texts("scope")),
                root.object("subject-credentials").map(CredentialFile::origin).orElse(null),
                root.object("actor-credentials").map(CredentialFile::origin).orElse(null));
    }

    private ExchangeRequest second(Fields root) {
        Fields body = part(root, SECOND_FORM);
        Fields payload = part(body, "payload");
        return new ExchangeRequest(
                endpoint(part(body, "exchanger"), "endpoint"),
                payload.text("grant_type", ExchangeRequest.GRANT_TYPE),
                payload.text("requested_token_type", ExchangeRequest.ACCESS_TOKEN),
                payload.texts("resource"),
                payload.texts("audience"),
                String.join(" ", payload.texts("scope")),
                origin(payload, "subject_token", "subject_token_type"),
                origin(payload, "actor_token", "actor_token_type"));
    }

    /** A part that is not there is as good as an empty one: what is missing in it is complained of. */
    private static Fields part(Fields fields, String name) {
        return fields.object(name)
                .orElseGet(() -> new Fields(fields.pathOf(name), MissingNode.getInstance(), fields.problems()));
    }

    /** That of the configuration wins. The answer is of no use after a complaint. */
    private URI endpoint(Fields fields, String name) {
        String text = endpoint.orElseGet(() -> fields.text(name));
        if (text.isEmpty()) {
            fields.wrong(name, endpointKey.isEmpty() ? "is missing" : "is missing, and so is " + endpointKey);
            return URI.create("");
        }
        try {
            URI uri = new URI(text);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                return uri;
            }
        } catch (URISyntaxException malformed) {
            // told below: its message quotes the whole, which may hold a password
        }
        String fault = "is no http:// or https:// address";
        if (endpoint.isPresent()) {
            fields.problems().add(endpointKey + " " + fault);
        } else {
            fields.wrong(name, fault);
        }
        return URI.create("");
    }

    private static @Nullable TokenOrigin origin(Fields credentials) {
        String type = credentials.requiredText("type");
        if (type.equalsIgnoreCase("FIXED")) {
            return new TokenOrigin.Fixed(credentials.requiredText("token"), credentials.requiredText("token-type"));
        }
        if (type.equalsIgnoreCase("JWT")) {
            return signed(credentials);
        }
        if (!type.isEmpty()) {
            credentials.wrong("type", "must be FIXED or JWT");
        }
        return null;
    }

    private static @Nullable TokenOrigin signed(Fields credentials) {
        String name = credentials.requiredText("alg");
        String key = credentials.requiredText("private-key");
        Optional<JWSAlgorithm> algorithm = SigningKeys.algorithm(name);
        if (algorithm.isEmpty() && !name.isEmpty()) {
            credentials.wrong("alg", "must be one of " + String.join(", ", SigningKeys.algorithms()));
        }
        JwtSigner.Claims claims = new JwtSigner.Claims(
                credentials.text("kid"),
                credentials.text("iss"),
                credentials.text("sub"),
                credentials.text("jti"),
                credentials.texts("aud"));
        Duration lifetime = lifetime(credentials);
        if (algorithm.isEmpty() || key.isEmpty()) {
            return null;
        }
        try {
            return new TokenOrigin.Signed(
                    new JwtSigner(SigningKeys.signer(algorithm.get(), key), algorithm.get(), claims, lifetime));
        } catch (GeneralSecurityException unfit) {
            credentials.wrong("private-key", String.valueOf(unfit.getMessage()));
            return null;
        }
    }

    private static Duration lifetime(Fields credentials) {
        String text = credentials.text("ttl");
        if (text.isEmpty()) {
            return LIFETIME;
        }
        Optional<Duration> ttl = GoDuration.parse(text);
        if (ttl.isEmpty()) {
            credentials.wrong("ttl", "must be a duration above zero, such as 1h30m");
        }
        return ttl.orElse(LIFETIME);
    }

    /** Of the second form; one whose type is empty is left out, as the Go program does. */
    private @Nullable TokenOrigin origin(Fields payload, String name, String typeName) {
        Optional<Fields> token = payload.object(name);
        if (token.isEmpty()) {
            return null;
        }
        Fields fields = token.get();
        String kind = fields.text("type");
        if (kind.isEmpty()) {
            return null;
        }
        String type = payload.requiredText(typeName);
        if (kind.equalsIgnoreCase("value")) {
            return new TokenOrigin.Fixed(fields.requiredText("value"), type);
        }
        if (!kind.equalsIgnoreCase("file")) {
            fields.wrong("type", "must be value or file");
            return null;
        }
        String path = fields.requiredText("file");
        try {
            return new TokenOrigin.InFile(files.at(fields.pathOf("file"), path), type);
        } catch (InvalidPathException invalid) {
            fields.wrong("file", "is no path");
            return null;
        }
    }
}
