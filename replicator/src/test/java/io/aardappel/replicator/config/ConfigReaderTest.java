package io.aardappel.replicator.config;

import static io.aardappel.emulator.junit.KnownSecrets.MARKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A configuration file")
class ConfigReaderTest {
    private static final long HEAP = 8L << 30;
    private static final String MINIMAL = """
            src_connection_string: grpc://source.example:2136/Root/shop
            dst_connection_string: grpcs://destination.example:2135/Root/copy
            state_table: repl_state
            instance_id: shop-a
            max_expected_heartbeat_interval: 15
            streams:
              - src_topic: goods/feed
                consumer: repl
                dst_table: /Root/copy/goods
            """;
    private static final String SKIPPING =
            MINIMAL + "    problem_strategy: continue\ndead_letter_queue: {path: letters}\n";

    @Nested
    @DisplayName("with the keys that must be there and no more")
    class Minimal {
        private final ReplicatorConfig config = accepted(MINIMAL);

        @Test
        void namesTheSource() {
            assertThat(config.source())
                    .isEqualTo(new DatabaseConfig(
                            new Endpoint(false, "source.example", 2136, "/Root/shop"),
                            false,
                            new Authentication.Anonymous(),
                            Optional.empty()));
        }

        @Test
        void namesTheDestination() {
            assertThat(config.destination())
                    .isEqualTo(new DatabaseConfig(
                            new Endpoint(true, "destination.example", 2135, "/Root/copy"),
                            false,
                            new Authentication.Anonymous(),
                            Optional.empty()));
        }

        @Test
        void resolvesTheStateTable() {
            assertThat(config.stateTablePath()).isEqualTo("/Root/copy/repl_state");
        }

        @Test
        void takesTheInstance() {
            assertThat(config.instanceId()).isEqualTo("shop-a");
        }

        @Test
        void givesUpOnTheLock() {
            assertThat(config.waitForLock()).isFalse();
        }

        @Test
        void takesTheHeartbeatInSeconds() {
            assertThat(config.heartbeat()).isEqualTo(Duration.ofSeconds(15));
        }

        @Test
        void logsWarnings() {
            assertThat(config.logLevel()).isEqualTo(LogLevel.WARN);
        }

        @Test
        void tagsAStreamWithItsTopic() {
            assertThat(config.streams())
                    .containsExactly(new StreamConfig(
                            "goods/feed",
                            "/Root/shop/goods/feed",
                            "repl",
                            "/Root/copy/goods",
                            "/Root/copy/goods",
                            false,
                            "goods/feed"));
        }

        @Test
        void servesNoHttp() {
            assertThat(config.monitoring()).isEmpty();
        }

        @ParameterizedTest
        @FieldSource("io.aardappel.replicator.config.Tuning#SETTINGS")
        void tunesByDefaults(Setting<?> setting) {
            assertThat((Object) config.tuning().get(setting)).isEqualTo(setting.fallback());
        }
    }

    @Nested
    @DisplayName("with every key")
    class Whole {
        private final ReplicatorConfig config = accepted("""
                src_connection_string: "grpcs://source.example:2135/Root/shop"
                src_client_balancer: true
                src_static_token: MARKER-source
                src_oauth2_endpoint: https://ignored.example/beside/a/static/token
                dst_connection_string: "grpcs://destination.example:2135/?database=/Root/copy"
                dst_client_balancer: yes
                dst_static_token: "MARKER-destination"
                state_table: "`/Root/copy/repl/state`"
                instance_id: 0
                multiple_instances_mode: true
                max_expected_heartbeat_interval: 1
                log_level: INFO
                streams:
                  - src_topic: /Root/shop/goods/feed
                    consumer: repl
                    dst_table: goods
                    problem_strategy: stop
                    mon_tag: things
                  - src_topic: orders/feed
                    consumer: 7
                    dst_table: /Root/copy/orders
                    problem_strategy: Continue
                mon_server:
                  listen: ":9464"
                cmd_queue: {path: repl/commands, consumer: repl}
                dead_letter_queue: {path: /Root/copy/dead}
                key_filter: {table_path: blocked}
                replicator:
                  memory: 1GiB
                  transaction_rows: 77
                  transaction_timeout: 1500ms
                  source_tls_ca_file: /etc/ca.pem
                  destination_tls_ca_file: ca.pem
                  dead_letter_format: JSON
                """.replace("MARKER", MARKER));

