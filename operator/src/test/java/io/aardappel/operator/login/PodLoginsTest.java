package io.aardappel.operator.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.aardappel.access.ydb.Calls;
import io.aardappel.crds.api.Replication;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.ServerTls;
import io.aardappel.emulator.junit.KnownSecrets;
import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.aardappel.operator.observe.SecretBook;
import io.aardappel.operator.plan.Observed;
import io.aardappel.operator.plan.Reason;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIRequest;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResponse;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResult;
import tech.ydb.proto.discovery.v1.DiscoveryServiceGrpc;

@WithKubeApiServer
@DisplayName("The operator at a destination")
class PodLoginsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final String FIRST = KnownSecrets.secret("first-operator-token");
    private static final String SECOND = KnownSecrets.secret("second-operator-token");

    private static KubeApiServer server;
    private static KubernetesClient client;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-04T05:06:07Z"));
    private final AtomicInteger reads = new AtomicInteger();
    private volatile boolean away;
    private String namespace;
    private YdbEmulator ydb;
    private PodLogins logins;

    @BeforeAll
    static void server(KubeApiServer given) {
        server = given;
        client = given.client();
    }

    @BeforeEach
    void begin() {
        namespace = server.newNamespace();
        logins = logins(client);
    }

    @AfterEach
    void end() {
        if (ydb != null) {
            ydb.close();
        }
    }

    private PodLogins logins(KubernetesClient by) {
        SecretValues.Reader reader = (in, name) -> {
            reads.incrementAndGet();
            if (away) {
                throw new KubernetesClientException("no answer; was reading " + FIRST);
            }
            return by.secrets().inNamespace(in).withName(name).get();
        };
        return new PodLogins(by, new SecretValues(reader, now::get, SecretValues.PERIOD), Map.of(), now::get);
    }

    private void later() {
        now.set(now.get().plus(SecretValues.PERIOD));
    }

    private void secret(String name, String key, String value) {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .addToData(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)))
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    private Replication resource(String auth, String more) {
        boolean tls = ydb != null && ydb.certificatePem().isPresent();
        int port = ydb == null ? 1 : ydb.port();
        return Serialization.unmarshal(
                """
                apiVersion: aardappel.ydb.tech/v1alpha1
                kind: Replication
                metadata: {name: shop, namespace: %s}
                spec:
                  source: {connectionString: "grpc://source:2136/Root/shop", auth: {anonymous: {}}}
                  destination: {connectionString: "%s://localhost:%d/copy", %s auth: %s}
                  stateTable: repl_state
                  streams: [{sourceTopic: goods/feed, consumer: copy, destinationTable: goods}]
                """.formatted(namespace, tls ? "grpcs" : "grpc", port, more, auth), Replication.class);
    }

    private Replication resource(String auth) {
        return resource(auth, "");
    }

    private static boolean answers(GrpcTransport transport) {
        return new Calls(transport)
                .call(
                        DiscoveryServiceGrpc.getWhoAmIMethod(),
                        WhoAmIRequest.getDefaultInstance(),
                        WITHIN,
                        WhoAmIResponse::getOperation,
                        WhoAmIResult.class)
                .isSuccess();
    }

    private static void untilItAnswers(GrpcTransport transport) {
        await("an answer").atMost(LIMIT).until(() -> answers(transport));
    }

    /** The reconciler's pass, then the poll's. */
    private GrpcTransport open(Replication resource) {
        assertThat(logins.of(resource).obstacle()).isEmpty();
        return logins.open(resource);
    }

    private String refusal(Replication resource) {
        LoginException refused = catchThrowableOfType(
                LoginException.class, () -> logins.open(resource).close());
        assertThat(refused).as("a refusal").isNotNull();
        assertThat(refused.getMessage()).doesNotContain(KnownSecrets.MARKER);
        return refused.getMessage();
    }

    private void expectObstacle(Replication resource, Reason reason, String... words) {
        SecretBook.Seen seen = logins.of(resource);
        assertThat(seen.hash()).isEmpty();
        assertThat(seen.obstacle()).hasValueSatisfying(obstacle -> {
            assertThat(obstacle.reason()).isEqualTo(reason);
            assertThat(obstacle.message()).contains(words).doesNotContain(KnownSecrets.MARKER);
        });
    }

    private void start(YdbEmulator.Builder builder) {
        ydb = builder.database("/copy").start();
    }

    @Test
    void needsNothingWhereNobodyIsAsked() {
        start(YdbEmulator.builder());
        Replication resource = resource("{anonymous: {}}");
        try (GrpcTransport transport = open(resource)) {
            assertThat(answers(transport)).isTrue();
        }
        assertThat(logins.of(resource)).isEqualTo(SecretBook.Seen.nothing());
        assertThat(reads).hasValue(0);
    }

    @Test
    void saysWhatStandsBetween() {
        assertThat(refusal(resource("{anonymous: {}}")))
                .contains("grpc://localhost:1/copy", "port 1", "is closed", "Start the server");
    }

    @Nested
    @DisplayName("with a token in a Secret")
    class StaticToken {
        private Replication resource;

        @BeforeEach
        void begin() {
            start(YdbEmulator.builder().token(FIRST, "one").token(SECOND, "two"));
            resource = resource("{staticTokenSecretRef: {name: login, key: token}}");
        }

        @Test
        void takesAnotherTokenWithoutAnEdit() {
            secret("login", "token", FIRST);
            String before = logins.of(resource).hash();
            try (GrpcTransport transport = open(resource)) {
                assertThat(answers(transport)).isTrue();
                secret("login", "token", SECOND);
                ydb.accounts().dismiss(FIRST);
                later();
                assertThat(logins.of(resource).hash()).isNotEqualTo(before);
                untilItAnswers(transport);
            }
        }

        @Test
        void readsItOnceInAPeriod() {
            secret("login", "token", FIRST);
            SecretBook.Seen seen = logins.of(resource);
            assertThat(seen.hash()).matches("[0-9a-f]{16}");
            assertThat(logins.of(resource)).isEqualTo(seen);
            assertThat(reads).hasValue(1);
            later();
            assertThat(logins.of(resource)).isEqualTo(seen);
            assertThat(reads).hasValue(2);
        }

        @Test
        void tellsNothingByItsHashToThoseWhoMayNotReadIt() {
            secret("login", "token", FIRST);
            secret("copy", "token", FIRST);
            String login = logins.of(resource).hash();
            assertThat(logins.of(resource("{staticTokenSecretRef: {name: copy, key: token}}"))
                            .hash())
                    .as("of the same text elsewhere")
                    .isNotEqualTo(login);
        }

        @Test
        void goesOnWithWhatItHadWhileTheApiServerIsAway() {
            secret("login", "token", FIRST);
            SecretBook.Seen seen = logins.of(resource);
            away = true;
            later();
            assertThat(logins.of(resource)).isEqualTo(seen);
            try (GrpcTransport transport = logins.open(resource)) {
                assertThat(answers(transport)).isTrue();
            }
        }

        @Test
        void waitsForAnApiServerThatWasAlwaysAway() {
            away = true;
            assertThat(logins.of(resource)).isEqualTo(SecretBook.Seen.nothing());
            assertThat(refusal(resource)).contains("no answer from the API server");
        }

        @Test
        void namesASecretThatIsMissing() {
            expectObstacle(
                    resource,
                    Reason.SECRET_NOT_FOUND,
                    "key `token` of the Secret " + namespace + "/login",
                    "there is no such Secret",
                    "Create it");
            assertThat(refusal(resource)).contains(namespace + "/login", "Create it");
            secret("login", "token", FIRST);
            later();
            open(resource).close();
        }

        @ParameterizedTest
        @ValueSource(strings = {"../../other/secrets/login", "%2e%2e/secrets/login", "login?a=", "login#", "Login"})
        void putsNoTextIntoAnAddressThatIsNoName(String name) {
            secret("login", "token", FIRST);
            Replication elsewhere = resource("{staticTokenSecretRef: {name: \"" + name + "\", key: token}}");
            expectObstacle(elsewhere, Reason.SECRET_NOT_FOUND, name, "no Secret can have such a name");
            assertThat(refusal(elsewhere)).contains("no Secret can have such a name");
            assertThat(reads).hasValue(0);
        }

        @Test
        void namesAKeyThatIsMissing() {
            secret("login", "other", FIRST);
            expectObstacle(
                    resource,
                    Reason.SECRET_NOT_FOUND,
                    "key `token` of the Secret " + namespace + "/login",
                    "has other keys",
                    "name the right key");
            assertThat(refusal(resource)).contains("key `token` of the Secret " + namespace + "/login");
        }

        @Test
        void doesNotShowATokenThatCannotBeSent() {
            secret("login", "token", FIRST + " " + SECOND);
            logins.of(resource);
            assertThat(refusal(resource)).contains("key `token` of the Secret " + namespace + "/login", "a blank");
        }

        @Test
        void needsTheRightToGetThatSecretAndNoOther() {
            secret("login", "token", FIRST);
            logins = logins(server.clientOf("reader-of-" + namespace));
            expectObstacle(
                    resource, Reason.REFUSED_BY_API_SERVER, namespace + "/login", "forbidden", "Give the operator");
            client.resource(new RoleBuilder()
                            .withNewMetadata()
                            .withName("reader")
                            .withNamespace(namespace)
                            .endMetadata()
                            .addNewRule()
                            .withApiGroups("")
                            .withResources("secrets")
                            .withResourceNames("login")
                            .withVerbs("get")
                            .endRule()
                            .build())
                    .create();
            client.resource(new RoleBindingBuilder()
                            .withNewMetadata()
                            .withName("reader")
                            .withNamespace(namespace)
                            .endMetadata()
                            .withRoleRef(new RoleRef("rbac.authorization.k8s.io", "Role", "reader"))
                            .withSubjects(
                                    new Subject("rbac.authorization.k8s.io", "User", "reader-of-" + namespace, null))
                            .build())
                    .create();
            await("the right").atMost(LIMIT).until(() -> {
                later();
                return logins.of(resource).obstacle().isEmpty();
            });
            try (GrpcTransport transport = logins.open(resource)) {
                assertThat(answers(transport)).isTrue();
            }
        }
    }

    @Nested
    @DisplayName("that is trusted by a Secret")
    class Authority {
        @Test
        void isReachedOverTls() {
            start(YdbEmulator.builder().tls(ServerTls.selfSigned()));
            secret("ca", "ca.crt", ydb.certificatePem().orElseThrow());
            Replication resource = resource("{anonymous: {}}", "tls: {caSecretRef: {name: ca, key: ca.crt}},");
            try (GrpcTransport transport = open(resource)) {
                assertThat(answers(transport)).isTrue();
            }
            secret("ca", "ca.crt", ServerTls.selfSigned().certificatePem());
            later();
            logins.of(resource);
            assertThat(refusal(resource))
                    .contains("certificate is not accepted", "key `ca.crt` of the Secret " + namespace + "/ca");
        }

        @Test
        void isNamedWhenItHoldsNoCertificates() {
            start(YdbEmulator.builder().tls(ServerTls.selfSigned()));
            secret("ca", "ca.crt", "no certificate");
            Replication resource = resource("{anonymous: {}}", "tls: {caSecretRef: {name: ca, key: ca.crt}},");
            logins.of(resource);
            assertThat(refusal(resource))
                    .contains("key `ca.crt` of the Secret " + namespace + "/ca holds no certificates in PEM");
        }
    }

    @Nested
    @DisplayName("with credentials for token exchange in a Secret")
    class Credentials {
        private Replication resource;

        @BeforeEach
        void begin() {
            start(YdbEmulator.builder().tokenService("localhost", 0));
            resource = resource("{oauth2SecretRef: {name: login, key: credential.json}}");
        }

        private String json(String token) {
            return """
                    {"token-endpoint": "%s",
                     "subject-credentials": {"type": "fixed", "token": "%s", "token-type": "urn:t"}}
                    """.formatted(ydb.tokenEndpoint().orElseThrow(), token);
        }

        @Test
        void takesOthersWithoutAnEdit() {
            secret("login", "credential.json", json(FIRST));
            ydb.tokenDesk().acceptOnly(List.of(FIRST));
            try (GrpcTransport transport = open(resource)) {
                assertThat(answers(transport)).isTrue();
                ydb.tokenDesk().acceptOnly(List.of(SECOND));
                ydb.tokenDesk().expire();
                secret("login", "credential.json", json(SECOND));
                later();
                assertThat(logins.of(resource).obstacle()).isEmpty();
                untilItAnswers(transport);
            }
            assertThat(ydb.tokenDesk().requests())
                    .extracting(form -> form.get("subject_token").get(0))
                    .contains(FIRST, SECOND);
        }

        @Test
        void namesTheSecretThatIsRefused() {
            secret("login", "credential.json", json(FIRST));
            ydb.tokenDesk().acceptOnly(List.of(SECOND));
            logins.of(resource);
            assertThat(refusal(resource))
                    .contains("key `credential.json` of the Secret " + namespace + "/login", "HTTP 400");
        }

        @Test
        void sendsNoFileOfItsOwn() {
            secret("login", "credential.json", """
                    {"type": "oauth2_token_exchange", "oauth2_token_exchange": {
                      "exchanger": {"endpoint": "%s"},
                      "payload": {"subject_token_type": "urn:t", "subject_token": {"type": "file", "file": "/etc/hosts"}}}}
                    """.formatted(ydb.tokenEndpoint().orElseThrow()));
            logins.of(resource);
            assertThat(refusal(resource)).contains(namespace + "/login", "the operator does not read");
            assertThat(ydb.tokenDesk().requests()).isEmpty();
        }
    }

    @Nested
    @DisplayName("with a token of the pods' service account")
    class ServiceAccount {
        private String auth;

        @BeforeEach
        void begin() {
            start(YdbEmulator.builder().tokenService("localhost", 0));
            auth = "{serviceAccountToken: {audience: ydb-sts, expirationSeconds: 1200, exchange: {endpoint: \"%s\","
                            .formatted(ydb.tokenEndpoint().orElseThrow())
                    + " audience: [db]}}}";
        }

        private void account(String name) {
            client.resource(new ServiceAccountBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .withNamespace(namespace)
                            .endMetadata()
                            .build())
                    .create();
        }

        private List<String> subjects() {
            return ydb.tokenDesk().requests().stream()
                    .map(form -> KnownSecrets.note(form.get("subject_token").get(0)))
                    .distinct()
                    .toList();
        }

        private static String claims(String token) {
            return new String(Base64.getUrlDecoder().decode(token.split("\\.")[1]), StandardCharsets.UTF_8);
        }

        @Test
        void exchangesANewOneWhenTheLastIsTakenNoMore() {
            account("shop-replicator");
            try (GrpcTransport transport = open(resource(auth))) {
                assertThat(answers(transport)).isTrue();
                assertThat(ydb.tokenDesk().requests().get(0).get("audience")).containsExactly("db");
                ydb.tokenDesk().expire();
                untilItAnswers(transport);
            }
            assertThat(subjects())
                    .hasSizeGreaterThan(1)
                    .allSatisfy(token -> assertThat(claims(token))
                            .contains(
                                    "\"aud\":[\"ydb-sts\"]",
                                    "\"sub\":\"system:serviceaccount:" + namespace + ":shop-replicator\""));
        }

        @Test
        void waitsForAnAccountThatItIsAboutToMake() {
            Replication resource = resource(auth);
            assertThat(refusal(resource)).contains(namespace + "/shop-replicator", "together with the pods");
            assertThat(logins.of(resource).obstacle()).isEmpty();
        }

        private Replication ofAccount(String name) {
            return Serialization.unmarshal(
                    Serialization.asYaml(resource(auth))
                            .replace("spec:", "spec:\n  template: {pod: {serviceAccountName: \"" + name + "\"}}"),
                    Replication.class);
        }

        @ParameterizedTest
        @ValueSource(strings = {"../../other/serviceaccounts/robot", "robot?a=", "%2e%2e"})
        void putsNoTextIntoAnAddressThatIsNoName(String name) {
            Replication resource = ofAccount(name);
            assertThat(refusal(resource)).contains(name, "no service account can have such a name");
            expectObstacle(resource, Reason.SECRET_NOT_FOUND, "no service account can have such a name");
        }

        @Test
        void namesAnAccountThatIsNotThere() {
            Replication resource = ofAccount("robot");
            assertThat(refusal(resource)).contains("the service account " + namespace + "/robot", "Create it");
            expectObstacle(
                    resource, Reason.SECRET_NOT_FOUND, "the service account " + namespace + "/robot", "not found");
            account("robot");
            try (GrpcTransport transport = logins.open(resource)) {
                assertThat(answers(transport)).isTrue();
            }
            assertThat(logins.of(resource).obstacle()).isEmpty();
        }

        @Test
        void namesTheRightThatItLacks() {
            account("shop-replicator");
            logins = logins(server.clientOf("nobody-in-" + namespace));
            Replication resource = resource(auth);
            assertThat(refusal(resource))
                    .contains("forbidden", "Give the operator the right to create serviceaccounts/token");
            assertThat(logins.of(resource).obstacle())
                    .map(Observed.Obstacle::reason)
                    .contains(Reason.SECRET_NOT_FOUND);
        }
    }
}
