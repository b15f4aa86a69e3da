package io.aardappel.replicator.ydb.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.access.auth.Ticket;
import io.aardappel.access.ydb.Address;
import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.Connection;
import io.aardappel.contract.TableName;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.ydb.preflight.Finding.Severity;
import io.aardappel.replicator.ydb.target.Descriptions;
import io.aardappel.replicator.ydb.target.DestinationTables;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.TableClient;

@WithYdb(
        lifetime = WithYdb.Lifetime.TEST,
        databases = {"/src", "/dst"})
@DisplayName("Before the start")
class PreflightTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final String GOOD_FEED =
            " WITH (MODE = 'UPDATES', FORMAT = 'JSON', VIRTUAL_TIMESTAMPS = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'))";

    private static final Pattern STATEMENTS = Pattern.compile("(CREATE|ALTER) .*");

    private final YdbEmulator ydb;
    private final GrpcTransport source;
    private final GrpcTransport destination;
    private final TableName state = TableName.parse("state");

    PreflightTest(YdbEmulator ydb) {
        this.ydb = ydb;
        this.source = open(ydb.port(), "/src");
        this.destination = open(ydb.port(), "/dst");
    }

    @BeforeEach
    void createTables() {
        execute(source, "CREATE TABLE `/src/t` (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
        execute(source, "ALTER TABLE `/src/t` ADD CHANGEFEED feed" + GOOD_FEED);
        execute(source, "ALTER TOPIC `/src/t/feed` ADD CONSUMER c");
        execute(destination, "CREATE TABLE `/dst/t` (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
    }

    @AfterEach
    void close() {
        source.close();
        destination.close();
    }

    private static GrpcTransport open(int port, String database) {
        return new Connection(
                        new Address(false, "localhost", port, database),
                        false,
                        Ticket.none(),
                        null,
                        Duration.ofSeconds(1))
                .open();
    }

    private static void execute(GrpcTransport where, String text) {
        try (TableClient client = TableClient.newClient(where).build()) {
            SessionRetryContext.create(client)
                    .build()
                    .supplyStatus(session -> session.executeSchemeQuery(text))
                    .join()
                    .expectSuccess(text);
        }
    }

    private List<Finding> check(StreamSpec... streams) {
        Calls to = new Calls(destination);
        DestinationTables tables = new DestinationTables(new Descriptions(to, TIMEOUT), "/dst");
        return new Preflight(new Calls(source), to, tables, Duration.ofSeconds(5), TIMEOUT)
                .check(List.of(streams), state, ProblemPlaces.NONE, stream -> false);
    }

    private static StreamSpec stream(String topic, String consumer, String table) {
        return new StreamSpec(topic, consumer, table);
    }

    @Test
    void nothingIsFoundWhereAllIsInPlace() {
        assertThat(check(stream("t/feed", "c", "/dst/t"))).isEmpty();
        assertThat(check(stream("/src/t/feed", "c", "/dst/t"))).isEmpty();
    }

    @Test
    void everyProblemIsFoundAtOnceAndNamesItsObject() {
        execute(source, "CREATE TABLE `/src/u` (k Uint64 NOT NULL, v Utf8, w Int32, PRIMARY KEY (k))");
        execute(source, "ALTER TABLE `/src/u` ADD CHANGEFEED feed WITH (MODE = 'KEYS_ONLY', FORMAT = 'JSON')");
        execute(destination, "CREATE TABLE `/dst/u` (k Utf8 NOT NULL, v Utf8, PRIMARY KEY (k))");

        List<Finding> findings = check(
                stream("t/feed", "nobody", "/dst/t"), stream("u/feed", "c", "/dst/u"), stream("x/feed", "c", "/dst/x"));

        assertThat(findings.stream().filter(finding -> finding.severity() == Severity.ERROR))
                .extracting(Finding::object, Finding::what)
                .satisfiesExactlyInAnyOrder(
                        one -> assertThat(one.toString()).contains("/src/t/feed", "no consumer nobody"),
                        one -> assertThat(one.toString()).contains("/src/u/feed", "no consumer c"),
                        one -> assertThat(one.toString()).contains("/src/u/feed", "KEYS_ONLY"),
                        one -> assertThat(one.toString()).contains("/src/u/feed", "no virtual timestamps"),
                        one -> assertThat(one.toString()).contains("/src/u/feed", "no resolved timestamps"),
                        one -> assertThat(one.toString()).contains("/dst/u", "primary key"),
                        one -> assertThat(one.toString()).contains("/dst/u", "no column w"),
                        one -> assertThat(one.toString()).contains("/src/x/feed", "topic does not exist"),
                        one -> assertThat(one.toString()).contains("/dst/x", "table does not exist"));
        assertThat(findings).allSatisfy(finding -> assertThat(finding.remedy()).isNotBlank());
    }

    /** What a person would paste: from the first statement on. */
    private void paste(GrpcTransport where, Finding finding) {
        Matcher statements = STATEMENTS.matcher(finding.remedy());
        assertThat(statements.find()).as(finding.text()).isTrue();
        for (String statement : statements.group().split("; ")) {
            execute(where, statement);
        }
    }

    @Test
    void statementsThatMakeWhatIsMissingStandInTheRemedies() {
        execute(
                source,
                "CREATE TABLE `/src/u` (a Utf8 NOT NULL, `b c` Int64, d Decimal(22,9), PRIMARY KEY (a, `b c`))");

        paste(source, only(check(stream("u/feed", "c", "/dst/t"))));
        paste(destination, only(check(stream("u/feed", "c", "/dst/u"))));

        assertThat(check(stream("u/feed", "c", "/dst/u"))).isEmpty();
    }

    @Test
    void theFeedIsProposedOfTheTableWhereTheFeedsNameWasForgotten() {
        execute(source, "CREATE TABLE `/src/u` (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");

        Finding found = only(check(stream("u", "c", "/dst/t")));
        assertThat(found.remedy()).contains("a feed of table /src/u, such as u/feed");
        paste(source, found);

        assertThat(check(stream("u/feed", "c", "/dst/t"))).isEmpty();
    }

    @Test
    void wordsOfAServerThatEndWithAFullStopGetNoOther() {
        assertThat(Finding.error("/dst/t", "it is gone.", "Make it").text())
                .isEqualTo("ERROR /dst/t: it is gone. Make it");
        assertThat(Finding.error("/dst/t", "it is gone", "Make it").text())
                .isEqualTo("ERROR /dst/t: it is gone. Make it");
    }

    @Test
    void aStatementThatAddsAMissingColumnStandsInTheRemedy() {
        execute(source, "ALTER TABLE `/src/t` ADD COLUMN w Int32");

        Finding missing = only(check(stream("t/feed", "c", "/dst/t")));
        assertThat(missing.what()).contains("no column w Int32");
        paste(destination, missing);

        assertThat(check(stream("t/feed", "c", "/dst/t"))).isEmpty();
    }

    @Test
    void aStatementThatMakesAnotherFeedStandsInTheRemedy() {
        execute(
                source,
                "ALTER TABLE `/src/t` ADD CHANGEFEED poor WITH (MODE = 'KEYS_ONLY', FORMAT = 'JSON',"
                        + " VIRTUAL_TIMESTAMPS = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'))");
        execute(source, "ALTER TOPIC `/src/t/poor` ADD CONSUMER c");

        paste(source, only(check(stream("t/poor", "c", "/dst/t"))));

        assertThat(check(stream("t/poor2", "c", "/dst/t"))).isEmpty();
    }

    private static Finding only(List<Finding> findings) {
        List<Finding> errors = findings.stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .toList();
        assertThat(errors).hasSize(1);
        return errors.get(0);
    }

    @Test
    void aStateTableOfAnotherShapeIsFound() {
        execute(destination, "CREATE TABLE `/dst/state` (id Utf8, step_id Utf8, PRIMARY KEY (id))");

        assertThat(check(stream("t/feed", "c", "/dst/t")))
                .allSatisfy(finding -> assertThat(finding.object()).isEqualTo("/dst/state"))
                .extracting(Finding::what)
                .anySatisfy(what -> assertThat(what).contains("column step_id of type Utf8 instead of Uint64"))
                .anySatisfy(what -> assertThat(what)
                        .contains("column lock_owner missing", "ALTER TABLE `/dst/state` ADD COLUMN lock_owner Utf8"));
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsNoMistakeOfTheConfiguration() {
        GrpcTransport nobody = open(1, "/dst");
        try {
            Calls to = new Calls(nobody);
            DestinationTables tables = new DestinationTables(new Descriptions(to, TIMEOUT), "/dst");
            List<Finding> findings = new Preflight(new Calls(source), to, tables, Duration.ofSeconds(5), TIMEOUT)
                    .check(List.of(stream("t/feed", "c", "/dst/t")), state, ProblemPlaces.NONE, stream -> false);

            assertThat(findings)
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.UNREACHABLE));
        } finally {
            nobody.close();
        }
    }

    @ParameterizedTest(name = "description {0}")
    @ValueSource(ints = {0, 1, 2})
    void aDescriptionOfTheSourceThatIsRefusedForNowPutsTheStartOff(int refused) {
        ydb.faults()
                .add(FaultRule.of(Fault.OVERLOADED)
                        .inDatabase("/src")
                        .during(Operation.DESCRIBE)
                        .after(refused)
                        .times(1));
        Calls to = new Calls(destination);
        DestinationTables tables = new DestinationTables(new Descriptions(to, TIMEOUT), "/dst");

        List<Finding> findings = new Preflight(new Calls(source), to, tables, Duration.ofSeconds(5), TIMEOUT)
                .check(List.of(stream("t/feed", "c", "/dst/t")), state, ProblemPlaces.NONE, stream -> false);

        boolean struck = ydb.faults().fired(Fault.OVERLOADED) > 0;
        assertThat(findings)
                .as("a feed that is not checked for want of a session would be refused at its first bare record")
                .noneMatch(finding -> finding.severity() == Severity.WARNING);
        assertThat(findings.stream().anyMatch(finding -> finding.severity() == Severity.UNREACHABLE))
                .isEqualTo(struck);
    }

    @ParameterizedTest(name = "call {0}")
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void anyCallThatIsRefusedForNowIsFoundOrWasNotNeeded(int refused) {
        ydb.faults()
                .add(FaultRule.of(Fault.OVERLOADED)
                        .inDatabase("/dst")
                        .after(refused)
                        .times(1));
        Calls to = new Calls(destination);
        DestinationTables tables = new DestinationTables(new Descriptions(to, TIMEOUT), "/dst");

        List<Finding> findings = new Preflight(new Calls(source), to, tables, Duration.ofSeconds(5), TIMEOUT)
                .check(List.of(stream("t/feed", "c", "/dst/t")), state, ProblemPlaces.NONE, stream -> false);

        assertThat(tables.known("/dst/t").isPresent() || !findings.isEmpty())
                .as("the table is known, or the start is put off: %s", findings)
                .isTrue();
    }
}
