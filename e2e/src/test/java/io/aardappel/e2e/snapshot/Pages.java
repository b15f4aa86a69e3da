package io.aardappel.e2e.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.aardappel.emulator.LastingPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The pages that the replicator of a scene serves. Each one that is read stays in the folder of the test. */
final class Pages {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Path kept;
    private final int port;

    private Pages(Path folder, int port) {
        this.kept = folder.resolve("pages.txt");
        this.port = port;
    }

    /** Of the replicators that are started from now on, one at a time. */
    static Pages of(Scene scene) {
        int port = LastingPort.free();
        scene.configure("mon_server: {listen: \"127.0.0.1:" + port + "\"}");
        return new Pages(scene.folder(), port);
    }

    String text(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(LIMIT)
                .build();
        try {
            String body =
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            Files.writeString(kept, path + "\n" + body + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return body;
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * What progress waits for, as {@code /status} says it.
     *
     * @param stream empty when it is about none
     * @param partition -1 when it is about none
     */
    record Waiting(String reason, String stream, int partition, Instant since, String why) {}

    /** Absent when progress waits for nothing. */
    Optional<Waiting> waiting() {
        JsonNode blocking = status().path("blocking");
        return blocking.isObject()
                ? Optional.of(new Waiting(
                        blocking.path("reason").asText(),
                        blocking.path("stream").asText(),
                        blocking.path("partition").asInt(-1),
                        Instant.parse(blocking.path("since").asText()),
                        blocking.path("why").asText()))
                : Optional.empty();
    }

    /** What progress waits for: reason and words, empty when it waits for nothing. */
    String blocking() {
        return waiting().map(told -> told.reason() + ": " + told.why()).orElse("");
    }

    JsonNode status() {
        try {
            return JSON.readTree(text("/status"));
        } catch (IOException e) {
            throw new IllegalStateException("/status is no JSON", e);
        }
    }

    /** What the program knows of a partition of the scene's stream of that number, a missing node where it has none. */
    JsonNode partition(int stream, int partition) {
        for (JsonNode candidate : status().path("streams").path(stream).path("partitions")) {
            if (candidate.path("partition").asInt(-1) == partition) {
                return candidate;
            }
        }
        return JSON.missingNode();
    }

    /**
     * The values of a metric.
     *
     * @param labels only of samples that have all of these, such as {@code reason="lock"}
     */
    DoubleStream metric(String name, String... labels) {
        return text("/metrics")
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> Stream.of(labels).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)));
    }
}
