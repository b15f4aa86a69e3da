package io.aardappel.access.ydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.access.auth.Ticket;
import io.aardappel.emulator.LastingPort;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.ServerTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;

@DisplayName("A call to a server that was there and cannot be reached any more says in words")
class ReachWatchTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private static YdbEmulator.Builder at(int port) {
        return YdbEmulator.builder().database("/local").listen("localhost", port);
    }

    private static GrpcTransport open(int port, @Nullable TrustedAuthorities authorities) {
        return new Connection(
                        new Address(authorities != null, "localhost", port, "/local"),
                        false,
                        Ticket.none(),
                        authorities,
                        TIMEOUT)
                .open();
    }

    private static void says(GrpcTransport transport, String... words) {
        await().atMost(LIMIT).untilAsserted(() -> {
            Status status = WhoAmI.status(transport, TIMEOUT);
            assertThat(status.getCode()).isEqualTo(StatusCode.TRANSPORT_UNAVAILABLE);
            assertThat(status.toString()).contains(words).doesNotContain("netty", "Exception", "Channel Pipeline");
        });
    }

    @Test
    @DisplayName("that no connection can be made")
    void nobodyListens() {
        int port = LastingPort.free();
        YdbEmulator server = at(port).start();
        try (GrpcTransport transport = open(port, null)) {
            assertThat(WhoAmI.ask(transport, TIMEOUT)).isEqualTo(StatusCode.SUCCESS);
            server.close();
            says(transport, "no connection can be made to localhost:" + port + ": Connection refused");
        }
    }

    @Test
    @DisplayName("whose certificate is not accepted, by which file, and what to do")
    void anotherCertificate() throws IOException {
        int port = LastingPort.free();
        ServerTls tls = ServerTls.selfSigned();
        Path file = Files.writeString(folder.resolve("ca.pem"), tls.certificatePem());
        YdbEmulator server = at(port).tls(tls).start();
        try (GrpcTransport transport = open(port, TrustedAuthorities.in(file))) {
            assertThat(WhoAmI.ask(transport, TIMEOUT)).isEqualTo(StatusCode.SUCCESS);
            server.close();
            server = at(port).tls(ServerTls.selfSigned()).start();
            says(
                    transport,
                    "the certificate of localhost:" + port
                            + " is not accepted by the authorities of the runtime and of the" + " file " + file
                            + " (CN=localhost, valid until ",
                    "write its authority into the file");
        } finally {
            server.close();
        }
    }
}
