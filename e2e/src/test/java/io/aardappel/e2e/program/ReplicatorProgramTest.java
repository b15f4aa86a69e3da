package io.aardappel.e2e.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.e2e.world.ChildProcesses;
import io.aardappel.e2e.world.Database;
import io.aardappel.e2e.world.Replicator;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.KnownSecrets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts {@code bin/replicator} itself, so it needs what {@code make build} makes. */
@DisplayName("bin/replicator")
class ReplicatorProgramTest {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String SECRET = KnownSecrets.secret("token-of-both");

    private static final Set<String> CONSUMERS = ConcurrentHashMap.newKeySet();

    private static YdbEmulator ydb;
    private static Database source;
    private static Database copy;

    @TempDir
    private Path folder;

    private ChildProcesses children;

    @BeforeAll
    static void startDatabases() {
        ydb = YdbEmulator.builder().database("/source").database("/copy").start();
        source = new Database(ydb.connectionString("/source"));
        copy = new Database(ydb.connectionString("/copy"));
        source.define("CREATE TABLE goods (id Uint64 NOT NULL, title Utf8, PRIMARY KEY (id));");
        source.define("ALTER TABLE goods ADD CHANGEFEED feed WITH (FORMAT = 'JSON', MODE = 'UPDATES', "
                + "VIRTUAL_TIMESTAMPS = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'));");
        copy.define("CREATE TABLE goods (id Uint64 NOT NULL, title Utf8, PRIMARY KEY (id));");
    }

    @AfterAll
    static void stopDatabases() {
        source.close();
        copy.close();
        ydb.close();
    }

    @BeforeEach
    void prepare() {
        children = new ChildProcesses(folder);
    }

    @AfterEach
    void endChildren() {
        children.close();
    }

    @Nested
    @DisplayName("ends before it touches anything")
    class Refusals {
        @Test
        void withTwoWhenTheFileIsWrong() throws Exception {
            assertThat(run(config("state").replace("consumer", "consumre"))).isEqualTo(2);
            assertThat(output()).contains("streams[0].consumre", "did you mean consumer?");
        }

        @Test
        void withTwoWhenThereIsNoFile() throws Exception {
            assertThat(ended(List.of(program(), "-config", "/nowhere/config.yaml")))
                    .isEqualTo(2);
        }

        @Test
        void withTwoWhenAnOptionIsUnknown() throws Exception {
            assertThat(ended(List.of(program(), "--cnofig", "x"))).isEqualTo(2);
        }

        @Test
        void withFourWhenTheDatabasesDoNotFit() throws Exception {
            String wrong = config("state").replace("goods/feed", "missing/feed").replace("/copy/goods", "/copy/absent");
            assertThat(run(wrong)).isEqualTo(4);
            assertThat(output()).contains("/source/missing/feed", "/copy/absent");
        }

        @Test
        void withFourAndPlainTextWhenItOnlyChecks() throws Exception {
            assertThat(run(config("state").replace("/copy/goods", "/copy/absent"), "--check"))
                    .isEqualTo(4);
            assertThat(output().lines())
                    .anySatisfy(line -> assertThat(line).contains("the databases do not fit"))
                    .anySatisfy(line -> assertThat(line).startsWith("  ").contains("/copy/absent"));
        }

        @Test
        void withZeroWhenItOnlyChecksAndNothingIsWrong() throws Exception {
            assertThat(run(config("state"), "--check")).isZero();
            assertThat(output().lines()).last().isEqualTo("nothing wrong");
        }

