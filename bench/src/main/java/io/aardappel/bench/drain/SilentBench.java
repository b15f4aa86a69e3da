package io.aardappel.bench.drain;

import io.aardappel.bench.process.Await;
import io.aardappel.bench.process.EmulatorProcess;
import io.aardappel.bench.process.ReplicatorProcess;
import io.aardappel.bench.report.Bound;
import io.aardappel.bench.report.Measure;
import io.aardappel.bench.report.Report;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Lets one partition hand out nothing while all others are written as fast as it goes, and watches the memory of a small
 * replicator. Writes {@code bench/results/silent.json} and {@code .md}.
 */
public final class SilentBench {
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final String HEAP = "192m";
    private static final double HEAP_MIB = 192;
    /** What a Java process has beside its heap: code, threads, buffers of the network. */
    private static final double BESIDE_HEAP_MIB = 256;

    private SilentBench() {}

    /**
     * Measures and writes the results.
     *
     * @param arguments the folder for the results, path of {@code bin/replicator}
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("aardappel-silent");
        String quietness = Report.quietness();
        Report report;
        try (EmulatorProcess emulator = EmulatorProcess.start();
                BareYdb ydb = new BareYdb(emulator.host(), emulator.port())) {
            Backlog backlog = new Backlog(ydb);
            backlog.create(List.of("replicator"), List.of("copy"));
            String config = Backlog.config(emulator.url());
            try (ReplicatorProcess replicator = ReplicatorProcess.start(Path.of(arguments[1]), folder, config, HEAP)) {
                replicator.awaitRun();
                report = watch(emulator, backlog, replicator, quietness);
            }
        }
        report.publish(Path.of(arguments[0]));
        System.exit(report.reached() ? 0 : 1);
    }

    private static Report watch(
            EmulatorProcess emulator, Backlog backlog, ReplicatorProcess replicator, String quietness)
            throws IOException, InterruptedException {
        silence(emulator);
        double budget = replicator.metric("aardappel_replicator_memory_budget_bytes");
        double buffered = 0;
        long end = System.nanoTime() + SILENCE.toNanos();
        while (System.nanoTime() < end) {
            backlog.write(20L * Backlog.TRANSACTION);
            buffered = Math.max(buffered, replicator.metric("aardappel_replicator_buffered_bytes"));
        }
        long behind = backlog.written() - replicator.progress().changes();
        Await.until("all is applied", () -> replicator.progress().changes() >= backlog.written());
        double resident = replicator.peakResidentMib();
        ReplicatorProcess.Heap heap = replicator.heap();
        return new Report(
                "silent",
                "Behind a silent partition",
                "make bench-silent",
                List.of(
                        "One of 16 partitions hands out nothing for " + SILENCE.toSeconds()
                                + " s while all 4 tables are written as fast as it goes; the replicator runs with -Xmx"
                                + HEAP
                                + ". Then the partition speaks, and the figures are taken when all is applied.",
                        quietness),
                List.of(
                        new Measure(
                                "resident memory at its peak",
                                "MiB",
                                List.of(resident),
                                Bound.atMost(HEAP_MIB + BESIDE_HEAP_MIB, HEAP_MIB + BESIDE_HEAP_MIB)),
                        Measure.of("heap at its peak", "MiB", List.of(heap.peak())),
                        Measure.of("heap at its peak, after collection", "MiB", List.of(heap.peakAfterCollection())),
                        new Measure(
                                "buffered changes at their peak, of the budget",
                                "ratio",
                                List.of(buffered / budget),
                                Bound.atMost(1, 1)),
                        Measure.of("changes written in the silence", "", List.of((double) backlog.written())),
                        Measure.of("not applied when it ended", "", List.of((double) behind))));
    }

    private static void silence(EmulatorProcess emulator) throws IOException, InterruptedException {
        String rule = "{\"fault\": \"partition-silent\", \"path\": \"/local/"
                + Backlog.topics().get(0) + "\", \"partition\": 0, \"count\": 1, \"delayMs\": " + SILENCE.toMillis()
                + "}";
        HttpRequest request = HttpRequest.newBuilder(emulator.control().resolve("/faults"))
                .POST(HttpRequest.BodyPublishers.ofString(rule))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IllegalStateException("the fault was refused: " + answer.body());
        }
    }
}
