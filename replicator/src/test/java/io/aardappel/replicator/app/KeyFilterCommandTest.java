package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.auth.Ticket;
import io.aardappel.replicator.ydb.transport.Address;
import io.aardappel.replicator.ydb.transport.Connection;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.TableClient;

@WithYdb(
        lifetime = WithYdb.Lifetime.TEST,
        databases = {"/src", "/dst"})
@DisplayName("bin/replicator key-filter")
class KeyFilterCommandTest {
    private static final String FILTER = "key_filter: {table_path: blocked}\n";

    private final int port;
    private final StringWriter out = new StringWriter();

    @TempDir
    private Path folder;

    KeyFilterCommandTest(YdbEmulator ydb) {
        this.port = ydb.port();
    }

    @BeforeEach
    void makeTheTable() {
        try (GrpcTransport transport = new Connection(
                                new Address(false, "localhost", port, "/dst"),
                                false,
                                Ticket.none(),
                                null,
                                Duration.ofSeconds(5))
                        .open();
                TableClient client = TableClient.newClient(transport).build()) {
            String text = "CREATE TABLE blocked (instance_id Utf8, key String, PRIMARY KEY (instance_id, key))";
            SessionRetryContext.create(client)
                    .build()
                    .supplyStatus(session -> session.executeSchemeQuery(text))
                    .join()
                    .expectSuccess(text);
        }
    }

    private int run(String further, String... arguments) throws IOException {
        Path file = folder.resolve("config.yaml");
        Files.writeString(file, """
                src_connection_string: "grpc://127.0.0.1:1/src"
                dst_connection_string: "grpc://localhost:%d/dst"
                state_table: state
                instance_id: shop
                max_expected_heartbeat_interval: 5
                streams:
                  - {src_topic: goods/feed, consumer: c, dst_table: /dst/goods}
                """.formatted(port) + further);
        out.getBuffer().setLength(0);
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        all[0] = "-config";
        all[1] = file.toString();
        return new CommandLine(new ReplicatorCommand(Seams.SOUND))
                .setPosixClusteredShortOptionsAllowed(false)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .execute(all);
    }

    @Test
    @DisplayName("adds keys as the feed writes them, lists and removes them")
    void addsListsAndRemoves() throws IOException {
        assertThat(run(
                        FILTER,
                        "key-filter",
                        "add",
                        "--table",
                        "/dst/goods",
                        "--key",
                        "[\"tea\", 7]",
                        "--key",
                        "[\"x\",1]"))
                .isZero();
        assertThat(run(FILTER, "key-filter", "list")).isZero();
        assertThat(out.toString().lines()).containsExactly("/dst/goods  \"tea\"7", "/dst/goods  \"x\"1");

        assertThat(run(FILTER, "key-filter", "remove", "--table", "/dst/goods", "--key", "[\"tea\",7]"))
                .isZero();
        run(FILTER, "key-filter", "list");
        assertThat(out.toString().lines()).containsExactly("/dst/goods  \"x\"1");
    }

    @Test
    @DisplayName("refuses a table that no stream has, and names those there are")
    void refusesAnotherTable() throws IOException {
        assertThat(run(FILTER, "key-filter", "add", "--table", "goods", "--key", "[1]"))
                .isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(out.toString()).contains("no stream has dst_table goods", "/dst/goods");
    }

    @Test
    @DisplayName("refuses what is no JSON array")
    void refusesWhatIsNoArray() throws IOException {
        assertThat(run(FILTER, "key-filter", "add", "--table", "/dst/goods", "--key", "tea"))
                .isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(out.toString()).contains("tea is no JSON array");
    }

    @Test
    @DisplayName("says that the file names no table of blocked keys")
    void saysThatThereIsNone() throws IOException {
        assertThat(run("", "key-filter", "list")).isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(out.toString()).contains("key_filter.table_path");
    }

    @Test
    @DisplayName("says which table cannot be read")
    void saysWhichTable() throws IOException {
        assertThat(run("key_filter: {table_path: absent}\n", "key-filter", "list"))
                .isEqualTo(ExitCode.PREFLIGHT.code());
        assertThat(out.toString()).contains("/dst/absent");
    }
}
