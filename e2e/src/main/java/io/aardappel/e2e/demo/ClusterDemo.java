package io.aardappel.e2e.demo;

import io.aardappel.e2e.world.ChildProcesses;
import io.aardappel.e2e.world.Database;
import io.aardappel.e2e.world.Kubectl;
import io.aardappel.e2e.world.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of {@code bin/demo-cluster} that comes when operator and emulator run in a cluster: a Replication is applied,
 * a workload written, the active pod deleted, and the tables compared.
 */
public final class ClusterDemo {
    private static final String NAME = "demo";
    private static final String MANIFEST = "examples/demo.yaml";
    private static final Duration REACH_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(4);
    private static final Duration TAKEOVER_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration CATCH_UP_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration SUSPEND_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration BEFORE_DELETION = Duration.ofSeconds(10);
    private static final Duration AFTER_TAKEOVER = Duration.ofSeconds(10);
    private static final Duration LINE_EVERY = Duration.ofSeconds(2);
    private static final long SEED = 20_262;
    private static final Pattern FORWARDING = Pattern.compile("Forwarding from (127\\.0\\.0\\.1:[0-9]+)");
    private static final String FORMAT = "%-9s %-6s %-9s %-13s %6s %-24s %10s%n";
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private final PrintStream out;
    private final Narration narration;
    private final Path home;
    private final ChildProcesses children;
    private final Kubectl kubectl;
    private long countedWrites;
    private long countedAtNanos = System.nanoTime();

    private ClusterDemo(PrintStream out, Path home, ChildProcesses children, Kubectl kubectl) {
        this.out = out;
        this.narration = new Narration(out);
        this.home = home;
        this.children = children;
        this.kubectl = kubectl;
    }

