package io.aardappel.access.ydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.aardappel.access.auth.Ticket;
import io.aardappel.emulator.LastingPort;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.ServerTls;
import io.aardappel.emulator.junit.KnownSecrets;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;

@DisplayName("A connection")
class ConnectionTest {
    private static final String GOOD = KnownSecrets.secret("good-token");

    private static YdbEmulator ydb(UnaryOperator<YdbEmulator.Builder> settings) {
        return settings.apply(YdbEmulator.builder().database("/local")).start();
    }

    private static Connection connection(YdbEmulator ydb, boolean secure, boolean balanced, Ticket ticket) {
        TrustedAuthorities authorities = secure ? TestAuthorities.of(ydb) : null;
        return new Connection(
                new Address(secure, "localhost", ydb.port(), "/local"),
                balanced,
                ticket,
                authorities,
                Duration.ofSeconds(5));
    }

    private static StatusCode asks(Connection connection) {
        try (GrpcTransport transport = connection.open()) {
            return WhoAmI.ask(transport, Duration.ofSeconds(5));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reachesAnOpenDatabaseWithoutAToken(boolean balanced) {
        try (YdbEmulator ydb = ydb(builder -> builder)) {
            assertThat(asks(connection(ydb, false, balanced, Ticket.none()))).isEqualTo(StatusCode.SUCCESS);
        }
    }

    @Test
    void carriesItsTokenToADatabaseThatAsksForOne() {
        try (YdbEmulator ydb = ydb(builder -> builder.token(GOOD, "user"))) {
            assertThat(asks(connection(ydb, false, false, Ticket.fixed(GOOD)))).isEqualTo(StatusCode.SUCCESS);
            assertThat(asks(connection(ydb, false, false, Ticket.fixed(KnownSecrets.secret("bad-token")))))
                    .isNotEqualTo(StatusCode.SUCCESS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void trustsTheGivenAuthorityOverTls(boolean balanced) {
        try (YdbEmulator ydb = ydb(builder -> builder.tls(ServerTls.selfSigned()))) {
            assertThat(asks(connection(ydb, true, balanced, Ticket.none()))).isEqualTo(StatusCode.SUCCESS);
        }
    }

    @Test
    void trustsNoOtherOverTls() {
        try (YdbEmulator ydb = ydb(builder -> builder.tls(ServerTls.selfSigned()))) {
            Connection trusting = connection(ydb, true, false, Ticket.none());
            Connection doubting =
                    new Connection(trusting.where(), false, trusting.ticket(), null, Duration.ofSeconds(1));

            assertThat(asks(doubting)).isNotEqualTo(StatusCode.SUCCESS);
        }
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(booleans = {false, true})
    @DisplayName("is there again soon after its server is, though that was away for twenty seconds")
    void isThereAgainSoon(boolean balanced) {
        int port = LastingPort.free();
        YdbEmulator first = ydb(builder -> builder.listen("localhost", port));
        try (GrpcTransport transport =
                connection(first, false, balanced, Ticket.none()).open()) {
            assertThat(WhoAmI.ask(transport, Duration.ofSeconds(5))).isEqualTo(StatusCode.SUCCESS);
            first.close();
            long gone = System.nanoTime();
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                assertThat(WhoAmI.ask(transport, Duration.ofMillis(300))).isNotEqualTo(StatusCode.SUCCESS);
                return System.nanoTime() - gone > Duration.ofSeconds(20).toNanos();
            });

            try (YdbEmulator again = ydb(builder -> builder.listen("localhost", port))) {
                assertThat(again.port()).isEqualTo(port);
                await().atMost(PromptChannels.PAUSE_MAX.plusSeconds(1))
                        .until(() -> WhoAmI.ask(transport, Duration.ofSeconds(1)) == StatusCode.SUCCESS);
            }
        }
    }

    @Test
    void saysAtOnceThatNobodyIsThereWhenItIsBalanced() {
        Connection nobody = new Connection(
                new Address(false, "localhost", 1, "/local"), true, Ticket.none(), null, Duration.ofMillis(300));

        assertThatThrownBy(nobody::open).isInstanceOf(RuntimeException.class);
    }

    @Test
    void printsNoSecret() {
        Connection connection = new Connection(
                new Address(true, "host", 2135, "/Root/db"), true, Ticket.fixed(GOOD), null, Duration.ofSeconds(1));

        assertThat(connection).hasToString("grpcs://host:2135/Root/db (balanced)");
    }

    @Test
    void sendsNothingOnceTheDeadlineHasPassed() {
        try (YdbEmulator ydb = ydb(builder -> builder);
                GrpcTransport transport =
                        connection(ydb, false, false, Ticket.none()).open()) {
            assertThat(WhoAmI.ask(transport, Duration.ZERO)).isEqualTo(StatusCode.CLIENT_DEADLINE_EXPIRED);
        }
    }
}