        @Test
        void resolvesTheTableOfBlockedKeys() {
            assertThat(config.keyFilterPath()).contains("/Root/copy/blocked");
        }

        @Test
        void takesTheStrategyInAnyCaseB02() {
            assertThat(config.streams()).extracting(StreamConfig::continues).containsExactly(false, true);
        }

        @Test
        void resolvesTheTopicsOfProblems() {
            assertThat(config.problems())
                    .isEqualTo(new ProblemHandling(
                            Optional.of(new ProblemHandling.CommandQueue("/Root/copy/repl/commands", "repl")),
                            Optional.of("/Root/copy/dead"),
                            ProblemHandling.DeadLetterFormat.JSON));
        }

        @Test
        void takesBothTokens() {
            assertThat(config.source().authentication())
                    .isEqualTo(new Authentication.StaticToken(new Secret(MARKER + "-source")));
            assertThat(config.destination().authentication())
                    .isEqualTo(new Authentication.StaticToken(new Secret(MARKER + "-destination")));
        }

        @Test
        void takesCredentialFiles() {
            ReplicatorConfig exchanging = accepted(MINIMAL + """
                    src_oauth2_file: /etc/source.json
                    dst_oauth2_file: /etc/copy.json
                    dst_oauth2_endpoint: https://sts.example/token
                    """);
            assertThat(exchanging.source().authentication())
                    .isEqualTo(new Authentication.TokenExchange(Path.of("/etc/source.json"), Optional.empty()));
            assertThat(exchanging.destination().authentication())
                    .isEqualTo(new Authentication.TokenExchange(
                            Path.of("/etc/copy.json"), Optional.of("https://sts.example/token")));
        }

        @Test
        void takesUsersWithTheFilesOfTheirPasswords() {
            ReplicatorConfig login = accepted(
                    MINIMAL + "replicator: {destination_user: repl, destination_password_file: /etc/password}\n");
            assertThat(login.source().authentication()).isEqualTo(new Authentication.Anonymous());
            assertThat(login.destination().authentication())
                    .isEqualTo(new Authentication.Login("repl", Path.of("/etc/password")));
        }

        @Test
        void takesFilesOfTokens() {
            ReplicatorConfig inFiles = accepted(
                    MINIMAL + "replicator: {source_token_file: /etc/source, destination_token_file: /etc/copy}\n");
            assertThat(inFiles.source().authentication())
                    .isEqualTo(new Authentication.TokenFile(Path.of("/etc/source")));
            assertThat(inFiles.destination().authentication())
                    .isEqualTo(new Authentication.TokenFile(Path.of("/etc/copy")));
        }

        @Test
        void takesBothBalancers() {
            assertThat(config.source().balancer()).isTrue();
            assertThat(config.destination().balancer()).isTrue();
        }

        @Test
        void takesTheDatabaseFromTheQuery() {
            assertThat(config.destination().endpoint().database()).isEqualTo("/Root/copy");
        }

        @Test
        void takesABackQuotedAbsoluteStateTable() {
            assertThat(config.stateTablePath()).isEqualTo("/Root/copy/repl/state");
        }

        @Test
        void takesANumberForText() {
            assertThat(config.instanceId()).isEqualTo("0");
            assertThat(config.streams().get(1).consumer()).isEqualTo("7");
        }

        @Test
        void waitsForTheLock() {
            assertThat(config.waitForLock()).isTrue();
        }

        @Test
        void takesTheLevelInAnyCase() {
            assertThat(config.logLevel()).isEqualTo(LogLevel.INFO);
        }

        @Test
        void resolvesARelativeTable() {
            assertThat(config.streams().get(0).destinationTablePath()).isEqualTo("/Root/copy/goods");
        }

        @Test
        void takesTheTag() {
            assertThat(config.streams().get(0).monitoringTag()).isEqualTo("things");
        }

        @Test
        void takesTheAddress() {
            assertThat(config.monitoring()).contains(new ListenAddress("", 9464));
        }

        @Test
        void tunes() {
            assertThat(config.tuning().get(Tuning.MEMORY)).isEqualTo(1L << 30);
            assertThat(config.tuning().get(Tuning.TRANSACTION_ROWS)).isEqualTo(77);
            assertThat(config.tuning().get(Tuning.TRANSACTION_TIMEOUT)).isEqualTo(Duration.ofMillis(1500));
        }

        @Test
        void takesTheAuthorities() {
            assertThat(config.source().tlsCa()).contains(Path.of("/etc/ca.pem"));
            assertThat(config.destination().tlsCa()).contains(Path.of("ca.pem"));
        }