    /**
     * The process ends with 0 when the tables are equal, else with 1.
     *
     * @param args the program kubectl, the namespace, and a folder for logs
     */
    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Path home = Path.of(System.getProperty("aardappel.home", "."));
        Path folder = Path.of(args[2]);
        System.exit(ClosingWords.after(out, folder, children -> {
            Kubectl kubectl = new Kubectl(args[0], args[1], folder.resolve("kubectl.log"));
            return new ClusterDemo(out, home, children, kubectl).run();
        }));
    }

    private boolean run() throws IOException {
        narration.step("Reaching the emulator in the cluster");
        String address = forward();
        try (Database source = new Database("grpc://" + address + "/source");
                Database copy = new Database("grpc://" + address + "/copy");
                Workload workload = new Workload(source, SEED)) {
            Opening.prepare(narration, source, copy, workload);
            toReady(workload);
            takeover(workload);
            catchUp(workload);
            suspend(workload);
            narration.step("Comparing the tables at the last checkpoint");
            return Verdict.passes(out, source, copy);
        }
    }

    private String forward() throws IOException {
        String[] arguments = {"port-forward", "service/emulator", ":2136"};
        narration.say("$ " + kubectl.typed(arguments));
        Process forwarding = children.start("port-forward", kubectl.command(arguments));
        Path log = children.log("port-forward");
        Narration.await("kubectl port-forward, see " + log, REACH_TIMEOUT, () -> {
            if (!forwarding.isAlive()) {
                throw new IllegalStateException(
                        "kubectl port-forward ended with code " + forwarding.exitValue() + ", see " + log);
            }
            return forwardedTo(log).isPresent();
        });
        String address = forwardedTo(log).orElseThrow();
        narration.say("grpc://" + address + "/source and /copy");
        return address;
    }

    private static Optional<String> forwardedTo(Path log) {
        try {
            Matcher matcher = FORWARDING.matcher(Files.exists(log) ? Files.readString(log) : "");
            return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
        } catch (IOException unreadable) {
            throw new IllegalStateException("cannot read " + log, unreadable);
        }
    }

    private void toReady(Workload workload) throws IOException {
        narration.step("Asking for the replication, while a workload writes to four tables in each transaction");
        workload.start();
        shown("apply", "-f", home.resolve(MANIFEST).toString());
        String[] arguments = {
            "wait", "--for=condition=Ready", "replication/" + NAME, "--timeout=" + READY_TIMEOUT.toSeconds() + "s"
        };
        narration.say("$ " + kubectl.typed(arguments));
        Process waiting = children.start("wait", kubectl.command(arguments));
        printHead();
        watch(workload, READY_TIMEOUT.plusSeconds(10), seen -> !waiting.isAlive());
        if (waiting.isAlive() || waiting.exitValue() != 0) {
            throw new IllegalStateException("the Replication did not become Ready within " + READY_TIMEOUT.toSeconds()
                    + " s; it says: " + ReplicationSeen.of(kubectl, NAME).why());
        }
        narration.say("it is Ready");
        watch(workload, BEFORE_DELETION, seen -> false);
    }

    private void takeover(Workload workload) {
        String active = ReplicationSeen.of(kubectl, NAME).active();
        if (active.isEmpty()) {
            throw new IllegalStateException("no pod is active");
        }
        narration.step("Deleting the active pod");
        long deletedNanos = System.nanoTime();
        shown("delete", "pod", active, "--wait=false");
        printHead();
        boolean taken = watch(
                workload,
                TAKEOVER_TIMEOUT,
                seen -> !seen.active().isEmpty() && !seen.active().equals(active) && seen.isReady());
        require(taken, "nobody took over within " + TAKEOVER_TIMEOUT.toSeconds() + " s");
        out.printf(
                "   the status tells of another active pod after %d s%n",
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - deletedNanos));
        watch(workload, AFTER_TAKEOVER, seen -> false);
        shown("get", "pods", "-l", "app.kubernetes.io/component=replicator");
    }

    private void catchUp(Workload workload) {
        narration.step("Stopping the workload and waiting for a checkpoint behind its last write");
        workload.stop();
        workload.check();
        long stoppedAt = System.currentTimeMillis();
        boolean caughtUp = watch(workload, CATCH_UP_TIMEOUT, seen -> seen.step() > stoppedAt);
        require(caughtUp, "the checkpoint did not pass the last write within " + CATCH_UP_TIMEOUT.toSeconds() + " s");
        narration.say(
                "the workload committed " + workload.transactions() + " transactions, " + workload.rows() + " rows");
    }

    private void suspend(Workload workload) {
        narration.step("Suspending the replication: its pods stop at a transaction's border");
        shown("patch", "replication", NAME, "--type=merge", "-p", "{\"spec\":{\"suspend\":true}}");
        boolean suspended =
                watch(workload, SUSPEND_TIMEOUT, seen -> seen.state().equals("Suspended"));
        require(suspended, "it was not suspended within " + SUSPEND_TIMEOUT.toSeconds() + " s");
    }

    /** Runs kubectl, and shows what was typed and what it said. */
    private void shown(String... arguments) {
        narration.say("$ " + kubectl.typed(arguments));
        kubectl.run(arguments).lines().forEach(narration::say);
    }

    private void require(boolean held, String otherwise) {
        if (!held) {
            throw new IllegalStateException(otherwise + "; the Replication says: "
                    + ReplicationSeen.of(kubectl, NAME).why());
        }
    }

    /** Prints a line every two seconds until the condition holds or the time is over. Returns whether it held. */
    private boolean watch(Workload workload, Duration limit, Predicate<ReplicationSeen> until) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (System.nanoTime() < deadline) {
            Narration.pause(LINE_EVERY);
            ReplicationSeen seen = ReplicationSeen.of(kubectl, NAME);
            printLine(seen, workload);
            workload.check();
            if (until.test(seen)) {
                return true;
            }
        }
        return false;
    }

    private void printHead() {
        out.printf(FORMAT, "time", "ready", "state", "stage", "lag", "active", "written/s");
    }

    private void printLine(ReplicationSeen seen, Workload workload) {
        double seconds = (System.nanoTime() - countedAtNanos) / 1e9;
        countedAtNanos = System.nanoTime();
        long writes = workload.rows();
        String written = String.format(Locale.ROOT, "%.0f", (writes - countedWrites) / seconds);
        countedWrites = writes;
        out.printf(
                FORMAT,
                LocalTime.now(ZoneId.systemDefault()).format(SECONDS),
                seen.ready(),
                seen.state(),
                seen.stage(),
                seen.lag(),
                seen.active(),
                written);
    }
}
