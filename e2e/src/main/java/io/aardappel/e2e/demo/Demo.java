package io.aardappel.e2e.demo;

import io.aardappel.e2e.world.ChildProcesses;
import io.aardappel.e2e.world.Database;
import io.aardappel.e2e.world.Replicator;
import io.aardappel.e2e.world.Shop;
import io.aardappel.e2e.world.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tells the story of {@code make demo}, from an empty machine to a comparison, and ends with a verdict. */
public final class Demo {
    private static final Duration HEARTBEAT = Duration.ofSeconds(3);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SCAN_TIMEOUT = Duration.ofSeconds(60);
    /** The lock outlives a killed process by two heartbeats; a standby asks for it a little later. */
    private static final Duration TAKEOVER_TIMEOUT = HEARTBEAT.multipliedBy(2).plusSeconds(15);

    private static final Duration CATCH_UP_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(15);
    private static final int SECONDS_BEFORE_KILL = 12;
    private static final int SECONDS_AFTER_TAKEOVER = 10;
    private static final long SEED = 20_261;
    private static final Pattern READY = Pattern.compile("(?m)^READY (grpc://[^/]+)");

    private final PrintStream out;
    private final Path home;
    private final Path folder;
    private final ChildProcesses children;
    private final Narration narration;

    private Demo(PrintStream out, Path home, Path folder, ChildProcesses children) {
        this.out = out;
        this.narration = new Narration(out);
        this.home = home;
        this.folder = folder;
        this.children = children;
    }

