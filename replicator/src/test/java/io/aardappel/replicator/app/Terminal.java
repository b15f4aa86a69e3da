package io.aardappel.replicator.app;

import io.aardappel.access.auth.Ticket;
import io.aardappel.access.ydb.Address;
import io.aardappel.access.ydb.Connection;
import io.aardappel.contract.DecisionTable;
import io.aardappel.contract.InstanceTable;
import io.aardappel.contract.StateTable;
import io.aardappel.contract.StreamTable;
import io.aardappel.contract.TableName;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import tech.ydb.core.Result;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.TableClient;
import tech.ydb.table.query.DataQueryResult;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.result.ValueReader;
import tech.ydb.table.transaction.TxControl;
import tech.ydb.table.values.Type;

/** A person's at which {@code bin/replicator} is called, with a database to be looked at. */
final class Terminal {
    private final int port;
    private final String database;
    private final StringWriter out = new StringWriter();

    /** @param port of an emulator with the database {@code /dst} */
    Terminal(int port) {
        this(port, "/dst");
    }

    /** With statements for another database. */
    Terminal(int port, String database) {
        this.port = port;
        this.database = database;
    }

    /** Writes a configuration into the folder, of a source that is away. */
    Path configuration(Path folder, String furtherLines) throws IOException {
        return configuration(folder, 1, furtherLines);
    }

    /** The same with a source that is in the emulator as well. */
    Path configurationWithSource(Path folder, String furtherLines) throws IOException {
        return configuration(folder, port, furtherLines);
    }

    private Path configuration(Path folder, int sourcePort, String furtherLines) throws IOException {
        return Files.writeString(folder.resolve("config.yaml"), """
                src_connection_string: "grpc://localhost:%d/src"
                dst_connection_string: "grpc://localhost:%d/dst"
                state_table: state
                instance_id: shop
                max_expected_heartbeat_interval: 5
                streams:
                  - {src_topic: goods/feed, consumer: c, dst_table: /dst/goods}
                """.formatted(sourcePort, port) + furtherLines);
    }

    /** Gives the exit code; what was printed before is forgotten. */
    int call(String... arguments) {
        out.getBuffer().setLength(0);
        return Main.commandLine(Seams.SOUND)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .execute(arguments);
    }

    String text() {
        return out.toString();
    }

    Stream<String> lines() {
        return text().lines();
    }

    /** Creates the four tables that a replicator keeps its state in, and the row of one that ran and ended. */
    void createState() {
        TableName state = new TableName("state");
        for (String statement : List.of(
                StateTable.createIfAbsent(state),
                InstanceTable.createIfAbsent(state),
                StreamTable.createIfAbsent(state),
                DecisionTable.createIfAbsent(state))) {
            scheme(statement);
        }
        write("UPSERT INTO state (id, step_id, tx_id, state, stage, lock_owner, lock_deadline)"
                + " VALUES ('shop', 10ul, 0ul, 'OK', 'RUN', 'lock_other', CurrentUtcTimestamp())");
    }

    void scheme(String statement) {
        retried(retries -> retries.supplyStatus(session -> session.executeSchemeQuery(statement)))
                .expectSuccess(statement);
    }

    void write(String statement) {
        execute(statement).getStatus().expectSuccess(statement);
    }

    /** The rows, one a line, their columns parted by a blank; NULL is a dash. */
    String read(String statement) {
        ResultSetReader rows = execute(statement).getValue().getResultSet(0);
        StringJoiner lines = new StringJoiner("\n");
        while (rows.next()) {
            StringJoiner line = new StringJoiner(" ");
            for (int column = 0; column < rows.getColumnCount(); column++) {
                line.add(plain(rows.getColumn(column)));
            }
            lines.add(line.toString());
        }
        return lines.toString();
    }

    private Result<DataQueryResult> execute(String statement) {
        return retried(retries ->
                retries.supplyResult(session -> session.executeDataQuery(statement, TxControl.serializableRw())));
    }

    private <T> T retried(Function<SessionRetryContext, CompletableFuture<T>> call) {
        try (GrpcTransport transport = open();
                TableClient client = TableClient.newClient(transport).build()) {
            return call.apply(SessionRetryContext.create(client).build()).join();
        }
    }

    private static String plain(ValueReader column) {
        boolean optional = column.getType().getKind() == Type.Kind.OPTIONAL;
        return optional && !column.isOptionalItemPresent()
                ? "-"
                : column.toString().replaceAll("^Some\\[(.*)]$", "$1").replaceAll("^\"(.*)\"$", "$1");
    }

    GrpcTransport open() {
        return new Connection(
                        new Address(false, "localhost", port, database),
                        false,
                        Ticket.none(),
                        null,
                        Duration.ofSeconds(5))
                .open();
    }
}