        @Test
        void printsNoSecret() {
            assertThat(config.toString()).contains("source.example").doesNotContain(MARKER);
        }
    }

    @Nested
    @DisplayName("accepts")
    class Accepts {
        @ParameterizedTest
        @CsvSource({
            "grpc://h:1/db,            grpc://h:1/db",
            "grpcs://h:2135/Root/a/,   grpcs://h:2135/Root/a",
            "h:2135/Root/a,            grpcs://h:2135/Root/a",
            "grpc://[::1]:2136/local,  grpc://[::1]:2136/local",
            "grpc://ydb_one:2136/local,grpc://ydb_one:2136/local",
            "grpc://h:1?database=local,grpc://h:1/local",
            "grpc://h:1/x?database=%2Fy&balancer=p2c,grpc://h:1/y"
        })
        void connectionString(String written, String meant) {
            assertThat(accepted(MINIMAL.replace("grpc://source.example:2136/Root/shop", written))
                            .source()
                            .endpoint())
                    .hasToString(meant);
        }

        @ParameterizedTest
        @ValueSource(strings = {"true", "True", "TRUE", "yes", "on", "y", "Y"})
        void truth(String word) {
            assertThat(accepted(MINIMAL + "multiple_instances_mode: " + word).waitForLock())
                    .isTrue();
        }

        @ParameterizedTest
        @ValueSource(strings = {"false", "False", "FALSE", "no", "off", "n", "N", "", "~", "null"})
        void untruth(String word) {
            assertThat(accepted(MINIMAL + "multiple_instances_mode: " + word).waitForLock())
                    .isFalse();
        }

        @ParameterizedTest
        @CsvSource({"debug,DEBUG", "Info,INFO", "warn,WARN", "error,ERROR", "dpanic,ERROR", "panic,ERROR", "fatal,ERROR"
        })
        void level(String word, LogLevel level) {
            assertThat(accepted(MINIMAL + "log_level: " + word).logLevel()).isEqualTo(level);
        }

        @ParameterizedTest
        @CsvSource({":8080,'',8080", "127.0.0.1:0,127.0.0.1,0", "'[::1]:80',[::1],80", "localhost:65535,localhost,65535"
        })
        void listenAddress(String written, String host, int port) {
            assertThat(accepted(MINIMAL + "mon_server: {listen: '" + written + "'}")
                            .monitoring())
                    .contains(new ListenAddress(host, port));
        }

        @ParameterizedTest
        @ValueSource(strings = {"repl_state", "`repl_state`", "/Root/copy/repl_state", "`/Root/copy/repl_state`"})
        void stateTable(String written) {
            assertThat(accepted(MINIMAL.replace("repl_state", "'" + written + "'"))
                            .stateTablePath())
                    .isEqualTo("/Root/copy/repl_state");
        }

        @Test
        void oneBoundAndLowersTheDefaultsBelowIt() {
            Tuning tuning = accepted(MINIMAL + "replicator: {memory: 2MiB}").tuning();
            assertThat(tuning.get(Tuning.TRANSACTION_BYTES_MAX)).isEqualTo(2L << 20);
            assertThat(tuning.get(Tuning.TRANSACTION_BYTES)).isEqualTo(2L << 20);
            assertThat(tuning.get(Tuning.READ_CREDIT)).isEqualTo(2L << 20);
        }

        @Test
        void aSmallHeapAndTakesAQuarterOfIt() {
            Reading reading = ConfigReader.read(MINIMAL, false, 400L << 20);
            assertThat(((Reading.Accepted) reading).config().tuning().get(Tuning.MEMORY))
                    .isEqualTo(100L << 20);
        }

        @Test
        void mergedMappings() {
            String merged = """
                    src_connection_string: grpc://h:1/a
                    dst_connection_string: grpc://h:1/b
                    state_table: s
                    instance_id: i
                    max_expected_heartbeat_interval: 3
                    streams:
                      - &first {src_topic: one/feed, consumer: repl, dst_table: one}
                      - <<: *first
                        src_topic: two/feed
                        dst_table: two
                    """;
            assertThat(accepted(merged).streams())
                    .extracting(StreamConfig::sourceTopic, StreamConfig::consumer)
                    .containsExactly(tuple("one/feed", "repl"), tuple("two/feed", "repl"));
        }

