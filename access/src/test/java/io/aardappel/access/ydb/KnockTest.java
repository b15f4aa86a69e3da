package io.aardappel.access.ydb;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.access.auth.Ticket;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Before the SDK is asked, an address")
class KnockTest {
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private static Connection to(boolean secure, String host, int port, @Nullable TrustedAuthorities authorities) {
        return new Connection(new Address(secure, host, port, "/local"), false, Ticket.none(), authorities, TIMEOUT);
    }

    private static Optional<String> obstacle(
            boolean secure, String host, int port, @Nullable TrustedAuthorities authorities) {
        return Knock.at(to(secure, host, port, authorities))
                .map(obstacle -> obstacle.what() + " | " + obstacle.remedy());
    }

    @Test
    void ofNoMachineIsToldByItsName() {
        assertThat(obstacle(false, "no-such-host.invalid", 2136, null))
                .hasValueSatisfying(text -> assertThat(text).contains("no-such-host.invalid", "not known"));
    }

    @Test
    void whosePortIsClosedIsToldAtOnce() throws IOException {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        assertThat(obstacle(false, "127.0.0.1", closed, null))
                .hasValueSatisfying(text -> assertThat(text).contains("port " + closed + " of 127.0.0.1 is closed"));
    }

    @Test
    void thatAcceptsAndSaysNothingIsToldAfterTheTimeLimit() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            assertThat(obstacle(false, "127.0.0.1", mute.getLocalPort(), null))
                    .hasValueSatisfying(text -> assertThat(text).contains("says nothing within 500 ms"));
        }
    }

    @Nested
    @DisplayName("of a server without TLS")
    class WithoutTls {
        @Test
        void isFine() {
            try (YdbEmulator ydb = YdbEmulator.builder().database("/local").start()) {
                assertThat(obstacle(false, "localhost", ydb.port(), null)).isEmpty();
            }
        }

        @Test
        void isToldWhenItIsTakenForOneWithTls() {
            try (YdbEmulator ydb = YdbEmulator.builder().database("/local").start()) {
                assertThat(obstacle(true, "localhost", ydb.port(), null))
                        .hasValueSatisfying(text -> assertThat(text).contains("Write grpc:// instead of grpcs://"));
            }
        }
    }

    @Nested
    @DisplayName("of a server with TLS")
    class WithTls {
        private static YdbEmulator start() {
            return YdbEmulator.builder()
                    .database("/local")
                    .tls(ServerTls.selfSigned())
                    .start();
        }

        @Test
        void isFineWhenItsAuthorityIsTrusted() {
            try (YdbEmulator ydb = start()) {
                assertThat(obstacle(true, "localhost", ydb.port(), TestAuthorities.of(ydb)))
                        .isEmpty();
            }
        }

        @Test
        void isToldWhenItsAuthorityIsNotTrusted() {
            try (YdbEmulator ydb = start()) {
                assertThat(obstacle(true, "localhost", ydb.port(), null))
                        .hasValueSatisfying(
                                text -> assertThat(text).contains("certificate is not accepted", "source_tls_ca_file"));
            }
        }

        @Test
        void isToldWhenItIsTakenForOneWithoutTls() {
            try (YdbEmulator ydb = start()) {
                assertThat(obstacle(false, "localhost", ydb.port(), null))
                        .hasValueSatisfying(text -> assertThat(text).contains("Write grpcs:// instead of grpc://"));
            }
        }
    }
}
