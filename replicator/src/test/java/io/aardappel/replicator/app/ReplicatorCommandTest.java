package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.access.auth.Ticket;
import io.aardappel.access.ydb.Address;
import io.aardappel.access.ydb.Connection;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
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
@DisplayName("bin/replicator --check")
class ReplicatorCommandTest {
    private final int port;
    private final StringWriter out = new StringWriter();

    @TempDir
    private Path folder;

    ReplicatorCommandTest(YdbEmulator ydb) {
        this.port = ydb.port();
    }

    @BeforeEach
    void createTables() {
        execute("/src", "CREATE TABLE `/src/t` (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
        execute(
                "/src",
                "ALTER TABLE `/src/t` ADD CHANGEFEED feed WITH (MODE = 'UPDATES', FORMAT = 'JSON',"
                        + " VIRTUAL_TIMESTAMPS = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'))");
        execute("/src", "ALTER TOPIC `/src/t/feed` ADD CONSUMER c");
        execute("/dst", "CREATE TABLE `/dst/t` (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
    }

    private void execute(String database, String text) {
        Connection connection = new Connection(
                new Address(false, "localhost", port, database), false, Ticket.none(), null, Duration.ofSeconds(5));
        try (GrpcTransport transport = connection.open();
                TableClient client = TableClient.newClient(transport).build()) {
            SessionRetryContext.create(client)
                    .build()
                    .supplyStatus(session -> session.executeSchemeQuery(text))
                    .join()
                    .expectSuccess(text);
        }
    }

    private String config() {
        return """
                src_connection_string: "grpc://localhost:%1$d/src"
                dst_connection_string: "grpc://localhost:%1$d/dst"
                state_table: state
                instance_id: shop
                max_expected_heartbeat_interval: 5
                streams:
                  - {src_topic: t/feed, consumer: c, dst_table: /dst/t}
                """.formatted(port);
    }

    private int check(String config) throws IOException {
        Path file = Files.writeString(folder.resolve("config.yaml"), config);
        return new CommandLine(new ReplicatorCommand(Seams.SOUND))
                .setPosixClusteredShortOptionsAllowed(false)
                .setOut(new PrintWriter(out, true))
                .execute("--check", "-config", file.toString());
    }

    @Test
    void saysThatNothingIsWrong() throws IOException {
        assertThat(check(config())).isZero();
        assertThat(out.toString().lines()).last().isEqualTo("nothing wrong");
    }

    @Test
    void tellsAStatementOnceHoweverManyProblemsItMends() throws IOException {
        execute("/src", "CREATE TABLE `/src/u` (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
        execute("/src", "ALTER TABLE `/src/u` ADD CHANGEFEED feed WITH (MODE = 'KEYS_ONLY', FORMAT = 'JSON')");
        execute("/src", "ALTER TOPIC `/src/u/feed` ADD CONSUMER c");

        assertThat(check(config().replace("t/feed", "u/feed"))).isEqualTo(ExitCode.PREFLIGHT.code());

        assertThat(out.toString())
                .contains("KEYS_ONLY", "no virtual timestamps", "no resolved timestamps")
                .containsOnlyOnce("ADD CHANGEFEED")
                .contains("What to do is told above, at /src/u/feed");
    }

    @Test
    void tellsOfABadFileInPlainTextToAPersonWhoLooksAtStderr() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.yaml"), "instance_id: shop\nsurprise: 1\n");
        StringWriter err = new StringWriter();
        System.setProperty(ReplicatorCommand.STDERR_IS_A_TERMINAL, "true");
        try {
            assertThat(new CommandLine(new ReplicatorCommand(Seams.SOUND))
                            .setPosixClusteredShortOptionsAllowed(false)
                            .setErr(new PrintWriter(err, true))
                            .execute("-config", file.toString()))
                    .isEqualTo(ExitCode.CONFIGURATION.code());
        } finally {
            System.clearProperty(ReplicatorCommand.STDERR_IS_A_TERMINAL);
        }

        assertThat(err.toString().lines()).first().isEqualTo(file + " cannot be used:");
        assertThat(err.toString()).contains("  line 2:1: surprise: is not a known key");
    }

    @Test
    void tellsAListeningAddressThatIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(check(config() + "mon_server: {listen: '127.0.0.1:" + taken.getLocalPort() + "'}\n"))
                    .isEqualTo(ExitCode.CONFIGURATION.code());
        }
        assertThat(out.toString()).contains("mon_server.listen: cannot listen on", "Choose an address");
    }

    @Test
    void saysOneThingOnlyOfADatabaseThatIsNotThere() throws IOException {
        assertThat(check(config().replace("/src\"", "/wrong\""))).isEqualTo(ExitCode.PREFLIGHT.code());
        assertThat(out.toString().lines())
                .hasSize(2)
                .last()
                .asString()
                .contains("source database grpc://localhost:" + port + "/wrong", "no database /wrong")
                .doesNotContain("Grant");
    }

    @Test
    void tellsBothDatabasesWhenBothAreAway() throws IOException {
        assertThat(check(config().replace("localhost:" + port, "127.0.0.1:1"))).isEqualTo(ExitCode.PREFLIGHT.code());
        assertThat(out.toString()).contains("the source database", "the destination database", "port 1", "is closed");
    }
}