        @Test
        void leavingOutRecordsThatAreKeptNowhereWithAWarning() {
            Reading reading = ConfigReader.read(MINIMAL + "    problem_strategy: continue\n", false, HEAP);
            assertThat(reading)
                    .isInstanceOfSatisfying(
                            Reading.Accepted.class,
                            accepted -> assertThat(accepted.warnings())
                                    .singleElement()
                                    .asString()
                                    .contains("dead_letter_queue", "goods/feed", "kept nowhere"));
        }

        @Test
        void lettersOfAFormatThatNobodyChoseWithAWarning() {
            assertThat(warnings(SKIPPING))
                    .singleElement()
                    .satisfies(warning -> assertThat(warning.toString())
                            .contains(
                                    "replicator.dead_letter_format",
                                    "can never be replayed",
                                    "goods/feed",
                                    "choose json"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"text", "json"})
        void lettersOfAChosenFormat(String format) {
            assertThat(warnings(SKIPPING + "replicator: {dead_letter_format: " + format + "}\n"))
                    .isEmpty();
        }

        @Test
        void lettersWithoutValuesWhereNoRecordIsLeftOut() {
            assertThat(warnings(MINIMAL + "dead_letter_queue: {path: letters}\n"))
                    .isEmpty();
        }

        private static List<Problem> warnings(String yaml) {
            return ((Reading.Accepted) ConfigReader.read(yaml, false, HEAP)).warnings();
        }

        @Test
        void unknownKeysOnRequestWithAWarning() {
            Reading reading = ConfigReader.read(MINIMAL + "state_tabel: x\n", true, HEAP);
            assertThat(reading)
                    .isInstanceOfSatisfying(
                            Reading.Accepted.class,
                            accepted -> assertThat(accepted.warnings())
                                    .extracting(Problem::path)
                                    .containsExactly("state_tabel"));
        }
    }

    /** One wrong file: what is changed in the minimal one, and the one line that must be reported. */
    record Wrong(String replaced, String replacement, String line) {
        static Wrong added(String text, String line) {
            return new Wrong("", text, line);
        }

        String yaml() {
            return replaced.isEmpty() ? MINIMAL + replacement : MINIMAL.replace(replaced, replacement);
        }

        @Override
        public String toString() {
            return line;
        }
    }