        @Test
        void withTwoWhenItsAddressIsTaken() throws Exception {
            try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                String listen = "mon_server: {listen: '127.0.0.1:" + taken.getLocalPort() + "'}\n";
                assertThat(run(config("state") + listen)).isEqualTo(2);
            }
            assertThat(output()).contains("mon_server.listen");
        }
    }

    @Nested
    @DisplayName("ends by itself")
    class Ends {
        @Test
        void withSixWhenAnotherHoldsTheLockAndItMayNotWait() throws Exception {
            Replicator holder = active("holder", "state_six");
            assertThat(run(config("state_six").replace("mode: true", "mode: false") + "replicator: {lock_wait: 2s}\n"))
                    .isEqualTo(6);
            assertThat(holder.isAlive()).isTrue();
        }

        @Test
        void withFiveWhenTheStateRowSaysFatalError() throws Exception {
            Replicator first = active("first", "state_five");
            stopped(first);
            copy.define("UPSERT INTO state_five (id, state, last_msg) VALUES ('shop', 'FATAL_ERROR', 'bad record');");
            assertThat(run(config("state_five"))).isEqualTo(5);
            assertThat(output()).contains("FATAL_ERROR", "bad record");
        }
    }

    @Nested
    @DisplayName("told to stop by SIGTERM")
    class Stops {
        @Test
        void endsWithZeroAndLeavesTheLockToTheNext() throws Exception {
            Replicator first = active("first", "state_stop");
            Replicator second = start("second", "state_stop");
            assertThat(stopped(first)).isZero();
            await().atMost(LIMIT).until(second::isActive);
        }

        @Test
        void endsWithZeroAsAStandby() throws Exception {
            active("holder", "state_standby");
            Replicator standby = start("standby", "state_standby");
            await().atMost(LIMIT)
                    .until(() -> standby.status()
                            .map(page -> page.path("mode").asText().equals("standby"))
                            .orElse(false));
            assertThat(stopped(standby)).isZero();
        }

        @Test
        void endsWithZeroWhileItWaitsForADatabase() throws Exception {
            String nobody = config("state").replace(ydb.endpoint(), "127.0.0.1:1");
            Replicator waiting = Replicator.start(children, HOME, folder, "waiting", nobody);
            await().atMost(LIMIT)
                    .until(() -> Files.readString(children.log("waiting")).contains("cannot be reached"));
            assertThat(stopped(waiting)).isZero();
        }
    }

    @Test
    @DisplayName("prints no token at any level")
    void printsNoTokenB34() throws Exception {
        String config = config("state_secret").replace("log_level: info", "log_level: debug") + "src_static_token: "
                + SECRET + "\ndst_static_token: " + SECRET + "\n";
        Replicator replicator = Replicator.start(children, HOME, folder, "secret", config);
        await().atMost(LIMIT)
                .until(() ->
                        Files.readString(children.log("secret")).contains("both databases") || !replicator.isAlive());
        stopped(replicator);
        assertThat(Files.readString(children.log("secret")))
                .contains("configuration")
                .doesNotContain(SECRET);
    }

    private static String program() {
        return HOME.resolve("bin/replicator").toString();
    }

    /** A configuration with a state table and a consumer of its own, so that tests do not meet. */
    private static String config(String stateTable) {
        String consumer = "of_" + stateTable;
        if (CONSUMERS.add(consumer)) {
            source.define("ALTER TOPIC `goods/feed` ADD CONSUMER " + consumer + ";");
        }
        return """
                src_connection_string: "grpc://%1$s/source"
                dst_connection_string: "grpc://%1$s/copy"
                state_table: %2$s
                instance_id: shop
                multiple_instances_mode: true
                max_expected_heartbeat_interval: 5
                log_level: info
                streams:
                  - src_topic: goods/feed
                    consumer: %3$s
                    dst_table: /copy/goods
                """.formatted(ydb.endpoint(), stateTable, consumer);
    }

    private Replicator start(String name, String stateTable) throws IOException {
        return Replicator.start(children, HOME, folder, name, config(stateTable));
    }

    private Replicator active(String name, String stateTable) throws IOException {
        Replicator replicator = start(name, stateTable);
        await().atMost(LIMIT).until(replicator::isActive);
        return replicator;
    }

    private static int stopped(Replicator replicator) throws InterruptedException {
        replicator.stop();
        assertThat(replicator.process().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        return replicator.exitValue();
    }

    private int run(String config, String... options) throws Exception {
        Path file = folder.resolve("run.yaml");
        Files.writeString(file, config);
        List<String> command = new ArrayList<>(List.of(program(), "-config", file.toString()));
        command.addAll(List.of(options));
        return ended(command);
    }

    private int ended(List<String> command) throws Exception {
        Process process = children.start("run", command);
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private String output() throws IOException {
        return Files.readString(children.log("run"));
    }
}
