package io.aardappel.bench.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.aardappel.emulator.LastingPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code bin/replicator}, and what it says of itself over HTTP. It is gone when closed. */
public final class ReplicatorProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern COLLECTION = Pattern.compile("(\\d+)M->(\\d+)M\\(\\d+M\\)");
    private static final long STOP_SECONDS = 30;

    /**
     * How far it is.
     *
     * @param records read, heartbeats included
     * @param changes applied
     * @param cpu used so far
     */
    public record Progress(long records, long changes, Duration cpu) {}

    private final Process process;
    private final Path folder;
    private final PagesOfProgram pages;

    private ReplicatorProcess(Process process, Path folder, PagesOfProgram pages) {
        this.process = process;
        this.folder = folder;
        this.pages = pages;
    }

    /**
     * Starts it.
     *
     * @param program path of {@code bin/replicator}
     * @param folder for its files
     * @param config but for the address of its pages
     * @param heap such as {@code 1g}
     */
    public static ReplicatorProcess start(Path program, Path folder, String config, String heap) {
        try {
            int port = LastingPort.free();
            Path file = folder.resolve("replicator.yaml");
            Files.writeString(file, config + "mon_server:\n  listen: \"127.0.0.1:" + port + "\"\n");
            ProcessBuilder builder = new ProcessBuilder(program.toString(), "-config", file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("replicator.log").toFile()));
            builder.environment()
                    .put("JAVA_OPTS", "-Xmx" + heap + " -Xlog:gc:file=" + folder.resolve("gc.log") + "::filecount=0");
            return new ReplicatorProcess(Child.start(builder), folder, new PagesOfProgram(port));
        } catch (IOException e) {
            throw new UncheckedIOException(program + " cannot be started", e);
        }
    }

    /** Waits until it replicates in stage RUN. */
    public void awaitRun() {
        Await.until("stage RUN, see " + folder.resolve("replicator.log"), () -> {
            requireAlive();
            return pages.page("/status").map(ReplicatorProcess::runs).orElse(false);
        });
    }

    private static boolean runs(String status) {
        try {
            JsonNode page = JSON.readTree(status);
            return page.path("mode").asText().equals("active")
                    && page.path("stage").asText().equals("RUN");
        } catch (IOException e) {
            throw new UncheckedIOException("the status page is no JSON", e);
        }
    }

    /** Zero while it does not serve its pages. */
    public Progress progress() {
        requireAlive();
        Duration cpu = Usage.cpu(process.toHandle());
        String metrics = pages.page("/metrics").orElse("");
        return new Progress(
                (long) value(metrics, "aardappel_replicator_records_total"),
                (long) value(metrics, "modifications_count"),
                cpu);
    }

    /** A metric without labels; 0 when it is not there. */
    public double metric(String name) {
        return value(pages.page("/metrics").orElse(""), name);
    }

    private static double value(String metrics, String name) {
        return metrics.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    private void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the replicator ended with code " + process.exitValue() + ", see "
                    + folder.resolve("replicator.log"));
        }
    }

    /** Most memory that the process had so far, in MiB. */
    public double peakResidentMib() {
        return Usage.peakResidentMib(process.toHandle());
    }

    /** Heap in MiB at its collections so far. */
    public record Heap(double peak, double peakAfterCollection) {}

    /** Zero before the first collection. */
    public Heap heap() {
        double before = 0;
        double after = 0;
        try {
            List<String> lines = Files.readAllLines(folder.resolve("gc.log"));
            for (String line : lines) {
                Matcher collection = COLLECTION.matcher(line);
                if (collection.find()) {
                    before = Math.max(before, Double.parseDouble(collection.group(1)));
                    after = Math.max(after, Double.parseDouble(collection.group(2)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the collector's log cannot be read", e);
        }
        return new Heap(before, after);
    }

    @Override
    public void close() {
        Child.end(process, STOP_SECONDS);
    }
}