    static Stream<Wrong> wrongFiles() {
        return Stream.of(
                new Wrong(
                        "grpc://source.example:2136/Root/shop",
                        "http://h:1/db",
                        "line 1:24: src_connection_string = http://h:1/db: has the scheme http; write grpc[s]://HOST:PORT/DATABASE"),
                new Wrong(
                        "grpc://source.example:2136/Root/shop",
                        "grpc://h/db",
                        "line 1:24: src_connection_string = grpc://h/db: names no host with a port of 1 to 65535; write grpc[s]://HOST:PORT/DATABASE"),
                new Wrong(
                        "grpc://source.example:2136/Root/shop",
                        "grpc://h:70000/db",
                        "line 1:24: src_connection_string = grpc://h:70000/db: names no host with a port of 1 to 65535; write grpc[s]://HOST:PORT/DATABASE"),
                new Wrong(
                        "grpc://source.example:2136/Root/shop",
                        "grpc://me:pw@h:1/db",
                        "line 1:24: src_connection_string: carries a user name or password; use the static token key of this side"),
                new Wrong(
                        "grpc://source.example:2136/Root/shop",
                        "grpc://h:1/db?token=t1",
                        "line 1:24: src_connection_string: carries a token; use the static token key of this side"),
                new Wrong(
                        "grpcs://destination.example:2135/Root/copy",
                        "grpcs://h:1",
                        "line 2:24: dst_connection_string = grpcs://h:1: names no database, or one with an empty part; write grpc[s]://HOST:PORT/DATABASE"),
                new Wrong(
                        "src_connection_string: grpc://source.example:2136/Root/shop\n",
                        "",
                        "line 1:1: src_connection_string: is missing; write grpc[s]://HOST:PORT/DATABASE"),
                new Wrong(
                        "dst_connection_string: grpcs://destination.example:2135/Root/copy\n",
                        "dst_connection_string:\n",
                        "line 2:23: dst_connection_string: is empty; write grpc[s]://HOST:PORT/DATABASE"),
                Wrong.added(
                        "src_client_balancer: \"true\"",
                        "line 10:22: src_client_balancer = \"true\": is text, because it stands in quotes; write true or false, without quotes"),
                Wrong.added(
                        "dst_client_balancer: 1",
                        "line 10:22: dst_client_balancer = 1: is not true or false; write true or false"),
                Wrong.added(
                        "src_static_token: \"t 1\\n\"",
                        "line 10:19: src_static_token: holds a blank, a line end or another character that cannot be sent; write the token alone, in double quotes"),
                Wrong.added(
                        "dst_oauth2_file: /etc/key.json\ndst_static_token: secret",
                        "line 10:18: dst_oauth2_file = /etc/key.json: is given beside dst_static_token; keep one of the two"),
                Wrong.added(
                        "dst_oauth2_endpoint: https://sts.example",
                        "line 10:22: dst_oauth2_endpoint: is given without dst_oauth2_file; name the credential file, or remove it"),
                Wrong.added(
                        "src_oauth2_file: /etc/key.json\nsrc_oauth2_endpoint: ftp://user:secret@sts.example",
                        "line 11:22: src_oauth2_endpoint: is no http:// or https:// address; write the address of the token exchange, such as https://sts.example/token"),
                Wrong.added(
                        "replicator: {source_user: root}",
                        "line 10:27: replicator.source_user = root: is given without source_password_file; name a file that holds the password alone"),
                Wrong.added(
                        "replicator: {destination_password_file: /etc/p}",
                        "line 10:41: replicator.destination_password_file = /etc/p: is given without destination_user; name the user, or remove it"),
                Wrong.added(
                        "src_static_token: t\nreplicator: {source_user: root, source_password_file: p}",
                        "line 11:27: replicator.source_user = root: is given beside src_static_token; keep one of the two"),
                Wrong.added(
                        "src_static_token: t\nreplicator: {source_token_file: f}",
                        "line 11:33: replicator.source_token_file = f: is given beside src_static_token; keep one of the two"),
                Wrong.added(
                        "dst_oauth2_file: k\nreplicator: {destination_token_file: f}",
                        "line 11:38: replicator.destination_token_file = f: is given beside dst_oauth2_file; keep one of the two"),
                Wrong.added(
                        "replicator: {source_token_file: f, source_user: root, source_password_file: p}",
                        "line 10:33: replicator.source_token_file = f: is given beside source_user; keep one of the two"),
                Wrong.added(
                        "src_oauth2_file: \"a\\0b\"",
                        "line 10:18: src_oauth2_file = \"a\\x00b\": is no path: Nul character not allowed; name the JSON file with the credentials"),
                new Wrong(
                        "state_table: repl_state",
                        "state_table: /Root/other/state",
                        "line 3:14: state_table = /Root/other/state: is outside the destination database; name a table below /Root/copy"),
                new Wrong(
                        "state_table: repl_state",
                        "state_table: repl`state",
                        "line 3:14: state_table = repl`state: holds a back-quote, which no name may hold, as character 5; name a table by its path, absolute or relative to /Root/copy"),
                new Wrong(
                        "state_table: repl_state\n",
                        "",
                        "line 1:1: state_table: is missing; name a table in the destination, such as aardappel_state"),
                new Wrong(
                        "instance_id: shop-a",
                        "instance_id: ''",
                        "line 4:14: instance_id: is empty; name this replication; it keys the state row and the lock"),
                new Wrong("instance_id: shop-a", "instance_id: [a]", "line 4:14: instance_id: is a list; write text"),
                new Wrong("interval: 15", "interval: 0", heartbeat("0")),
                new Wrong("interval: 15", "interval: -1", heartbeat("-1")),
                new Wrong("interval: 15", "interval: 10s", heartbeat("10s", "is no whole number")),
                new Wrong(
                        "interval: 15",
                        "interval: '10'",
                        heartbeat("\"10\"", "is text, not a number, because it stands in quotes")),
                new Wrong("interval: 15", "interval: 10.7", heartbeat("10.7", "is no whole number")),
                new Wrong("interval: 15", "interval: 86401", heartbeat("86401")),
                new Wrong(
                        "max_expected_heartbeat_interval: 15\n",
                        "",
                        "line 1:1: max_expected_heartbeat_interval: is missing; write whole seconds from 1 to 86400, more than the RESOLVED_TIMESTAMPS interval of the feeds"),
                Wrong.added(
                        "log_level: warning",
                        "line 10:12: log_level = warning: is no log level; choose debug, info, warn or error"),
                new Wrong(
                        MINIMAL.substring(MINIMAL.indexOf("streams")),
                        "streams: []",
                        "line 6:10: streams: is empty; list at least one stream"),
                new Wrong(
                        MINIMAL.substring(MINIMAL.indexOf("streams")),
                        "streams: none",
                        "line 6:10: streams = none: is a single value; write a list"),
                new Wrong(
                        "  - src_topic: goods/feed\n    consumer: repl\n    dst_table: /Root/copy/goods",
                        "  - goods/feed",
                        "line 7:5: streams[0]: is a single value; write keys below it"),
                new Wrong(
                        "src_topic: goods/feed",
                        "src_topic: /Root/other/feed",
                        "line 7:16: streams[0].src_topic = /Root/other/feed: is outside the source database; name a topic below /Root/shop"),
                new Wrong(
                        "src_topic: goods/feed",
                        "src_topic: goods//feed",
                        "line 7:16: streams[0].src_topic = goods//feed: has an empty part between slashes; name a topic by its path, absolute or relative to /Root/shop"),
                new Wrong(
                        "src_topic: goods/feed",
                        "src_topic: '`goods/feed`'",
                        "line 7:16: streams[0].src_topic = \"`goods/feed`\": holds a back-quote, which no name may hold, as character 1; name a topic by its path, absolute or relative to /Root/shop"),
                new Wrong(
                        "consumer: repl",
                        "consumer: my copy",
                        "line 8:15: streams[0].consumer = my copy: holds a blank, which no name may hold, as character 3; write the consumer's name as the topic has it"),
                new Wrong(
                        "dst_table: /Root/copy/goods",
                        "dst_table: repl_state",
                        "line 9:16: streams[0].dst_table = repl_state: is state_table or one of the tables beside it, which hold the checkpoint; name the table that the stream is copied to, or another state_table"),
                new Wrong(
                        "dst_table: /Root/copy/goods",
                        "dst_table: /Root/copy/repl_state_streams",
                        "line 9:16: streams[0].dst_table = /Root/copy/repl_state_streams: is state_table or one of the tables beside it, which hold the checkpoint; name the table that the stream is copied to, or another state_table"),
                Wrong.added(
                        "cmd_queue: {path: q, consumer: a`b}",
                        "line 10:32: cmd_queue.consumer = a`b: holds a back-quote, which no name may hold, as character 2; write the consumer's name as the topic has it"),
                new Wrong(
                        "    consumer: repl\n",
                        "",
                        "line 7:5: streams[0].consumer: is missing; name a consumer of the topic, used by this replication alone"),
                new Wrong(
                        "dst_table: /Root/copy/goods",
                        "dst_table: /Root/shop/goods",
                        "line 9:16: streams[0].dst_table = /Root/shop/goods: is outside the destination database; name a table below /Root/copy"),
                Wrong.added(
                        "    problem_strategy: retry",
                        "line 10:23: streams[0].problem_strategy = retry: is no strategy; choose STOP, which is the default, or CONTINUE"),
                Wrong.added(
                        "  - {src_topic: /Root/shop/goods/feed, consumer: repl, dst_table: again}",
                        "line 10:50: streams[1].consumer = repl: reads topic /Root/shop/goods/feed already at streams[0].consumer; remove one of the two, or give it a consumer of its own"),
                Wrong.added(
                        "mon_server: {listen: 8080}",
                        "line 10:22: mon_server.listen = 8080: is no listen address; write HOST:PORT or :PORT, such as :8080"),
                Wrong.added(
                        "mon_server: {listen: ':65536'}",
                        "line 10:22: mon_server.listen = \":65536\": is no listen address; write HOST:PORT or :PORT, such as :8080"),
                Wrong.added(
                        "mon_server: {}",
                        "line 10:13: mon_server.listen: is missing; write HOST:PORT or :PORT, such as :8080"),
                Wrong.added(
                        "cmd_queue: {path: q}",
                        "line 10:12: cmd_queue.consumer: is missing; name a consumer of that topic, used for nothing else"),
                Wrong.added(
                        "dead_letter_queue: {}",
                        "line 10:20: dead_letter_queue.path: is missing; name a topic of the destination database"),
                Wrong.added(
                        "dead_letter_queue: {path: /Root/shop/dead}",
                        "line 10:27: dead_letter_queue.path = /Root/shop/dead: is outside the destination database; name a topic below /Root/copy"),
                Wrong.added(
                        "replicator: {dead_letter_format: xml}",
                        "line 10:34: replicator.dead_letter_format = xml: is no format; choose text or json"),
                Wrong.added(
                        "key_filter: {table_path: /Root/shop/blocked}",
                        "line 10:26: key_filter.table_path = /Root/shop/blocked: is outside the destination database; name a table below /Root/copy"),
                Wrong.added(
                        "key_filter: {table_path: ''}",
                        "line 10:26: key_filter.table_path: is empty; name the table of blocked keys"),
                Wrong.added(
                        "multiple_instance_mode: true",
                        "line 10:1: multiple_instance_mode: is not a known key; did you mean multiple_instances_mode?"),
                new Wrong(
                        "instance_id: shop-a",
                        "instance_idd: shop-a",
                        "line 4:1: instance_idd: is not a known key, and instance_id is missing; did you mean instance_id?"),
                new Wrong(
                        "dst_table: /Root/copy/goods",
                        "dstTable: /Root/copy/goods",
                        "line 9:5: streams[0].dstTable: is not a known key, and dst_table is missing; did you mean dst_table?"),
                new Wrong(
                        "max_expected_heartbeat_interval: 15",
                        "max_heartbeat_interval: 15",
                        "line 5:1: max_heartbeat_interval: is not a known key, and max_expected_heartbeat_interval is missing; did you mean max_expected_heartbeat_interval?"),
                Wrong.added(
                        "    dstTable: x",
                        "line 10:5: streams[0].dstTable: is not a known key; did you mean dst_table?"),
                Wrong.added(
                        "mon_server: {listen: ':1', tls: true}",
                        "line 10:28: mon_server.tls: is not a known key; known here: listen"),
                Wrong.added(
                        "instance_id: other",
                        "line 10:1: instance_id: is given twice, first in line 4; keep one of them"),
                Wrong.added(
                        "replicator: {memory: 64}",
                        "line 10:22: replicator.memory = 64: is out of range; choose 1MiB to 64GiB"),
                Wrong.added(
                        "replicator: {memory: 64 MB}",
                        "line 10:22: replicator.memory = 64 MB: is not a size; write it like 256MiB"),
                Wrong.added(
                        "replicator: {transaction_timeout: 5}",
                        "line 10:35: replicator.transaction_timeout = 5: is not a duration; write it like 5s"),
                Wrong.added(
                        "replicator: {transaction_rows: many}",
                        "line 10:32: replicator.transaction_rows = many: is not a number of changes; write it like 10000"),
                Wrong.added(
                        "replicator: {transaction_rows: 600, transaction_rows_max: 500}",
                        "line 10:32: replicator.transaction_rows = 600: is above transaction_rows_max 500; lower it or raise the other"),
                Wrong.added(
                        "replicator: {retry_time_max: 4s, retry_pause_max: 5s}",
                        "line 10:51: replicator.retry_pause_max = 5s: is above retry_time_max 4s; lower it or raise the other"),
                Wrong.added(
                        "replicator: {transaction_row: 5}",
                        "line 10:14: replicator.transaction_row: is not a known key; did you mean transaction_rows?"),
                Wrong.added(
                        "replicator: {source_tls_ca_file: ca.pem}",
                        "line 10:34: replicator.source_tls_ca_file = ca.pem: is given, but src_connection_string is not encrypted; use grpcs://"),
                Wrong.added("---\nmore: 1", "line 11:1: holds a second document; keep one document"));
    }

