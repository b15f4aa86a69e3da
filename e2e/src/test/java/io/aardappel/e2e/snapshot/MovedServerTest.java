package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.LastingPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two addresses of this machine stand for two servers; which of them the name means stands in a file of its own. */
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("When the name of the server means another address")
class MovedServerTest {
    private static final String NAME = "ydb.example";
    private static final String FIRST = "127.0.0.2";
    private static final String SECOND = "127.0.0.3";

    @TempDir
    private Path folder;

    private Scene scene;
    private Path hosts;

    @BeforeEach
    void begin() throws IOException {
        scene = new Scene(folder);
        scene.oneTable(2);
        hosts = folder.resolve("hosts");
        means(FIRST);
    }

    @AfterEach
    void end() {
        scene.close();
    }

    private void means(String address) throws IOException {
        Files.writeString(hosts, "127.0.0.1 localhost\n" + address + " " + NAME + "\n");
    }

    /** Java and gRPC each keep what a name means for half a minute otherwise. */
    private SnapshotRun.Program forgetful() {
        return new SnapshotRun.Program(
                SnapshotRun.Program.REPLICATOR.main(),
                List.of(
                        "-Djdk.net.hosts.file=" + hosts.toAbsolutePath(),
                        "-Dsun.net.inetaddr.ttl=1",
                        "-Dnetworkaddress.cache.ttl=1"));
    }

    @Test
    @DisplayName("the replicator finds it there, without a restart")
    void isFound() throws IOException {
        int server = scene.emulator.port();
        ReplicatorProcess replicator;
        int port;
        try (Forwarder first = new Forwarder(FIRST, LastingPort.free(), server)) {
            port = first.port();
            scene.reachAt(NAME + ":" + port);
            replicator = scene.start(forgetful());
            scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
            scene.settle();
        }
        means(SECOND);
        try (Forwarder second = new Forwarder(SECOND, port, server)) {
            scene.write("UPSERT INTO t (k, v) VALUES (2, 'two');");
            scene.settle();
            String select = "SELECT k, v FROM t;";
            assertThat(scene.destination.read(select))
                    .hasSize(2)
                    .containsExactlyInAnyOrderElementsOf(scene.source.read(select));
            assertThat(second.port()).isEqualTo(port);
            assertThat(replicator.alive()).isTrue();
            scene.stop();
        }
    }
}
