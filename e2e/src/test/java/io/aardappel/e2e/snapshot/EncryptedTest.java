package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.LastingPort;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.ServerTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A replication over TLS, by authorities that files name")
class EncryptedTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String COLUMNS = "k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)";
    private static final String SHARDS = " WITH (UNIFORM_PARTITIONS = 2)";

    @TempDir
    private Path folder;

    private Path ofSource;
    private Path ofDestination;
    private int rows;

    @BeforeEach
    void begin() {
        ofSource = folder.resolve("source-ca.pem");
        ofDestination = folder.resolve("destination-ca.pem");
    }

    private String[] byTheFiles() {
        return new String[] {
            "source_tls_ca_file: \"" + ofSource + "\"", "destination_tls_ca_file: \"" + ofDestination + "\""
        };
    }

    /** In one step, as Kubernetes replaces the files of a secret. */
    private void trust(Path file, ServerTls server) throws IOException {
        Path next = Files.writeString(folder.resolve("next.pem"), server.certificatePem());
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Some more rows, spread over the shards, and the first of all once more. */
    private void write(Scene scene) {
        int first = rows;
        rows += 20;
        String values = IntStream.range(first, rows)
                .mapToObj(i -> "(" + Long.toUnsignedString(i * 0x0C00_0000_0000_0001L) + "ul, \"" + i + "\"u)")
                .collect(Collectors.joining(", "));
        scene.write("UPSERT INTO t (k, v) VALUES " + values + ", (0ul, \"as of " + rows + "\"u);");
    }

    private void expectEqual(Scene scene) {
        String select = "SELECT k, v FROM t;";
        assertThat(scene.destination.read(select))
                .hasSize(rows)
                .containsExactlyInAnyOrderElementsOf(scene.source.read(select));
    }

    private void expectTheCopyToFollow(Scene scene) {
        write(scene);
        scene.settle();
        expectEqual(scene);
    }

    @Test
    @DisplayName("scans, goes on and is handed over to a standby, by nodes that discovery names")
    void scanRunAndTakeover() throws IOException {
        ServerTls server = ServerTls.selfSigned();
        trust(ofSource, server);
        trust(ofDestination, server);
        try (Scene scene = new Scene(folder, YdbEmulator.builder().tls(server), "scene")) {
            scene.configure("src_client_balancer: true");
            scene.configure("dst_client_balancer: true");
            scene.source.define("CREATE TABLE t (" + COLUMNS + ")" + SHARDS + ";");
            scene.destination.define("CREATE TABLE t (" + COLUMNS + ");");
            write(scene);
            scene.stream("t", "t", "UPDATES", true);
            ReplicatorProcess first = scene.start(byTheFiles());
            expectTheCopyToFollow(scene);
            assertThat(scene.log()).contains("initial scan is done");

            String firstOwner = scene.state("lock_owner");
            ReplicatorProcess second = scene.start(byTheFiles());
            await().atMost(LIMIT).until(() -> scene.log().contains("standing by"));
            scene.dismiss(first);
            assertThat(first.terminate()).isZero();
            expectTheCopyToFollow(scene);
            assertThat(scene.state("lock_owner")).isNotEqualTo(firstOwner);
            assertThat(second.alive()).isTrue();
        }
    }

    /** Each side stands behind a server of its own, so that neither file serves for the other. */
    @Test
    @DisplayName("goes on when the certificates of the servers and the files of their authorities are replaced")
    void goesOnWithOtherCertificates() throws IOException {
        ServerTls next = ServerTls.selfSigned();
        int source;
        int destination;
        try (Scene scene = new Scene(folder)) {
            int server = scene.emulator.port();
            ReplicatorProcess replicator;
            Pages pages;
            try (Forwarder first = behind(ofSource, server);
                    Forwarder second = behind(ofDestination, server)) {
                source = first.port();
                destination = second.port();
                scene.reachAt("grpcs://localhost:" + source, "grpcs://localhost:" + destination);
                pages = Pages.of(scene);
                scene.table("t", COLUMNS, SHARDS, "UPDATES");
                replicator = scene.start(byTheFiles());
                expectTheCopyToFollow(scene);
                trust(ofDestination, next);
                expectTheCopyToFollow(scene);
            }
            try (Forwarder first = Forwarder.encrypted(next, source, server);
                    Forwarder second = Forwarder.encrypted(next, destination, server)) {
                write(scene);
                await().atMost(LIMIT)
                        .until(() -> scene.log().contains("of the file " + ofSource + " (CN=localhost, valid until"));
                await("what the status says of it")
                        .atMost(LIMIT)
                        .untilAsserted(() -> assertThat(pages.blocking())
                                .startsWith("source: ")
                                .contains("the certificate of localhost:" + first.port() + " is not accepted")
                                .contains("of the file " + ofSource + " (CN=localhost, valid until")
                                .contains("write its authority into the file")
                                .doesNotContain("Exception"));
                trust(ofSource, next);
                scene.settle();
                expectEqual(scene);
                assertThat(scene.log())
                        .contains("the certificate file " + ofSource + " has changed")
                        .contains("the certificate file " + ofDestination + " has changed");
                assertThat(replicator.alive()).isTrue();
                assertThat(scene.state("state")).isEqualTo("OK");
                assertThat(first.port() + second.port()).isEqualTo(source + destination);
                scene.stop();
            }
        }
    }

    @Test
    @DisplayName("names the file when it holds another authority, and begins when it is corrected")
    void waitsForTheRightAuthority() throws IOException {
        ServerTls server = ServerTls.selfSigned();
        trust(ofSource, server);
        trust(ofDestination, ServerTls.selfSigned());
        try (Scene scene = new Scene(folder, YdbEmulator.builder().tls(server), "scene")) {
            Pages pages = Pages.of(scene);
            scene.table("t", COLUMNS, SHARDS, "UPDATES");
            scene.start(byTheFiles());
            await().atMost(LIMIT).until(() -> scene.log().contains("certificate is not accepted"));
            assertThat(scene.log()).contains("dst_connection_string", "destination_tls_ca_file");
            assertThat(pages.status().path("mode").asText()).isEqualTo("preflight");
            assertThat(pages.status().path("waitsFor").path(0).asText())
                    .contains("the destination database grpcs://", "certificate is not accepted", "CN=localhost")
                    .contains(ofDestination.toString(), "destination_tls_ca_file", "dst_connection_string");
            trust(ofDestination, server);
            expectTheCopyToFollow(scene);
        }
    }

    /** A server with a new certificate, which the file holds. */
    private Forwarder behind(Path file, int server) throws IOException {
        ServerTls tls = ServerTls.selfSigned();
        trust(file, tls);
        return Forwarder.encrypted(tls, LastingPort.free(), server);
    }
}