    private static String heartbeat(String value) {
        return heartbeat(value, "is out of range");
    }

    private static String heartbeat(String value, String fault) {
        boolean inQuotes = value.startsWith("\"");
        return "line 5:34: max_expected_heartbeat_interval = " + value + ": " + fault
                + "; write whole seconds from 1 to 86400, more than the RESOLVED_TIMESTAMPS interval of the feeds; without "
                + (inQuotes ? "quotes" : "a unit");
    }

    @Nested
    @DisplayName("reports")
    class Reports {
        @ParameterizedTest
        @MethodSource("io.aardappel.replicator.config.ConfigReaderTest#wrongFiles")
        void oneProblemByPlaceValueAndRemedy(Wrong wrong) {
            assertThat(refused(wrong.yaml())).containsExactly(wrong.line());
        }

        static Stream<Arguments> faultyPaths() {
            List<String> places = List.of(
                    MINIMAL.replace("state_table: repl_state", "state_table: PATH"),
                    MINIMAL.replace("goods/feed", "PATH"),
                    MINIMAL.replace("/Root/copy/goods", "PATH"),
                    MINIMAL + "cmd_queue: {path: PATH, consumer: repl}",
                    MINIMAL + "dead_letter_queue: {path: PATH}",
                    MINIMAL + "key_filter: {table_path: PATH}");
            Map<String, String> faults = Map.of(
                    "'a//b'",
                    "has an empty part between slashes",
                    "a/",
                    "has an empty part between slashes",
                    "'`a'",
                    "holds a back-quote, which no name may hold, as character 1",
                    "a b",
                    "holds a blank, which no name may hold, as character 2",
                    "\"a\\0\"",
                    "holds a control character, which no name may hold, as character 2",
                    "x".repeat(1_025),
                    "has 1025 characters, more than 1024");
            return places.stream()
                    .flatMap(place -> faults.entrySet().stream()
                            .map(fault -> Arguments.of(place.replace("PATH", fault.getKey()), fault.getValue())));
        }

