package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.ServerTls;
import io.aardappel.emulator.junit.KnownSecrets;
import io.aardappel.emulator.tokens.TokenDesk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The name of the token service means something to the proxy alone. */
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A replicator that exchanges tokens over TLS, through a proxy that asks for a password")
class EncryptedExchangeTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration LIFETIME = Duration.ofSeconds(4);
    private static final String TOKEN_SERVICE = "sts.example";
    private static final String USER = "replicator";
    private static final String PASSWORD = KnownSecrets.secret("password-of-the-proxy");
    private static final String SUBJECT = KnownSecrets.secret("subject-of-the-exchange");

    @TempDir
    private Path folder;

    private Scene scene;
    private TokenDesk desk;
    private TokenGate gate;
    private TunnelKeeper keeper;
    private Forwarder proxy;

    @BeforeEach
    void begin() throws IOException {
        KnownSecrets.note(USER + ":" + PASSWORD); // in Base64 too, as it is sent
        ServerTls server = ServerTls.selfSignedFor(TOKEN_SERVICE);
        scene = new Scene(
                folder,
                YdbEmulator.builder().tls(server).tokenService("localhost", 0).token("scene", "root@builtin"),
                "scene");
        desk = scene.emulator.tokenDesk();
        desk.setLifetime(LIFETIME);
        gate = new TokenGate(server, scene.emulator.tokenEndpoint().orElseThrow());
        keeper = new TunnelKeeper(USER + ":" + PASSWORD);
        proxy = Forwarder.guarded(keeper, gate.port());

        Path given = Files.createDirectory(folder.resolve("given"));
        Path credentials = Files.writeString(given.resolve("fixed.json"), """
                {"subject-credentials": {"type": "FIXED", "token": "%s", "token-type": "urn:a-token"}}
                """.formatted(SUBJECT));
        scene.authenticate("""
                src_oauth2_file: "%1$s"
                src_oauth2_endpoint: "https://%2$s/token"
                dst_oauth2_file: "%1$s"
                dst_oauth2_endpoint: "https://%2$s/token"
                """.formatted(credentials, TOKEN_SERVICE));
        scene.oneTable(1);
    }

    @AfterEach
    void end() {
        scene.close();
        proxy.close();
        gate.close();
        desk.tickets().forEach(KnownSecrets::note);
    }

    private ReplicatorProcess startWithPassword(String password) throws IOException {
        Path authority = Files.writeString(
                folder.resolve("ca.pem"), scene.emulator.certificatePem().orElseThrow());
        scene.environment("HTTPS_PROXY", "http://" + USER + ":" + password + "@localhost:" + proxy.port());
        return scene.start(
                "source_tls_ca_file: \"" + authority + "\"", "destination_tls_ca_file: \"" + authority + "\"");
    }

    @Test
    @DisplayName("goes on through renewals; the proxy alone is shown its password")
    void goesOnThroughRenewals() throws IOException {
        ReplicatorProcess replicator = startWithPassword(PASSWORD);
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
        scene.settle();
        int issued = desk.issued();
        await().atMost(LIMIT).until(() -> desk.issued() >= issued + 2);
        scene.write("UPSERT INTO t (k, v) VALUES (2, 'two');");
        scene.settle();
        assertThat(scene.rows()).containsExactly("1 one", "2 two");
        assertThat(keeper.asked()).isNotEmpty().allMatch(line -> line.startsWith("CONNECT sts.example:443 "));
        assertThat(gate.headers())
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(names -> assertThat(names).contains("Content-type").doesNotContain("Proxy-authorization"));
        assertThat(replicator.alive()).isTrue();
        assertThat(scene.log()).doesNotContain(secrets());
    }

    @Test
    @DisplayName("ends with code 4, and names the variable, when the proxy refuses the password")
    void refusedByTheProxy() throws IOException {
        startWithPassword("of-yesterday");
        assertThat(scene.exitCode(LIMIT)).isEqualTo(4);
        assertThat(scene.log()).contains("token exchange at https://sts.example/token: HTTP 407", "HTTPS_PROXY");
        assertThat(gate.headers()).isEmpty();
    }

    private List<String> secrets() {
        return List.of(KnownSecrets.MARKER, PASSWORD, SUBJECT, desk.tickets().get(0));
    }
}
