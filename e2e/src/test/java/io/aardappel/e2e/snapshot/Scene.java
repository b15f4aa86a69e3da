package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.e2e.world.Database;
import io.aardappel.e2e.world.Row;
import io.aardappel.emulator.LastingPort;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.KnownSecrets;
import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;
import tech.ydb.auth.TokenAuthProvider;
import tech.ydb.core.UnexpectedResultException;
import tech.ydb.table.query.Params;

/** One emulator with a source and a destination, and replicators of one instance, for tests that tell a story. */
final class Scene implements AutoCloseable {
    static final String SOURCE = "/source";
    static final String DESTINATION = "/destination";
    /** Of every feed. */
    static final String CONSUMER = "replicator";

    /** What {@code max_expected_heartbeat_interval} is set to. */
    static final Duration HEARTBEAT = Duration.ofSeconds(2);

    /** Within which a FATAL_ERROR must be written, once the replicator runs. */
    static final Duration SOON = HEARTBEAT.multipliedBy(3);

    private static final Duration LIMIT = Duration.ofSeconds(40);
    /** How long a process that has written FATAL_ERROR may take to end. */
    private static final Duration EXIT_LIMIT = Duration.ofSeconds(10);
    /** The exit code after that. */
    private static final int FATAL = 5;

    final YdbEmulator emulator;
    final Database source;
    final Database destination;

    private final Path folder;
    private final String sourceName;
    private final String destinationName;
    private final List<String> streams = new ArrayList<>();
    private final List<String> furtherKeys = new ArrayList<>();
    private final Deque<ReplicatorProcess> replicators = new ArrayDeque<>();
    private String authentication =
            """
            src_static_token: "%s"
            dst_static_token: "%s"
            """.formatted(KnownSecrets.secret("source-token"), KnownSecrets.secret("destination-token"));
    private String feedOptions = "";
    /** As much as can be, for the search for secrets in what was written. */
    private String logLevel = "debug";

    private String heap = "256m";
    private final Map<String, String> environment = new LinkedHashMap<>();
    private String sourceAddress;
    private String destinationAddress;
    private boolean gone;

    Scene(Path folder) {
        this(folder, LastingPort.free());
    }

    /** At a given port, for tests in which one server takes the place of another. */
    Scene(Path folder, int port) {
        this(folder, YdbEmulator.builder().listen("localhost", port), "scene");
    }

    /**
     * With an emulator of the test's making.
     *
     * @param token by which the scene itself is let in
     */
    Scene(Path folder, YdbEmulator.Builder builder, String token) {
        this(folder, builder.database(SOURCE).database(DESTINATION), token, SOURCE, DESTINATION);
    }

    private Scene(Path folder, YdbEmulator.Builder builder, String token, String sourceName, String destinationName) {
        this.folder = folder;
        this.sourceName = sourceName;
        this.destinationName = destinationName;
        this.emulator = builder.retainHistory().start();
        this.sourceAddress = (emulator.certificatePem().isPresent() ? "grpcs://" : "grpc://") + emulator.endpoint();
        this.destinationAddress = sourceAddress;
        this.source = database(sourceName, token);
        this.destination = database(destinationName, token);
    }

    /** Source and destination are one database; tables of the two sides need names that differ. */
    static Scene inOneDatabase(Path folder) {
        String both = "/both";
        return new Scene(
                folder,
                YdbEmulator.builder().listen("localhost", LastingPort.free()).database(both),
                "scene",
                both,
                both);
    }

    private Database database(String path, String token) {
        TokenAuthProvider tickets = new TokenAuthProvider(token);
        String at = emulator.connectionString(path);
        return emulator.certificatePem()
                .map(authority -> new Database(at, tickets, authority))
                .orElseGet(() -> new Database(at, tickets));
    }

    /**
     * Table {@code t} of two rows is replicated, and the replica is up to date.
     *
     * @param shards of the source table, and partitions of its topic
     * @param replicators how many are started; all but one stand by
     */
    static Scene replicating(Path folder, int shards, int replicators) {
        Scene scene = new Scene(folder);
        scene.oneTable(shards);
        for (int started = 0; started < replicators; started++) {
            scene.start();
        }
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one'), (2, 'two');");
        scene.settle();
        return scene;
    }

    /** Lines at the top of the configuration from the next start on, in the place of its static tokens. */
    void authenticate(String lines) {
        authentication = lines;
    }

    /** From the next start on replicators reach the server at another host and port than its own. */
    void reachAt(String hostAndPort) {
        reachAt("grpc://" + hostAndPort, "grpc://" + hostAndPort);
    }

    /** The same with an address for each side, such as {@code grpcs://localhost:2135}. */
    void reachAt(String sourceAt, String destinationAt) {
        sourceAddress = sourceAt;
        destinationAddress = destinationAt;
    }

    /** From the next start on replicators have one more environment variable. */
    void environment(String name, String value) {
        environment.put(name, value);
    }

    /** Further options of changefeeds that are made from now on, such as {@code SCHEMA_CHANGES = TRUE}. */
    void feedOptions(String options) {
        feedOptions = options;
    }