        @ParameterizedTest(name = "{index} {1}")
        @MethodSource("faultyPaths")
        void whatIsWrongWithAPathWhereverItStands(String yaml, String fault) {
            assertThat(problems(yaml)).singleElement().satisfies(problem -> {
                assertThat(problem.fault()).isEqualTo(fault);
                assertThat(problem.toString()).contains(problem.path() + " = ").hasSizeLessThan(400);
            });
        }

        @Test
        void allProblemsTogetherInTheOrderOfTheFile() {
            String yaml = """
                    instance_id:
                    max_expected_heartbeat_interval: 0
                    streams:
                      - src_topic: a/feed
                        consumer: c
                      - dst_table: /Root/x/b
                        problem_strategy: ignore
                    surprise: 1
                    """;
            assertThat(problems(yaml))
                    .extracting(Problem::path)
                    .containsExactly(
                            "src_connection_string",
                            "dst_connection_string",
                            "state_table",
                            "instance_id",
                            "max_expected_heartbeat_interval",
                            "streams[0].dst_table",
                            "streams[1].src_topic",
                            "streams[1].consumer",
                            "streams[1].problem_strategy",
                            "surprise");
        }

        @Test
        void everyRequiredKeyOfAnEmptyFile() {
            assertThat(problems(""))
                    .extracting(Problem::path)
                    .containsExactlyInAnyOrder(
                            "src_connection_string",
                            "dst_connection_string",
                            "state_table",
                            "instance_id",
                            "max_expected_heartbeat_interval",
                            "streams");
        }

