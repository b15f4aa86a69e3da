package io.aardappel.e2e.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.aardappel.e2e.world.Replicator;
import io.aardappel.e2e.world.Workload;
import java.io.PrintStream;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One line a second about what goes on. Not thread-safe. */
final class LiveTable {
    private static final String FORMAT = "%-9s %-13s %-13s %-13s %8s %10s %10s%n";

    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private final PrintStream out;
    private final List<Replicator> replicators;
    private final Workload workload;
    private String countedProcess = "";
    private long countedRows;
    private long countedWrites;
    private long countedAtNanos = System.nanoTime();

    LiveTable(PrintStream out, List<Replicator> replicators, Workload workload) {
        this.out = out;
        this.replicators = replicators;
        this.workload = workload;
    }

    void printHead() {
        out.printf(FORMAT, "time", "active", "stage", "checkpoint", "lag s", "applied/s", "written/s");
    }

    void printLine() {
        double seconds = (System.nanoTime() - countedAtNanos) / 1e9;
        countedAtNanos = System.nanoTime();
        long writes = workload.rows();
        String written = rate(writes - countedWrites, seconds);
        countedWrites = writes;
        String time = LocalTime.now(ZoneId.systemDefault()).format(SECONDS);
        for (Replicator replicator : replicators) {
            Optional<JsonNode> page = replicator
                    .status()
                    .filter(status -> status.path("mode").asText().equals("active"));
            if (page.isPresent()) {
                line(time, replicator, page.get(), seconds, written);
                return;
            }
        }
        countedProcess = "";
        out.printf(FORMAT, time, "none", "", "", "", "", written);
    }

    private void line(String time, Replicator replicator, JsonNode page, double seconds, String written) {
        long rows = page.path("totals").path("rows").asLong();
        String applied = countedProcess.equals(replicator.name()) ? rate(rows - countedRows, seconds) : "";
        countedProcess = replicator.name();
        countedRows = rows;
        boolean running = page.path("stage").asText().equals("RUN");
        out.printf(
                FORMAT,
                time,
                replicator.name(),
                page.path("stage").asText(),
                running ? clock(page.path("checkpointTime").asText()) : "",
                running ? "%.1f".formatted(page.path("lagSeconds").asDouble()) : "",
                applied,
                written);
        if (!page.path("blocking").isMissingNode() && !page.path("blocking").isNull()) {
            out.println(
                    "          waiting: " + page.path("blocking").path("why").asText());
        }
    }

    private static String rate(long count, double seconds) {
        return String.format(Locale.ROOT, "%.0f", count / seconds);
    }

    private static String clock(String instant) {
        return instant.isEmpty()
                ? ""
                : DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT)
                        .withZone(ZoneId.systemDefault())
                        .format(Instant.parse(instant));
    }
}
