package io.aardappel.access.ydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.aardappel.access.auth.Ticket;
import io.aardappel.emulator.LastingPort;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.ServerTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;

@Isolated("reads what the class under test logs")
@DisplayName("The authorities of a file")
class TrustedAuthoritiesTest {
    @TempDir
    private Path folder;

    private YdbEmulator old;
    private Path file;

    @BeforeEach
    void start() throws IOException {
        old = secured(LastingPort.free());
        file = Files.writeString(folder.resolve("ca.pem"), old.certificatePem().orElseThrow());
    }

    @AfterEach
    void stop() {
        old.close();
    }

    private static YdbEmulator secured(int port) {
        return YdbEmulator.builder()
                .database("/local")
                .listen("localhost", port)
                .tls(ServerTls.selfSigned())
                .start();
    }

    private Connection connection(TrustedAuthorities authorities) {
        return new Connection(
                new Address(true, "localhost", old.port(), "/local"),
                false,
                Ticket.none(),
                authorities,
                Duration.ofSeconds(5));
    }

    private static boolean answers(GrpcTransport transport) {
        return WhoAmI.ask(transport, Duration.ofSeconds(5)) == StatusCode.SUCCESS;
    }

    /** Another server in the same place, with a certificate of its own. */
    private void replaceServer() {
        int port = old.port();
        old.close();
        old = secured(port);
    }

    @Test
    void mayBeReplacedWhileAConnectionIsOpen() throws IOException {
        try (GrpcTransport transport = connection(TrustedAuthorities.in(file)).open()) {
            assertThat(answers(transport)).isTrue();
            replaceServer();
            Files.writeString(file, old.certificatePem().orElseThrow());
            await("an answer; the channel pauses between its attempts to connect")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> answers(transport));
        }
    }

    @Test
    void areNotTrustedAnyMoreWhenOthersTookTheirPlace() throws IOException {
        TrustedAuthorities authorities = TrustedAuthorities.in(file);
        try (YdbEmulator other = secured(0)) {
            Files.writeString(file, other.certificatePem().orElseThrow());
            assertThat(Knock.at(connection(authorities)))
                    .hasValueSatisfying(
                            obstacle -> assertThat(obstacle.what()).contains("certificate is not accepted"));
        }
    }

    @Test
    void areNamedInTheLogOnceWhenACertificateIsNotTheirs() throws IOException {
        TrustedAuthorities authorities = TrustedAuthorities.in(file);
        replaceServer();
        Logger logger = (Logger) LoggerFactory.getLogger(TrustedAuthorities.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.WARN); // another test may have made it silent
        try {
            assertThat(Knock.at(connection(authorities))).isPresent();
            assertThat(Knock.at(connection(authorities))).isPresent();
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .contains("not accepted", file.toString(), "CN=localhost, valid until ");
    }

    @Test
    void areTrustedOnWhenTheFileBecomesUnreadable() throws IOException {
        TrustedAuthorities authorities = TrustedAuthorities.in(file);
        Files.writeString(file, "half of a certific");
        assertThat(Knock.at(connection(authorities))).isEmpty();
        Files.delete(file);
        assertThat(Knock.at(connection(authorities))).isEmpty();
    }

    @Test
    void mustBeThereAtTheStart() {
        assertThatThrownBy(() -> TrustedAuthorities.in(folder.resolve("none.pem")))
                .hasMessage("the certificate file " + folder.resolve("none.pem") + " cannot be read");
    }

    @Test
    void mustBeCertificates() throws IOException {
        Files.writeString(file, "no certificate");
        assertThatThrownBy(() -> TrustedAuthorities.in(file))
                .hasMessage("the certificate file " + file + " holds no certificates in PEM");
    }
}