        @Test
        void wherePunctuationIsWrong() {
            assertThat(refused("streams: [")).singleElement().asString().startsWith("line 1:11: is no YAML: ");
        }

        @Test
        void aBudgetThatTheHeapCannotHold() {
            Reading reading = ConfigReader.read(MINIMAL + "replicator: {memory: 256MiB}", false, 400L << 20);
            assertThat(((Reading.Refused) reading).problems())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "line 10:22: replicator.memory = 256MiB: is more than half of the Java heap of 400 MiB");
        }

        @Test
        void aMisspeltRequiredKeyThoughUnknownOnesAreAllowed() {
            Reading reading = ConfigReader.read(MINIMAL.replace("state_table", "state_tabel"), true, HEAP);
            assertThat(((Reading.Refused) reading).problems())
                    .singleElement()
                    .asString()
                    .contains("state_tabel: is not a known key, and state_table is missing");
        }

        @Test
        void aFileWithoutKeys() {
            assertThat(refused("just words")).containsExactly("line 1:1: holds no keys; write KEY: VALUE lines");
        }

        @ParameterizedTest(name = "{index}")
        @ValueSource(
                strings = {
                    "src_static_token: [" + MARKER + "]",
                    "src_static_token: '" + MARKER + " '",
                    "src_static_token: {" + MARKER + ": 1}"
                })
        void noSecret(String line) {
            assertThat(refused(MINIMAL + line)).singleElement().asString().doesNotContain(MARKER);
        }
    }

    private static ReplicatorConfig accepted(String yaml) {
        Reading reading = ConfigReader.read(yaml, false, HEAP);
        assertThat(reading).isInstanceOf(Reading.Accepted.class);
        return ((Reading.Accepted) reading).config();
    }

    private static List<Problem> problems(String yaml) {
        Reading reading = ConfigReader.read(yaml, false, HEAP);
        assertThat(reading).isInstanceOf(Reading.Refused.class);
        return ((Reading.Refused) reading).problems();
    }

    private static List<String> refused(String yaml) {
        return problems(yaml).stream().map(Problem::toString).toList();
    }
}
