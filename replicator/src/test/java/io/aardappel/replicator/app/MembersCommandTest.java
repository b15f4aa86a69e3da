package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.contract.DecisionTable;
import io.aardappel.contract.InstanceTable;
import io.aardappel.contract.StateTable;
import io.aardappel.contract.StreamTable;
import io.aardappel.contract.TableName;
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
import tech.ydb.table.transaction.TxControl;

@WithYdb(
        lifetime = WithYdb.Lifetime.TEST,
        databases = {"/src", "/dst"})
@DisplayName("bin/replicator members")
class MembersCommandTest {
    private static final TableName STATE = new TableName("state");

    private final int port;
    private final StringWriter out = new StringWriter();

    @TempDir
    private Path folder;

    MembersCommandTest(YdbEmulator ydb) {
        this.port = ydb.port();
    }

    @BeforeEach
    void recordTwoStreams() {
        scheme(StateTable.createIfAbsent(STATE));
        scheme(InstanceTable.createIfAbsent(STATE));
        scheme(StreamTable.createIfAbsent(STATE));
        scheme(DecisionTable.createIfAbsent(STATE));
        write("UPSERT INTO state (id, step_id, tx_id, state, stage, lock_owner, lock_deadline)"
                + " VALUES ('shop', 10ul, 0ul, 'OK', 'RUN', 'lock_other', CurrentUtcTimestamp())");
        for (String name : new String[] {"goods", "orders"}) {
            write(
                    "UPSERT INTO state_streams (id, topic, consumer, dst_table, state, topic_created_at) VALUES ('shop', '/src/"
                            + name + "/feed', 'c', '/dst/" + name + "', 'member', 5ul)");
        }
    }

    private void scheme(String text) {
        try (GrpcTransport transport = open();
                TableClient client = TableClient.newClient(transport).build()) {
            SessionRetryContext.create(client)
                    .build()
                    .supplyStatus(session -> session.executeSchemeQuery(text))
                    .join()
                    .expectSuccess(text);
        }
    }

    private void write(String text) {
        try (GrpcTransport transport = open();
                TableClient client = TableClient.newClient(transport).build()) {
            SessionRetryContext.create(client)
                    .build()
                    .supplyResult(session -> session.executeDataQuery(text, TxControl.serializableRw()))
                    .join()
                    .getStatus()
                    .expectSuccess(text);
        }
    }

    private GrpcTransport open() {
        return new Connection(
                        new Address(false, "localhost", port, "/dst"),
                        false,
                        Ticket.none(),
                        null,
                        Duration.ofSeconds(5))
                .open();
    }

    private int run(String... arguments) throws IOException {
        Files.writeString(folder.resolve("config.yaml"), """
                src_connection_string: "grpc://127.0.0.1:1/src"
                dst_connection_string: "grpc://localhost:%d/dst"
                state_table: state
                instance_id: shop
                max_expected_heartbeat_interval: 5
                streams:
                  - {src_topic: goods/feed, consumer: c, dst_table: /dst/goods}
                """.formatted(port));
        out.getBuffer().setLength(0);
        return new CommandLine(new ReplicatorCommand(Seams.SOUND))
                .setPosixClusteredShortOptionsAllowed(false)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .execute(arguments);
    }

    private String file() {
        return folder.resolve("config.yaml").toString();
    }

    @Test
    @DisplayName("list prints what is recorded, though the source is away and whoever holds the lock")
    void lists() throws IOException {
        assertThat(run("members", "list", "-config", file())).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "STATE   TOPIC             CONSUMER  TABLE",
                        "member  /src/goods/feed   c         /dst/goods",
                        "member  /src/orders/feed  c         /dst/orders");
    }

    @Test
    @DisplayName("takes -config before or behind its name")
    void takesTheFileAnywhere() throws IOException {
        assertThat(run("-config", file(), "members", "list")).isZero();
        assertThat(run("members", "-config", file(), "list")).isZero();
    }

    @Test
    @DisplayName("remove takes out one stream and leaves the other")
    void removes() throws IOException {
        assertThat(run("members", "remove", "-config", file(), "--topic", "orders/feed", "--consumer", "c"))
                .isZero();
        assertThat(out.toString()).contains("removed: stream /src/orders/feed");

        run("members", "list", "-config", file());
        assertThat(out.toString().lines().skip(1).map(line -> line.replaceAll(" +", " ")))
                .containsExactly("member /src/goods/feed c /dst/goods", "removed /src/orders/feed c /dst/orders");
    }

    @Test
    @DisplayName("remove changes nothing while another holds the lock, and says who")
    void waitsForTheLock() throws IOException {
        write("UPDATE state SET lock_deadline = CurrentUtcTimestamp() + Interval('PT1H') WHERE id = 'shop'");

        assertThat(run(
                        "members",
                        "remove",
                        "-config",
                        file(),
                        "--topic",
                        "orders/feed",
                        "--consumer",
                        "c",
                        "--wait",
                        "0"))
                .isEqualTo(ExitCode.LOCK.code());
        assertThat(out.toString()).contains("nothing was changed", "lock_other", "stop every replicator");
    }

    @Test
    @DisplayName("remove names the members there are when that one is none")
    void namesMembers() throws IOException {
        assertThat(run("members", "remove", "-config", file(), "--topic", "x/feed", "--consumer", "c"))
                .isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(out.toString()).contains("no member has topic /src/x/feed", "/src/goods/feed", "/src/orders/feed");
    }

    @Test
    @DisplayName("alone asks for what to do")
    void alone() throws IOException {
        assertThat(run("members")).isEqualTo(ExitCode.CONFIGURATION.code());
        assertThat(out.toString()).contains("list", "remove");
    }
}
