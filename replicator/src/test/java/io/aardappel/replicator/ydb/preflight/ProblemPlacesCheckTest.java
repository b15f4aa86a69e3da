package io.aardappel.replicator.ydb.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.access.auth.Ticket;
import io.aardappel.access.ydb.Address;
import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.Connection;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.replicator.ydb.preflight.Finding.Severity;
import io.aardappel.replicator.ydb.target.Descriptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.TableClient;

@WithYdb(lifetime = WithYdb.Lifetime.TEST, databases = "/dst")
@DisplayName("Of the places for problems")
class ProblemPlacesCheckTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final String QUEUE = "/dst/commands (cmd_queue.path)";
    private static final String LETTERS = "/dst/letters (dead_letter_queue.path)";
    private static final String BLOCKED = "/dst/blocked (key_filter.table_path)";

    private final YdbEmulator ydb;
    private final GrpcTransport destination;

    ProblemPlacesCheckTest(YdbEmulator ydb) {
        this.ydb = ydb;
        this.destination = new Connection(
                        new Address(false, "localhost", ydb.port(), "/dst"),
                        false,
                        Ticket.none(),
                        null,
                        Duration.ofSeconds(1))
                .open();
    }

    @AfterEach
    void close() {
        destination.close();
    }

    private void execute(String text) {
        try (TableClient client = TableClient.newClient(destination).build()) {
            SessionRetryContext.create(client)
                    .build()
                    .supplyStatus(session -> session.executeSchemeQuery(text))
                    .join()
                    .expectSuccess(text);
        }
    }

    private List<Finding> check() {
        return check(new ProblemPlaces(
                Optional.of(new ProblemPlaces.Queue("/dst/commands", "operator")),
                Optional.of("/dst/letters"),
                Optional.of("/dst/blocked")));
    }

    private List<Finding> check(ProblemPlaces places) {
        Calls calls = new Calls(destination);
        return new ProblemPlacesCheck(
                        calls,
                        new Descriptions(calls, TIMEOUT),
                        new Topics(calls, TIMEOUT),
                        new Permissions(Set.of()),
                        TIMEOUT)
                .of(places);
    }

    private void makeAll() {
        execute("CREATE TOPIC `/dst/commands` (CONSUMER operator)");
        execute("CREATE TOPIC `/dst/letters`");
        execute("CREATE TABLE `/dst/blocked` (instance_id Utf8, key String, PRIMARY KEY (instance_id, key))");
    }

    @Test
    void nothingIsFoundWhereAllIsInPlace() {
        makeAll();

        assertThat(check()).isEmpty();
    }

    @Test
    void nothingIsAskedWhenNothingIsConfigured() {
        assertThat(check(ProblemPlaces.NONE)).isEmpty();
    }

    @Nested
    @DisplayName("when none is there")
    class Absent {
        @Test
        void eachIsAnErrorThatNamesItsKeyInTheFile() {
            assertThat(check())
                    .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.ERROR))
                    .extracting(Finding::object)
                    .containsExactly(QUEUE, LETTERS, BLOCKED);
        }

        @Test
        void theRemediesAreStatementsThatHelp() {
            check().stream()
                    .map(finding -> finding.remedy().replace(", or correct the path", ""))
                    .forEach(ProblemPlacesCheckTest.this::execute);

            assertThat(check()).isEmpty();
        }
    }

    @Nested
    @DisplayName("when another kind of object is in its place")
    class AnotherKind {
        @Test
        void theFindingSaysWhichKind() {
            execute("CREATE TABLE `/dst/commands` (k Uint64, PRIMARY KEY (k))");
            execute("CREATE TABLE `/dst/letters` (k Uint64, PRIMARY KEY (k))");
            execute("CREATE TOPIC `/dst/blocked`");

            assertThat(check())
                    .extracting(Finding::sentence)
                    .satisfiesExactly(
                            one -> assertThat(one).contains(QUEUE, "must be a topic and is table", "CREATE TOPIC"),
                            one -> assertThat(one).contains(LETTERS, "must be a topic and is table", "CREATE TOPIC"),
                            one -> assertThat(one).contains(BLOCKED, "must be a table and is topic", "CREATE TABLE"));
        }
    }

    @Test
    void aQueueWithoutTheConsumerIsToldHowToGetIt() {
        makeAll();
        execute("ALTER TOPIC `/dst/commands` DROP CONSUMER operator");

        assertThat(check()).singleElement().satisfies(finding -> {
            assertThat(finding.sentence()).contains(QUEUE, "no consumer operator", "cmd_queue.consumer");
            execute(finding.remedy().replace(", or correct cmd_queue.consumer", ""));
        });
        assertThat(check()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "key String, PRIMARY KEY (key)",
                "instance_id Utf8, key String, PRIMARY KEY (key, instance_id)",
                "instance_id Utf8, key Utf8, PRIMARY KEY (instance_id, key)",
                "instance_id String, key String, PRIMARY KEY (instance_id, key)",
                "instance_id Utf8, key String, more Utf8, PRIMARY KEY (instance_id, key, more)"
            })
    void aTableOfBlockedKeysOfAnotherShapeIsRefused(String columns) {
        makeAll();
        execute("DROP TABLE `/dst/blocked`");
        execute("CREATE TABLE `/dst/blocked` (" + columns + ")");

        assertThat(check())
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.sentence()).contains(BLOCKED, "CREATE TABLE"));
    }

    @Test
    void aColumnThatAddingCannotFillIsAWarning() {
        makeAll();
        execute("DROP TABLE `/dst/blocked`");
        execute("CREATE TABLE `/dst/blocked`"
                + " (instance_id Utf8, key String, who Utf8 NOT NULL, note Utf8, PRIMARY KEY (instance_id, key))");

        assertThat(check())
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.text()).startsWith("WARNING").contains("column who"));
    }

    @Test
    void whatCannotBeAskedForNowIsNoMistakeOfTheConfiguration() {
        makeAll();
        ydb.faults().add(FaultRule.of(Fault.OVERLOADED).inDatabase("/dst"));

        assertThat(check())
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.UNREACHABLE));
    }
}
