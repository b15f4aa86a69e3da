package io.aardappel.replicator.ydb.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.access.auth.Ticket;
import io.aardappel.access.ydb.Address;
import io.aardappel.access.ydb.Connection;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.replicator.ydb.preflight.Finding.Severity;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("At the door of a database")
class DoorstepTest {
    private static Optional<Finding> check(int port, String database, boolean balanced, String token) {
        Connection connection = new Connection(
                new Address(false, "localhost", port, database),
                balanced,
                Ticket.fixed(token),
                null,
                Duration.ofSeconds(2));
        return Doorstep.check(
                new Doorstep.Side("destination", "dst_connection_string", "dst_static_token", connection),
                Duration.ofSeconds(3),
                1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsFoundWhereItIsOpen(boolean balanced) {
        try (YdbEmulator ydb = YdbEmulator.builder().database("/local").start()) {
            assertThat(check(ydb.port(), "/local", balanced, "any")).isEmpty();
        }
    }

    @Test
    void aClosedPortNamesSideAddressAndKeyAndMayBeTriedAgain() {
        assertThat(check(1, "/local", true, "any")).hasValueSatisfying(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.UNREACHABLE);
            assertThat(finding.sentence())
                    .contains("destination database grpc://localhost:1/local", "is closed", "dst_connection_string");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWrongPathIsAMistakeOfTheConfigurationAndTheOnlyFinding(boolean balanced) {
        try (YdbEmulator ydb = YdbEmulator.builder().database("/local").start()) {
            assertThat(check(ydb.port(), "/wrong", balanced, "any")).hasValueSatisfying(finding -> {
                assertThat(finding.severity()).isEqualTo(Severity.ERROR);
                assertThat(finding.sentence()).contains("no database /wrong", "dst_connection_string");
            });
        }
    }

    @Test
    void aRefusedTokenIsAMistakeAndIsNotPrinted() {
        try (YdbEmulator ydb = YdbEmulator.builder()
                .database("/local")
                .token("t1.good", "user")
                .start()) {
            assertThat(check(ydb.port(), "/local", false, "t1.bad")).hasValueSatisfying(finding -> {
                assertThat(finding.severity()).isEqualTo(Severity.ERROR);
                assertThat(finding.sentence())
                        .contains("refuses the token", "dst_static_token")
                        .doesNotContain("t1.bad");
            });
        }
    }
}