    /** From the next start on. */
    void logLevel(String level) {
        logLevel = level;
    }

    /** What replicators may use from the next start on, such as {@code 256m}. */
    void heap(String size) {
        heap = size;
    }

    /**
     * Table {@code t} with a number {@code k} for a key and a text {@code v}, which {@link #rows} reads.
     *
     * @param shards of the source table, and partitions of its topic
     */
    void oneTable(int shards) {
        table(
                "t",
                "k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)",
                " WITH (UNIFORM_PARTITIONS = " + shards + ")",
                "UPDATES");
    }

    /** The same table on both sides, its feed and the stream between them. */
    void table(String name, String columns, String with, String mode) {
        source.define("CREATE TABLE `" + name + "` (" + columns + ")" + with + ";");
        destination.define("CREATE TABLE `" + name + "` (" + columns + ");");
        stream(name, name, mode, false);
    }

    void stream(String sourceTable, String destinationTable, String mode, boolean scan) {
        source.define("ALTER TABLE `" + sourceTable + "` ADD CHANGEFEED feed WITH (FORMAT = 'JSON', MODE = '" + mode
                + "', VIRTUAL_TIMESTAMPS = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'), INITIAL_SCAN = "
                + (scan ? "TRUE" : "FALSE") + (feedOptions.isEmpty() ? "" : ", " + feedOptions) + ");");
        source.define("ALTER TOPIC `" + sourceTable + "/feed` ADD CONSUMER " + CONSUMER + ";");
        streams.add("  - src_topic: \"" + sourceTable + "/feed\"\n    consumer: " + CONSUMER + "\n    dst_table: \""
                + destinationName + "/" + destinationTable + "\"\n");
    }

    /** From the next start on the stream goes into another table. */
    void redirectStream(int index, String destinationTable) {
        streams.set(
                index,
                streams.get(index)
                        .replaceFirst(
                                "dst_table: \".*\"",
                                "dst_table: \"" + destinationName + "/" + destinationTable + "\""));
    }

    /** From the next start on. */
    void setStrategy(int index, String strategy) {
        streams.set(index, streams.get(index) + "    problem_strategy: " + strategy + "\n");
    }

    /** From the next start on the file has one more line with a key of the first level. */
    void configure(String line) {
        furtherKeys.add(line);
    }

    void forgetStream(int index) {
        streams.remove(index);
    }

    /** A topic of the destination. */
    Topic destinationTopic(String name) {
        return emulator.topics(destinationName).get(destinationName + "/" + name);
    }

    Topic topic(String table) {
        return emulator.topics(sourceName).get(sourceName + "/" + table + "/feed");
    }

    /** Key and value of each row of the copy of table {@code t}, by key. */
    List<String> rows() {
        return destination.read("SELECT k, v FROM t ORDER BY k;").stream()
                .map(row -> row.text("k") + " " + plain(row.text("v")))
                .toList();
    }

    /** The replica answers the query as the source does. */
    void assertCopied(String select) {
        assertThat(destination.read(select)).as(select).containsExactlyInAnyOrderElementsOf(source.read(select));
    }

    /** What a command printed, and its exit code. */
    record Printed(int code, String text) {}

