package io.aardappel.bench.drain;

import io.aardappel.bench.process.Await;
import io.aardappel.bench.process.Child;
import io.aardappel.bench.process.EmulatorProcess;
import io.aardappel.bench.process.ReplicatorProcess;
import io.aardappel.bench.process.ReplicatorProcess.Progress;
import io.aardappel.bench.report.Bound;
import io.aardappel.bench.report.Measure;
import io.aardappel.bench.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets the replicator drain a backlog, then lets a bare program read the same records and write the same rows, and compares
 * the processor time of the two processes. Writes {@code bench/results/drain.json} and {@code .md}.
 */
public final class DrainBench {
    /** Twice: of a cold process, and of the same one when it is warm. Fewer are enough to try something out. */
    private static final long CHANGES = Long.getLong("bench.changes", 1_000_000);

    private static final Bound COST = Bound.atMost(2, 1.3);
    private static final String HEAP = "1g";
    /** What bin/replicator takes, for the bare program as well. */
    private static final String COLLECTOR = "-XX:+UseParallelGC";

    private final Path program;
    private final List<Double> coldRatios = new ArrayList<>();
    private final List<Double> warmRatios = new ArrayList<>();
    private final List<Double> cold = new ArrayList<>();
    private final List<Double> warm = new ArrayList<>();
    private final List<Double> bareCold = new ArrayList<>();
    private final List<Double> bareReading = new ArrayList<>();
    private final List<Double> bareWriting = new ArrayList<>();
    private final List<Double> perSecond = new ArrayList<>();
    private final List<Double> read = new ArrayList<>();
    private final List<Double> resident = new ArrayList<>();
    private final List<Double> heap = new ArrayList<>();
    private final List<Double> heapCollected = new ArrayList<>();

    private DrainBench(Path program) {
        this.program = program;
    }

    /**
     * Measures and writes the results.
     *
     * @param arguments the folder for the results, path of {@code bin/replicator}, how many rounds
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        DrainBench bench = new DrainBench(Path.of(arguments[1]));
        int rounds = Integer.parseInt(arguments[2]);
        String quietness = Report.quietness();
        for (int round = 1; round <= rounds; round++) {
            bench.round();
            System.out.printf(
                    "round %d of %d: %.2f times the bare program when warm, %.2f when cold%n",
                    round, rounds, last(bench.warmRatios), last(bench.coldRatios));
        }
        Report report = bench.report(quietness);
        report.publish(Path.of(arguments[0]));
        System.exit(report.reached() ? 0 : 1);
    }

    private static double last(List<Double> values) {
        return values.get(values.size() - 1);
    }

    private void round() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("aardappel-drain");
        try (EmulatorProcess emulator = EmulatorProcess.start();
                BareYdb ydb = new BareYdb(emulator.host(), emulator.port())) {
            Backlog backlog = new Backlog(ydb);
            backlog.create(List.of("replicator", "bare1", "bare2"), List.of("copy", "bare"));
            String config = Backlog.config(emulator.url());
            try (ReplicatorProcess first = ReplicatorProcess.start(program, folder, config, HEAP)) {
                first.awaitRun();
            }
            backlog.write(2 * CHANGES);
            try (ReplicatorProcess replicator = ReplicatorProcess.start(program, folder, config, HEAP)) {
                drain(replicator);
            }
            compare(emulator);
        }
    }

    private void drain(ReplicatorProcess replicator) {
        List<Progress> samples = new ArrayList<>();
        long began = System.nanoTime();
        Await.until("the backlog is drained", () -> {
            samples.add(replicator.progress());
            return samples.get(samples.size() - 1).changes() >= 2 * CHANGES;
        });
        perSecond.add(2 * CHANGES * 1e9 / (System.nanoTime() - began));
        double half = cpuMicros(samples, CHANGES);
        cold.add(half / CHANGES);
        warm.add((cpuMicros(samples, 2 * CHANGES) - half) / CHANGES);
        read.add(samples.get(samples.size() - 1).records() / (2.0 * CHANGES));
        resident.add(replicator.peakResidentMib());
        heap.add(replicator.heap().peak());
        heapCollected.add(replicator.heap().peakAfterCollection());
    }

    /** Processor time when so much was done; what is read and not yet applied is half done. */
    private static double cpuMicros(List<Progress> samples, long changes) {
        Progress before = samples.get(0);
        for (Progress sample : samples) {
            if (done(sample) >= changes) {
                double share = (changes - done(before)) / Math.max(1, done(sample) - done(before));
                double from = before.cpu().toNanos() / 1e3;
                return from + share * (sample.cpu().toNanos() / 1e3 - from);
            }
            before = sample;
        }
        return before.cpu().toNanos() / 1e3;
    }

    private static double done(Progress progress) {
        return (Math.min(progress.records(), 2 * CHANGES) + progress.changes()) / 2.0;
    }

    private void compare(EmulatorProcess emulator) throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP,
                COLLECTOR,
                "-cp",
                System.getProperty("java.class.path"),
                "-Dlogback.configurationFile=io/aardappel/bench/logback.xml",
                BareProgram.class.getName(),
                emulator.host(),
                Integer.toString(emulator.port()),
                Long.toString(CHANGES));
        Process bare = Child.start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
        List<Double> micros;
        try (var lines = bare.inputReader()) {
            micros = lines.lines().map(Double::valueOf).toList();
        }
        if (bare.waitFor() != 0) {
            throw new IllegalStateException("the bare program failed");
        }
        bareCold.add(micros.get(0) + micros.get(1) + micros.get(2));
        bareReading.add(micros.get(3));
        bareWriting.add(micros.get(4));
        coldRatios.add(last(cold) / last(bareCold));
        warmRatios.add(last(warm) / (last(bareReading) + last(bareWriting)));
    }

    private Report report(String quietness) {
        return new Report(
                "drain",
                "A drained backlog",
                "make bench-drain",
                List.of(
                        "A backlog of " + 2 * CHANGES
                                + " changes of 236 bytes in 4 tables of 4 partitions; emulator, replicator and bare "
                                + "program are processes of their own, the latter two with -Xmx" + HEAP + " and "
                                + COLLECTOR + ".",
                        "The bare program reads the same records by gRPC's stubs and drops them, then writes as many rows, "
                                + "which it has in memory, in transactions of 10,000 over all tables.",
                        "Processor time of the process. Warm: the second million. Cold: the first million, the start of the "
                                + "process and the compilation of its code included, for both programs; nothing is required of it, "
                                + "as it is what compiling ten times the code costs, once.",
                        quietness),
                List.of(
                        new Measure("cost of a change, warm, of the bare program's", "ratio", warmRatios, COST),
                        Measure.of("cost of a change, cold, of the bare program's", "ratio", coldRatios),
                        Measure.of("replicator, warm", "us", warm),
                        Measure.of("bare reading, warm", "us", bareReading),
                        Measure.of("bare writing, warm", "us", bareWriting),
                        Measure.of("replicator, cold", "us", cold),
                        Measure.of("bare program, cold", "us", bareCold),
                        Measure.of("changes drained, emulator on the same cores", "1/s", perSecond),
                        Measure.of("records read for a change, heartbeats and records read again included", "", read),
                        Measure.of("replicator's resident memory at its peak", "MiB", resident),
                        Measure.of("replicator's heap at its peak", "MiB", heap),
                        Measure.of("replicator's heap at its peak, after collection", "MiB", heapCollected)));
    }
}
