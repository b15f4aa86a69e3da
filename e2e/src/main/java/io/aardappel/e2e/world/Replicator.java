package io.aardappel.e2e.world;

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
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One replicator process and the status page it serves. */
public final class Replicator {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(1);

    private final String name;
    private final Process process;
    private final URI statusPage;
    private final HttpClient client = HttpClient.newHttpClient();

    private Replicator(String name, Process process, int port) {
        this.name = name;
        this.process = process;
        this.statusPage = URI.create("http://127.0.0.1:" + port + "/status");
    }

    /**
     * Starts {@code bin/replicator}.
     *
     * @param config the file's text but for the monitoring address
     */
    public static Replicator start(ChildProcesses children, Path home, Path folder, String name, String config)
            throws IOException {
        int port = LastingPort.free();
        Path file = folder.resolve(name + ".yaml");
        Files.writeString(file, config + "mon_server:\n  listen: \"127.0.0.1:" + port + "\"\n");
        Process process =
                children.start(name, List.of(home.resolve("bin/replicator").toString(), "-config", file.toString()));
        return new Replicator(name, process, port);
    }

    public String name() {
        return name;
    }

    /** Whether the process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    public int exitValue() {
        return process.exitValue();
    }

    public long pid() {
        return process.pid();
    }

    /** SIGKILL: it gets no chance to release anything. */
    public void kill() {
        process.destroyForcibly();
    }

    /** SIGTERM. */
    public void stop() {
        process.destroy();
    }

    public Process process() {
        return process;
    }

    /** The status page; empty while it is not served. */
    public Optional<JsonNode> status() {
        if (!process.isAlive()) {
            return Optional.empty();
        }
        HttpRequest request =
                HttpRequest.newBuilder(statusPage).timeout(REQUEST_TIMEOUT).build();
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return Optional.of(JSON.readTree(response.body()));
        } catch (IOException notServed) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Whether it holds the lock and replicates. */
    public boolean isActive() {
        return status().map(page -> page.path("mode").asText().equals("active")).orElse(false);
    }
}