    /**
     * Runs the demo; the process ends with 0 when the tables are equal, else with 1.
     *
     * @param args a folder for configuration and logs; otherwise {@code .demo}, emptied first
     */
    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Path home = Path.of(System.getProperty("aardappel.home", "."))
                .toAbsolutePath()
                .normalize();
        Path folder = args.length > 0
                ? Files.createDirectories(Path.of(args[0]).toAbsolutePath())
                : emptied(home.resolve(".demo"));
        System.exit(ClosingWords.after(out, folder, children -> new Demo(out, home, folder, children).run()));
    }

    private static Path emptied(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> old = Files.walk(folder)) {
                for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        return Files.createDirectories(folder);
    }

    private boolean run() throws IOException {
        narration.step("Starting an emulator with a source and a destination database");
        List<String> urls = startEmulator();
        try (Database source = new Database(urls.get(0));
                Database copy = new Database(urls.get(1));
                Workload workload = new Workload(source, SEED)) {
            Opening.prepare(narration, source, copy, workload);
            List<Replicator> replicators = startReplicators(urls);
            LiveTable table = new LiveTable(out, replicators, workload);
            story(table, replicators, workload);
            return verdict(source, copy, replicators);
        }
    }

    private List<String> startEmulator() throws IOException {
        Process emulator = children.start(
                "emulator",
                List.of(
                        home.resolve("bin/emulator").toString(),
                        "serve",
                        "--listen",
                        "127.0.0.1:0",
                        "--database",
                        "/source",
                        "--database",
                        "/copy"));
        List<String> urls = new ArrayList<>();
        Narration.await("the emulator to be ready", START_TIMEOUT, () -> {
            if (!emulator.isAlive()) {
                throw new IllegalStateException("the emulator ended with code " + emulator.exitValue());
            }
            Matcher ready = READY.matcher(text(children.log("emulator")));
            if (ready.find()) {
                urls.add(ready.group(1) + "/source");
                urls.add(ready.group(1) + "/copy");
            }
            return !urls.isEmpty();
        });
        urls.forEach(url -> out.println("   " + url));
        return urls;
    }

    private List<Replicator> startReplicators(List<String> urls) throws IOException {
        narration.step("Starting two replicators: one replicates, the other stands by");
        String config = config(urls);
        List<Replicator> replicators = new ArrayList<>();
        for (String name : List.of("replicator-a", "replicator-b")) {
            Replicator replicator = Replicator.start(children, home, folder, name, config);
            replicators.add(replicator);
            out.println("   " + name + ", process " + replicator.pid());
        }
        return replicators;
    }

    private static String config(List<String> urls) {
        StringBuilder config = new StringBuilder("""
                src_connection_string: "%s"
                dst_connection_string: "%s"
                state_table: aardappel_state
                instance_id: demo
                multiple_instances_mode: true
                max_expected_heartbeat_interval: %d
                log_level: info
                replicator:
                  memory: 64MiB
                streams:
                """.formatted(urls.get(0), urls.get(1), HEARTBEAT.toSeconds()));
        for (Shop.Table table : Shop.TABLES) {
            config.append("  - src_topic: %1$s/feed%n    consumer: aardappel%n    dst_table: /copy/%1$s%n"
                    .formatted(table.name()));
        }
        return config.toString();
    }

    private void story(LiveTable table, List<Replicator> replicators, Workload workload) {
        narration.step("Writing to four tables in each transaction, while the initial scan is still going on");
        workload.start();
        table.printHead();
        boolean running = watch(
                table,
                workload,
                SCAN_TIMEOUT,
                () -> replicators.stream()
                        .anyMatch(r -> r.status()
                                .map(page -> page.path("mode").asText().equals("active")
                                        && page.path("stage").asText().equals("RUN"))
                                .orElse(false)));
        require(running, replicators, "the initial scan did not end within " + SCAN_TIMEOUT.toSeconds() + " s");
        watch(table, workload, Duration.ofSeconds(SECONDS_BEFORE_KILL), () -> false);

        Replicator active = replicators.stream()
                .filter(Replicator::isActive)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no replicator is active"));
        narration.step("Killing " + active.name() + " with SIGKILL; its lock lives for "
                + HEARTBEAT.multipliedBy(2).toSeconds() + " s more");
        long killedNanos = System.nanoTime();
        active.kill();
        boolean taken = watch(
                table,
                workload,
                TAKEOVER_TIMEOUT,
                () -> replicators.stream().anyMatch(r -> r != active && r.isActive()));
        require(taken, replicators, "nobody took over within " + TAKEOVER_TIMEOUT.toSeconds() + " s");
        out.printf("   taken over after %.1f s%n", (System.nanoTime() - killedNanos) / 1e9);
        watch(table, workload, Duration.ofSeconds(SECONDS_AFTER_TAKEOVER), () -> false);

        narration.step("Stopping the workload and waiting for a checkpoint behind its last write");
        workload.stop();
        workload.check();
        long stoppedAt = System.currentTimeMillis();
        boolean caughtUp = watch(
                table,
                workload,
                CATCH_UP_TIMEOUT,
                () -> replicators.stream()
                        .anyMatch(r -> r.status()
                                .filter(page -> page.path("mode").asText().equals("active"))
                                .map(page ->
                                        page.path("checkpoint").path("step").asLong() > stoppedAt)
                                .orElse(false)));
        require(
                caughtUp,
                replicators,
                "the checkpoint did not pass the last write within " + CATCH_UP_TIMEOUT.toSeconds() + " s");
        out.println(
                "   the workload committed " + workload.transactions() + " transactions, " + workload.rows() + " rows");
    }

    private boolean verdict(Database source, Database copy, List<Replicator> replicators) {
        narration.step("Stopping the replicator and comparing the tables at its last checkpoint");
        for (Replicator replicator : replicators) {
            if (replicator.isAlive()) {
                stop(replicator);
            }
        }
        boolean passed = Verdict.passes(out, source, copy);
        out.println();
        out.println("Where to look next:");
        out.println("   .demo/replicator-a.yaml, .demo/*.log   the configuration and what each process said");
        out.println("   README.md, docs/configuration.md       how to replicate tables of your own");
        out.println("   make test                              how this is proved, with faults and by seed");
        return passed;
    }

    private void stop(Replicator replicator) {
        replicator.stop();
        Narration.await(replicator.name() + " to stop", STOP_TIMEOUT, () -> !replicator.isAlive());
        out.println("   " + replicator.name() + " ended with code " + replicator.exitValue());
        if (replicator.exitValue() != 0) {
            throw new IllegalStateException(
                    replicator.name() + " ended with code " + replicator.exitValue() + " instead of 0");
        }
    }

    /** Prints a line a second until the condition holds or the time is over. Returns whether it held. */
    private static boolean watch(LiveTable table, Workload workload, Duration limit, BooleanSupplier until) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (System.nanoTime() < deadline) {
            Narration.pause(Duration.ofSeconds(1));
            table.printLine();
            workload.check();
            if (until.getAsBoolean()) {
                return true;
            }
        }
        return false;
    }

    private static void require(boolean held, List<Replicator> replicators, String otherwise) {
        if (held) {
            return;
        }
        StringBuilder message = new StringBuilder(otherwise);
        for (Replicator replicator : replicators) {
            message.append("; ").append(replicator.name());
            message.append(replicator.isAlive() ? " runs" : " ended with code " + replicator.exitValue());
        }
        throw new IllegalStateException(message.toString());
    }

    private static String text(Path log) {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException unreadable) {
            throw new IllegalStateException("cannot read " + log, unreadable);
        }
    }
}
