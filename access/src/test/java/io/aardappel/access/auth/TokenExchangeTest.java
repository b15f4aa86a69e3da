package io.aardappel.access.auth;

import static io.aardappel.emulator.junit.KnownSecrets.MARKER;
import static io.aardappel.emulator.junit.KnownSecrets.note;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.aardappel.access.ydb.TrustedAuthorities;
import io.aardappel.emulator.grpc.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A token exchange")
class TokenExchangeTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final String SECRET = MARKER;
    private static final String FIXED =
            "\"subject-credentials\":{\"type\":\"fixed\",\"token\":\"" + SECRET + "\",\"token-type\":\"urn:t\"}";

    @TempDir
    private Path folder;

    private TokenService service;

    @BeforeEach
    void start() throws IOException {
        service = new TokenService();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private Path file(String json) throws IOException {
        return Files.writeString(folder.resolve("credentials.json"), json);
    }

    private TokenExchange exchange(Path file, Optional<String> endpoint, Map<String, String> environment) {
        try {
            return exchange(file, endpoint, environment, SSLContext.getDefault());
        } catch (NoSuchAlgorithmException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static TokenExchange exchange(
            Path file, Optional<String> endpoint, Map<String, String> environment, SSLContext trusted) {
        return new TokenExchange(
                new CredentialFile("src_oauth2_file", file, "src_oauth2_endpoint", endpoint),
                new ExchangeClient(environment, trusted, WITHIN),
                () -> NOW);
    }

    private TokenExchange exchange(String json) throws IOException {
        return exchange(file(json), Optional.of(service.endpoint()), Map.of());
    }

    private IssueException refused(String json) throws IOException {
        return refused(exchange(json));
    }

    private static IssueException refused(TokenExchange exchange) {
        IssueException refused =
                catchThrowableOfType(IssueException.class, () -> exchange.issue(Duration.ofMillis(2_000)));
        assertThat(refused).as("a refusal").isNotNull();
        assertThat(refused.what() + refused.remedy()).doesNotContain(SECRET);
        assertThat(refused.getCause()).isNull();
        return refused;
    }

    @Nested
    @DisplayName("by a file of the first form")
    class FirstForm {
        @Test
        void sendsTheDefaults() throws Exception {
            exchange("{" + FIXED + "}").issue(WITHIN);
            assertThat(service.lastForm())
                    .containsExactly(
                            "grant_type=urn:ietf:params:oauth:grant-type:token-exchange",
                            "requested_token_type=urn:ietf:params:oauth:token-type:access_token",
                            "subject_token=" + SECRET,
                            "subject_token_type=urn:t");
        }

        @Test
        void sendsEverythingElse() throws Exception {
            exchange("""
                    {"type": "any", "grant-type": "g", "requested-token-type": "r", "res": ["r1", "r2"], "aud": "a",
                     "scope": ["one", "two"],
                     "actor-credentials": {"type": "FIXED", "token": "act&or", "token-type": "urn:a"}}""").issue(WITHIN);
            assertThat(service.lastForm())
                    .containsExactly(
                            "grant_type=g",
                            "resource=r1",
                            "resource=r2",
                            "audience=a",
                            "scope=one two",
                            "requested_token_type=r",
                            "actor_token=act&or",
                            "actor_token_type=urn:a");
        }

        @Test
        void asksTheEndpointOfTheFile() throws Exception {
            String json = "{" + FIXED + ",\"token-endpoint\":\"" + service.endpoint() + "\"}";
            assertThat(exchange(file(json), Optional.empty(), Map.of())
                            .issue(WITHIN)
                            .ticket())
                    .isEqualTo("Bearer good");
        }

        @Test
        void asksTheEndpointOfTheConfigurationInstead() throws Exception {
            String json = "{" + FIXED + ",\"token-endpoint\":\"http://nowhere.invalid/\"}";
            assertThat(exchange(json).issue(WITHIN).lifetime()).isEqualTo(Duration.ofMinutes(1));
        }

        @ParameterizedTest(name = "{index}: {1}")
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "{}|token-endpoint is missing, and so is src_oauth2_endpoint",
                    "{\"token-endpoint\":\"sts\"}|token-endpoint is no http:// or https:// address",
                    "{\"subject-credentials\":{}}|subject-credentials.type is missing",
                    "{\"subject-credentials\":[]}|subject-credentials is no object",
                    "{\"subject-credentials\":{\"type\":\"x\"}}|subject-credentials.type must be FIXED or JWT",
                    "{\"actor-credentials\":{\"type\":\"FIXED\",\"token\":\"" + MARKER
                            + "\"}}|actor-credentials.token-type is missing",
                    "{\"subject-credentials\":{\"type\":\"JWT\"}}|subject-credentials.alg is missing; subject-credentials.private-key is missing",
                    "{\"subject-credentials\":{\"type\":\"JWT\",\"alg\":\"none\",\"private-key\":\"" + MARKER
                            + "\"}}|subject-credentials.alg must be one of ES256, ES384",
                    "{\"subject-credentials\":{\"type\":\"JWT\",\"alg\":\"RS256\",\"private-key\":\"" + MARKER
                            + "\"}}|subject-credentials.private-key holds no private key in PEM",
                    "{\"subject-credentials\":{\"type\":\"JWT\",\"alg\":\"HS256\",\"private-key\":\"" + MARKER
                            + "!\"}}|subject-credentials.private-key is not base64",
                    "{\"subject-credentials\":{\"type\":\"JWT\",\"ttl\":\"3 days\"}}|subject-credentials.ttl must be a duration above zero",
                    "{\"aud\":[1]}|aud holds something other than text",
                    "{\"grant-type\":7}|grant-type is no text",
                    "[]|holds no JSON object",
                    "{\"token\":\"" + MARKER + "|is no JSON at line 1"
                })
        void saysAllThatIsWrongInIt(String json, String fault) throws Exception {
            TokenExchange exchange = exchange(file(json), Optional.empty(), Map.of());
            IssueException refused = refused(exchange);
            assertThat(refused.what())
                    .startsWith("src_oauth2_file = \"" + folder.resolve("credentials.json") + "\": ")
                    .contains(fault);
            assertThat(refused.isPassing()).isFalse();
        }
    }

    @Nested
    @DisplayName("by a file of the second form")
    class SecondForm {
        private String json(String payload) {
            return "{\"type\":\"OAUTH2_token_exchange\",\"oauth2_token_exchange\":{\"payload\":{" + payload
                    + "},\"exchanger\":{\"endpoint\":\"" + service.endpoint() + "\"}}}";
        }

        private TokenExchange by(String payload) throws IOException {
            return exchange(file(json(payload)), Optional.empty(), Map.of());
        }

        @Test
        void sendsItsToken() throws Exception {
            by("\"subject_token_type\":\"urn:t\",\"subject_token\":{\"type\":\"Value\",\"value\":\"v\"}")
                    .issue(WITHIN);
            assertThat(service.lastForm()).contains("subject_token=v", "subject_token_type=urn:t");
        }

        @Test
        void sendsForWhomAndForWhatItIs() throws Exception {
            by("\"resource\":\"r\",\"audience\":[\"a1\",\"a2\"],\"scope\":[\"one\",\"two\"]")
                    .issue(WITHIN);
            assertThat(service.lastForm()).contains("resource=r", "audience=a1", "audience=a2", "scope=one two");
        }

        @Test
        @DisplayName("B37: sends a token of a file without the line end, and reads the file anew each time")
        void readsTokenFilesAnewB37() throws Exception {
            Path token = Files.writeString(folder.resolve("token"), " first\n");
            TokenExchange exchange =
                    by("\"subject_token_type\":\"urn:t\",\"subject_token\":{\"type\":\"file\",\"file\":\"" + token
                            + "\"}");
            exchange.issue(WITHIN);
            assertThat(service.lastForm()).contains("subject_token=first");
            Files.writeString(token, "second\r\n");
            exchange.issue(WITHIN);
            assertThat(service.lastForm()).contains("subject_token=second");
        }

        @Test
        void namesATokenFileThatIsNotThereAndWaitsForIt() throws Exception {
            IssueException refused = refused(
                    by("\"actor_token_type\":\"urn:t\",\"actor_token\":{\"type\":\"file\",\"file\":\"/no/such\"}"));
            assertThat(refused.what())
                    .contains("src_oauth2_file", "oauth2_token_exchange.payload.actor_token.file = \"/no/such\"");
            assertThat(refused.isPassing()).isTrue();
        }

        @Test
        void leavesOutATokenWithoutAType() throws Exception {
            by("\"subject_token\":{\"value\":\"v\"}").issue(WITHIN);
            assertThat(service.lastForm()).noneMatch(parameter -> parameter.startsWith("subject_token"));
        }

        @ParameterizedTest(name = "{index}: {1}")
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "\"subject_token\":{\"type\":\"value\",\"value\":\"" + MARKER
                            + "\"}|payload.subject_token_type is missing",
                    "\"actor_token_type\":\"t\",\"actor_token\":{\"type\":\"value\"}|payload.actor_token.value is missing",
                    "\"actor_token_type\":\"t\",\"actor_token\":{\"type\":\"file\",\"file\":\"\"}|payload.actor_token.file is empty",
                    "\"actor_token_type\":\"t\",\"actor_token\":{\"type\":\"env\"}|payload.actor_token.type must be value or file"
                })
        void saysWhatIsWrongInIt(String payload, String fault) throws Exception {
            assertThat(refused(by(payload)).what()).contains("oauth2_token_exchange." + fault);
        }

        @Test
        void saysThatItHasNoEndpoint() throws Exception {
            TokenExchange exchange = exchange(file("{\"type\":\"oauth2_token_exchange\"}"), Optional.empty(), Map.of());
            assertThat(refused(exchange).what())
                    .contains("oauth2_token_exchange.exchanger.endpoint is missing, and so is src_oauth2_endpoint");
        }
    }

    @Nested
    @DisplayName("of a signed token")
    class Signed {
        private SignedJWT sent(String algorithm, String key, String more) throws IOException, ParseException {
            String credentials = "{\"subject-credentials\":{\"type\":\"jwt\",\"alg\":\"" + algorithm
                    + "\",\"private-key\":\"" + key.replace("\n", "\\n") + "\"" + more + "}}";
            try {
                exchange(credentials).issue(WITHIN);
            } catch (IssueException refused) {
                throw new AssertionError(refused.what());
            }
            assertThat(service.lastForm()).contains("subject_token_type=urn:ietf:params:oauth:token-type:jwt");
            String token = service.lastForm().stream()
                    .filter(parameter -> parameter.startsWith("subject_token="))
                    .findFirst()
                    .orElseThrow();
            return SignedJWT.parse(note(token.substring("subject_token=".length())));
        }

        private static void holds(SignedJWT token, JWSVerifier verifier) throws JOSEException {
            assertThat(token.verify(verifier)).as("the signature holds").isTrue();
        }

        @ParameterizedTest
        @CsvSource({"HS256, 32", "hs384, 48", "HS512, 64", "HS256, 100", "HS512, 7", "HS256, 1"})
        void canBeSignedWithASecretOfAnyLength(String algorithm, int bytes) throws Exception {
            byte[] secret = new byte[bytes];
            Arrays.fill(secret, (byte) 7);
            SignedJWT token = sent(algorithm, Base64.getEncoder().encodeToString(secret), "");
            assertThat(token.getHeader().getAlgorithm().getName()).isEqualToIgnoringCase(algorithm);
            byte[] filledUp = Arrays.copyOf(secret, Math.max(bytes, 64)); // HMAC fills up by itself
            holds(token, new MACVerifier(filledUp));
        }

        @ParameterizedTest
        @ValueSource(strings = {"RS256", "RS384", "RS512", "PS256", "PS384", "ps512"})
        void canBeSignedWithAnRsaKeyInBothForms(String algorithm) throws Exception {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair pair = generator.generateKeyPair();
            JWSVerifier verifier = new RSASSAVerifier((RSAPublicKey) pair.getPublic());
            holds(sent(algorithm, pkcs8(pair.getPrivate()), ""), verifier);
            holds(sent(algorithm, traditional(pair.getPrivate()), ""), verifier);
        }

        @ParameterizedTest
        @CsvSource({"ES256, secp256r1", "ES384, secp384r1", "es512, secp521r1"})
        void canBeSignedWithAnEllipticKeyInBothForms(String algorithm, String curve) throws Exception {
            KeyPair pair = elliptic(curve);
            JWSVerifier verifier = new ECDSAVerifier((ECPublicKey) pair.getPublic());
            holds(sent(algorithm, pkcs8(pair.getPrivate()), ""), verifier);
            holds(sent(algorithm, traditional(pair.getPrivate()), ""), verifier);
        }

        @Test
        void isNotSignedWithAKeyOfAnotherCurve() throws Exception {
            String key = pkcs8(elliptic("secp384r1").getPrivate()).replace("\n", "\\n");
            assertThat(refused("{\"subject-credentials\":{\"type\":\"JWT\",\"alg\":\"ES256\",\"private-key\":\"" + key
                                    + "\"}}")
                            .what())
                    .contains("subject-credentials.private-key is for [ES384] by its curve, not for ES256");
        }

        @Test
        void isNotSignedWithAKeyOfAnotherKind() throws Exception {
            String key = pkcs8(elliptic("secp256r1").getPrivate()).replace("\n", "\\n");
            assertThat(refused("{\"subject-credentials\":{\"type\":\"JWT\",\"alg\":\"RS256\",\"private-key\":\"" + key
                                    + "\"}}")
                            .what())
                    .contains("subject-credentials.private-key is no RSA key");
        }

        @Test
        void saysWhatTheFileSays() throws Exception {
            SignedJWT token = sent("HS256", "c2VjcmV0", """
                    ,"kid":"k","iss":"i","sub":"s","jti":"j","aud":["a","b"],"ttl":"1m30s\"""");
            JWTClaimsSet claims = token.getJWTClaimsSet();
            assertThat(token.getHeader().getKeyID()).isEqualTo("k");
            assertThat(token.getHeader().getType().getType()).isEqualTo("JWT");
            assertThat(List.of(claims.getIssuer(), claims.getSubject(), claims.getJWTID()))
                    .containsExactly("i", "s", "j");
            assertThat(claims.getAudience()).containsExactly("a", "b");
            assertThat(claims.getIssueTime()).isEqualTo(NOW);
            assertThat(claims.getExpirationTime()).isEqualTo(NOW.plusSeconds(90));
        }

        @Test
        void livesForAnHourAndSaysNoMore() throws Exception {
            JWTClaimsSet claims = sent("HS256", "c2VjcmV0", "").getJWTClaimsSet();
            assertThat(claims.getExpirationTime()).isEqualTo(NOW.plusSeconds(3_600));
            assertThat(claims.getClaims()).containsOnlyKeys("iat", "exp");
        }

        private static KeyPair elliptic(String curve) throws GeneralSecurityException {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(curve));
            return generator.generateKeyPair();
        }

        /** As openssl writes it: PKCS #1, or SEC 1 with its curve. */
        private static String traditional(PrivateKey key) throws IOException {
            PrivateKeyInfo info = PrivateKeyInfo.getInstance(key.getEncoded());
            if (key instanceof ECPrivateKey elliptic) {
                byte[] sec1 = new org.bouncycastle.asn1.sec.ECPrivateKey(
                                elliptic.getParams().getOrder().bitLength(),
                                elliptic.getS(),
                                info.getPrivateKeyAlgorithm().getParameters())
                        .getEncoded();
                return pem("EC PRIVATE KEY", sec1);
            }
            return pem(
                    "RSA PRIVATE KEY", info.parsePrivateKey().toASN1Primitive().getEncoded());
        }

        private static String pkcs8(PrivateKey key) {
            return pem("PRIVATE KEY", key.getEncoded());
        }

        private static String pem(String kind, byte[] der) {
            return note("-----BEGIN " + kind + "-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                    + "\n-----END " + kind + "-----\n");
        }
    }

    @Nested
    @DisplayName("that is refused")
    class Refused {
        @ParameterizedTest
        @ValueSource(ints = {408, 429, 500, 502, 503, 504})
        void mayPassWithTheseStatuses(int status) throws Exception {
            service.answers(status, "");
            IssueException refused = refused("{" + FIXED + "}");
            assertThat(refused.isPassing()).isTrue();
            assertThat(refused.what())
                    .isEqualTo("src_oauth2_file = \"" + folder.resolve("credentials.json") + "\": token exchange at "
                            + service.endpoint() + ": HTTP " + status);
        }

        @ParameterizedTest
        @ValueSource(ints = {302, 400, 401, 403, 404, 407, 501})
        void lastsWithOthers(int status) throws Exception {
            service.answers(status, "");
            IssueException refused = refused("{" + FIXED + "}");
            assertThat(refused.isPassing()).isFalse();
            assertThat(refused.what()).contains("HTTP " + status);
        }

        @Test
        void namesTheVariablesWhenTheProxyWantsAPassword() throws Exception {
            service.answers(407, "");
            assertThat(refused("{" + FIXED + "}").remedy()).contains("HTTPS_PROXY", "HTTP_PROXY");
        }

        @Test
        void tellsTheReasonWithoutTokens() throws Exception {
            service.answers(
                    400,
                    "{\"error\":\"invalid_grant\",\"error_description\":\"token " + SECRET
                            + "\\n of eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0 has no audience ydb\"}");
            assertThat(refused("{" + FIXED + "}").what())
                    .endsWith("HTTP 400, invalid_grant: token (hidden) of (hidden) has no audience ydb");
        }

        @Test
        void mayPassWhenNobodyAnswers() throws Exception {
            int closed;
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                closed = socket.getLocalPort();
            }
            IssueException refused = refused(exchange(
                    file("{" + FIXED + "}"),
                    Optional.of("http://user:" + SECRET + "@127.0.0.1:" + closed + "/t?key=" + SECRET),
                    Map.of()));
            assertThat(refused.isPassing()).isTrue();
            assertThat(refused.what())
                    .contains("token exchange at http://127.0.0.1:" + closed + "/t: connection refused");
        }

        @Test
        void mayPassWhenTheAnswerTakesTooLong() throws Exception {
            try (ServerSocket mute = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
                TokenExchange exchange = exchange(
                        file("{" + FIXED + "}"),
                        Optional.of("http://127.0.0.1:" + mute.getLocalPort() + "/"),
                        Map.of());
                assertThatThrownBy(() -> exchange.issue(Duration.ofMillis(200)))
                        .hasMessageEndingWith("no answer within 200 ms");
            }
        }

        @ParameterizedTest(name = "{index}: {1}")
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    MARKER + "|is no JSON",
                    "{}|has no access_token",
                    "{\"access_token\":\"" + MARKER + " \"}|has an access_token that cannot be sent",
                    "{\"access_token\":\"" + MARKER + "\",\"expires_in\":1}|has another token_type than bearer",
                    "{\"access_token\":\"" + MARKER
                            + "\",\"token_type\":\"mac\",\"expires_in\":1}|has another token_type than bearer",
                    "{\"access_token\":\"" + MARKER + "\",\"token_type\":\"BEARER\"}|has no expires_in above zero",
                    "{\"access_token\":\"" + MARKER
                            + "\",\"token_type\":\"BEARER\",\"expires_in\":0}|has no expires_in above zero",
                    "{\"access_token\":\"" + MARKER
                            + "\",\"token_type\":\"BEARER\",\"expires_in\":1,\"scope\":\"one\"}|grants another scope than was asked for"
                })
        void isSoByAnAnswerThatCannotBeUsed(String answer, String fault) throws Exception {
            service.answers(200, answer);
            assertThat(refused("{" + FIXED + ",\"scope\":\"one two\"}").what()).endsWith("the answer " + fault);
        }
    }

    @Nested
    @DisplayName("over https")
    class Encrypted {
        private Path authority;
        private SSLContext trusted;

        @BeforeEach
        void encrypt() throws IOException {
            ServerTls tls = ServerTls.selfSigned();
            service.close();
            service = TokenService.encrypted(tls);
            authority = Files.writeString(folder.resolve("ca.pem"), tls.certificatePem());
            trusted = TrustedAuthorities.in(authority).context();
        }

        private TokenExchange exchange() throws IOException {
            return TokenExchangeTest.exchange(
                    file("{" + FIXED + "}"), Optional.of(service.endpoint()), Map.of(), trusted);
        }

        @Test
        void trustsTheGivenAuthority() throws Exception {
            assertThat(exchange().issue(WITHIN).ticket()).isEqualTo("Bearer good");
        }

        @Test
        void trustsAnotherOnceTheFileNamesIt() throws Exception {
            ServerTls next = ServerTls.selfSigned();
            service.close();
            service = TokenService.encrypted(next);
            TokenExchange exchange = exchange();
            assertThat(refused(exchange).what()).contains("TLS could not be agreed on: ");
            Files.writeString(authority, next.certificatePem());
            assertThat(exchange.issue(WITHIN).ticket()).isEqualTo("Bearer good");
        }

        @Test
        void mayPassWhenTheAuthorityIsNotTrusted() throws Exception {
            TokenExchange doubting =
                    TokenExchangeTest.this.exchange(file("{" + FIXED + "}"), Optional.of(service.endpoint()), Map.of());
            IssueException refused = refused(doubting);
            assertThat(refused.isPassing()).isTrue();
            assertThat(refused.what())
                    .contains("token exchange at " + service.endpoint() + ": TLS could not be agreed on: ");
        }
    }

    @Test
    void takesTheScopeThatItAskedForInAnyOrder() throws Exception {
        service.answers(
                200, "{\"access_token\":\"t\",\"token_type\":\"BEARER\",\"expires_in\":1,\"scope\":\"two one\"}");
        assertThat(exchange("{" + FIXED + ",\"scope\":\"one two\"}")
                        .issue(WITHIN)
                        .ticket())
                .isEqualTo("Bearer t");
    }

    @Test
    void goesByTheProxyOfTheEnvironment() throws Exception {
        exchange(
                        file("{" + FIXED + "}"),
                        Optional.of("http://sts.invalid/token"),
                        Map.of("HTTP_PROXY", "http://me:pass@127.0.0.1:" + service.port()))
                .issue(WITHIN);
        assertThat(service.lastUri()).isEqualTo("http://sts.invalid/token");
        assertThat(service.lastProxyAuthorization()).isEqualTo("Basic bWU6cGFzcw==");
    }
}
