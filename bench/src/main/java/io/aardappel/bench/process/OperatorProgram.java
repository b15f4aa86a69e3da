package io.aardappel.bench.process;

import io.aardappel.emulator.LastingPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** {@code bin/operator}, and what it says of itself over HTTP. It is gone when closed. */
public final class OperatorProgram implements AutoCloseable {
    private static final long STOP_SECONDS = 30;
    private static final String REQUESTS = "aardappel_operator_api_requests_total{";

    private final Process process;
    private final Path log;
    private final PagesOfProgram pages;

    private OperatorProgram(Process process, Path log, PagesOfProgram pages) {
        this.process = process;
        this.log = log;
        this.pages = pages;
    }

    /**
     * What it did so far.
     *
     * @param reads requests to the API server that change nothing, watches over web sockets aside
     * @param writes all others
     * @param cpu processor time
     */
    public record Work(long reads, long writes, Duration cpu) {
        /** What was done since then. */
        public Work since(Work before) {
            return new Work(reads - before.reads, writes - before.writes, cpu.minus(before.cpu));
        }
    }

    /**
     * Starts it, alone, so without a lease.
     *
     * @param program path of {@code bin/operator}
     * @param folder for its files
     * @param heap such as {@code 256m}
     */
    public static OperatorProgram start(Path program, Path folder, String kubeconfig, String heap) {
        try {
            int port = LastingPort.free();
            Path access = Files.writeString(folder.resolve("kubeconfig"), kubeconfig);
            Path log = folder.resolve("operator.log");
            ProcessBuilder builder = new ProcessBuilder(
                            program.toString(),
                            "--replicator-image=registry.example/replicator:1",
                            "--leader-election=false",
                            "--pod-namespace=default",
                            "--listen=127.0.0.1:" + port)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().put("KUBECONFIG", access.toString());
            builder.environment().put("JAVA_OPTS", "-Xmx" + heap);
            return new OperatorProgram(Child.start(builder), log, new PagesOfProgram(port));
        } catch (IOException e) {
            throw new UncheckedIOException(program + " cannot be started", e);
        }
    }

    /** Waits until it serves. */
    public void awaitReady() {
        Await.until("the operator is ready, see " + log, () -> {
            requireAlive();
            return pages.page("/readyz").map(text -> text.startsWith("ready")).orElse(false);
        });
    }

    /** What it did so far. */
    public Work work() {
        requireAlive();
        String metrics =
                pages.page("/metrics").orElseThrow(() -> new IllegalStateException("the operator does not answer"));
        return new Work(requests(metrics, true), requests(metrics, false), Usage.cpu(process.toHandle()));
    }

    private static long requests(String metrics, boolean reads) {
        return (long) metrics.lines()
                .filter(line -> line.startsWith(REQUESTS) && line.contains("method=\"GET\"") == reads)
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the operator ended with code " + process.exitValue() + ", see " + log);
        }
    }

    /** Most memory that the process had so far, in MiB. */
    public double peakResidentMib() {
        return Usage.peakResidentMib(process.toHandle());
    }

    @Override
    public void close() {
        Child.end(process, STOP_SECONDS);
    }
}
