package io.aardappel.emulator.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.aardappel.emulator.model.YdbException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers JSON over HTTP: finds the command of a request and turns what it throws into a status. */
public final class ControlServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
    private static final int BODY_BYTES_MAX = 1 << 20;

    /** One command: takes the JSON of the request, an empty object when it had none, and answers the JSON of the result. */
    @FunctionalInterface
    public interface Command {
        JsonNode run(String[] pathParts, JsonNode body);
    }

    /** The last part of a path that may be anything. */
    static final String ANY = "*";

    private final ObjectMapper json = new ObjectMapper();
    private final Map<String, Command> commands = new LinkedHashMap<>();
    private final HttpServer server;
    private final ExecutorService thread;

    private ControlServer(InetSocketAddress listen, Map<String, Command> commands) throws IOException {
        this.commands.putAll(commands);
        this.server = HttpServer.create(listen, 0);
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "emulator-control");
            made.setDaemon(true);
            return made;
        });
        server.setExecutor(thread);
        server.createContext("/", this::handle);
        server.start();
    }

    /**
     * Starts to listen; port 0 picks a free one.
     *
     * @param commands by method and path, such as {@code DELETE /faults/*}
     */
    public static ControlServer start(InetSocketAddress listen, Map<String, Command> commands) {
        try {
            return new ControlServer(listen, commands);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot listen on " + listen + " for faults", failure);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        thread.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            try {
                answer(exchange, 200, run(exchange));
            } catch (UnknownCommandException unknown) {
                answer(exchange, 404, problem(unknown));
            } catch (IllegalArgumentException | YdbException | JsonProcessingException refused) {
                answer(exchange, 400, problem(refused));
            } catch (RuntimeException defect) {
                LOG.error("control request failed", defect);
                answer(exchange, 500, problem(defect));
            }
        }
    }

    private JsonNode run(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String[] parts = path.substring(1).split("/", -1);
        Command command = find(exchange.getRequestMethod(), path, parts);
        byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX);
        JsonNode parsed = body.length == 0 ? json.createObjectNode() : json.readTree(body);
        return command.run(parts, parsed);
    }

    private Command find(String method, String path, String[] parts) {
        Command exact = commands.get(method + " " + path);
        if (exact != null) {
            return exact;
        }
        parts = parts.clone();
        parts[parts.length - 1] = ANY;
        Command general = commands.get(method + " /" + String.join("/", parts));
        if (general == null) {
            throw new UnknownCommandException("there is no " + method + " " + path + ", but " + commands.keySet());
        }
        return general;
    }

    private ObjectNode problem(Exception failure) {
        return json.createObjectNode().put("error", String.valueOf(failure.getMessage()));
    }

    private void answer(HttpExchange exchange, int status, JsonNode body) throws IOException {
        byte[] bytes = (json.writeValueAsString(body) + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static final class UnknownCommandException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnknownCommandException(String message) {
            super(message);
        }
    }
}