    /** Runs a command of the program by the file as it was written last, or as it would be written now. */
    Printed command(String... arguments) {
        Path config = folder.resolve("scene.yaml");
        List<String> command = new ArrayList<>(JavaCommand.of(SnapshotRun.Program.REPLICATOR, heap));
        command.addAll(List.of("-config", (Files.exists(config) ? config : configuration()).toString()));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(String.join(" ", arguments) + " did not end: " + text);
            }
            return new Printed(process.exitValue(), text);
        } catch (IOException e) {
            throw new IllegalStateException("cannot run " + String.join(" ", arguments), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Starts a replicator with further lines below {@code replicator:}. */
    ReplicatorProcess start(String... settings) {
        return start(SnapshotRun.Program.REPLICATOR, settings);
    }

    /** The same with another program in the replicator's place. */
    ReplicatorProcess start(SnapshotRun.Program program, String... settings) {
        ReplicatorProcess started = ReplicatorProcess.start(
                program, configuration(settings), folder.resolve("scene.log"), heap, environment);
        replicators.addLast(started);
        return started;
    }

    /** Writes the file. */
    private Path configuration(String... settings) {
        StringBuilder yaml = new StringBuilder("""
                %ssrc_connection_string: "%s"
                dst_connection_string: "%s"
                state_table: state
                instance_id: scene
                multiple_instances_mode: true
                max_expected_heartbeat_interval: %d
                log_level: %s
                """.formatted(
                        authentication,
                        sourceAddress + "/?database=" + sourceName,
                        destinationAddress + "/?database=" + destinationName,
                        HEARTBEAT.toSeconds(),
                        logLevel));
        furtherKeys.forEach(line -> yaml.append(line).append('\n'));
        if (settings.length > 0) {
            yaml.append("replicator:\n");
            for (String setting : settings) {
                yaml.append("  ").append(setting).append('\n');
            }
        }
        yaml.append("streams:\n");
        streams.forEach(yaml::append);
        Path config = folder.resolve("scene.yaml");
        try {
            Files.writeString(config, yaml);
        } catch (IOException e) {
            throw new IllegalStateException("cannot write " + config, e);
        }
        return config;
    }

    /** Asks all replicators to end, which they must do with code 0. */
    void stop() {
        while (!replicators.isEmpty()) {
            ReplicatorProcess running = replicators.removeFirst();
            if (running.terminate() != 0) {
                throw new IllegalStateException("asked to stop, it ended with another code than 0:\n" + running.tail());
            }
        }
    }

    /** It is the test's from now on: it may end. */
    void dismiss(ReplicatorProcess replicator) {
        replicators.remove(replicator);
    }

    void kill() {
        while (!replicators.isEmpty()) {
            replicators.removeFirst().kill();
        }
    }

    void write(String statements) {
        source.write(statements, Params.empty());
    }

    /**
     * One transaction of the source without a query, which is faster where there are many rows.
     *
     * @return its position
     */
    VirtualTimestamp write(String table, List<RowWrite> rows) {
        Transaction transaction = emulator.database(sourceName).begin(Transaction.Mode.SERIALIZABLE_READ_WRITE);
        TableSchema schema = transaction.schema(sourceName + "/" + table);
        rows.forEach(row -> transaction.write(schema, row));
        return transaction.commit();
    }

    /** The step at which a commit of now would stand in the source. */
    long now() {
        return emulator.database(sourceName).now().step();
    }

    /** Waits until a checkpoint lies above everything written before this call. */
    void settle() {
        settleAbove(now());
    }

    void settleAbove(long step) {
        settleAbove(step, LIMIT);
    }

    void settleAbove(long step, Duration limit) {
        try {
            await().atMost(limit)
                    .pollInterval(Duration.ofMillis(50))
                    .ignoreExceptionsInstanceOf(UnexpectedResultException.class) // no state table yet
                    .until(() -> {
                        requireAlive();
                        return stage().equals("RUN") && Long.compareUnsigned(checkpoint(), step) > 0;
                    });
        } catch (ConditionTimeoutException late) {
            String tail = replicators.isEmpty()
                    ? "no replicator runs"
                    : replicators.getLast().tail();
            throw new IllegalStateException("no checkpoint above " + step + " within " + limit + ":\n" + tail, late);
        }
    }

    private void requireAlive() {
        for (ReplicatorProcess running : replicators) {
            if (!running.alive()) {
                throw new IllegalStateException(
                        "a replicator ended with code " + running.exitCode() + ":\n" + running.tail());
            }
        }
    }

    private String stage() {
        return state("stage");
    }

    /** A column of the state row as text, empty when there is none yet. */
    String state(String column) {
        List<Row> rows = destination.read("SELECT " + column + " AS v FROM state WHERE id = 'scene';");
        return rows.isEmpty() ? "" : plain(rows.get(0).text("v"));
    }

    /** Without what the SDK prints around an optional text. */
    static String plain(String printed) {
        return printed.replaceAll("^Some\\[(.*)]$", "$1").replaceAll("^\"(.*)\"$", "$1");
    }

    /** The step of the checkpoint. */
    long checkpoint() {
        return Long.parseUnsignedLong(state("step_id"));
    }

    /** The exit code of the replicator started last, which is about to end by itself. */
    int exitCode(Duration within) {
        ReplicatorProcess running = replicators.getLast();
        await().atMost(within).pollInterval(Duration.ofMillis(50)).until(() -> !running.alive());
        replicators.removeLast();
        return running.exitCode();
    }

    /**
     * The text of the FATAL_ERROR that is due, after the process has ended with the code that says so.
     *
     * @param within counted from this call to the moment at which the state row says it
     */
    String fatalError(Duration within) {
        long began = System.nanoTime();
        await().atMost(within)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsInstanceOf(UnexpectedResultException.class) // no state table yet
                .until(() -> state("state").equals("FATAL_ERROR"));
        double intervals = (double) (System.nanoTime() - began) / HEARTBEAT.toNanos();
        String text = state("last_msg");
        System.out.printf("after %.1f heartbeat intervals %s%n", intervals, text);
        int code = exitCode(EXIT_LIMIT);
        if (code != FATAL) {
            throw new IllegalStateException("ended with code " + code + " after FATAL_ERROR: " + text);
        }
        return text;
    }

    /** What the runbooks have a person do once the cause of a FATAL_ERROR is gone; the next replicator goes on. */
    void clearFatalError() {
        destination.write("UPDATE state SET state = 'OK', last_msg = NULL WHERE id = 'scene';", Params.empty());
    }

    /** Where what replicators write and are given is kept. */
    Path folder() {
        return folder;
    }

    String log() throws IOException {
        return Files.readString(folder.resolve("scene.log"));
    }

    @Override
    public void close() {
        replicators.forEach(ReplicatorProcess::close);
        loseServer();
    }

    /** The server ends and takes everything with it. */
    void loseServer() {
        if (!gone) {
            gone = true;
            Leavings.keep(emulator, destinationName, folder);
            source.close();
            destination.close();
            emulator.close();
        }
    }
}
