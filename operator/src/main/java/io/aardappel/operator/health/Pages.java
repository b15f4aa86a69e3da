package io.aardappel.operator.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves {@code /livez}, which {@code /healthz} also names, {@code /readyz} and {@code /metrics}. Reads only; no authentication. Thread-safe. */
public final class Pages implements AutoCloseable {
    /** Requests answered at once; more wait. */
    private static final int THREADS = 4;

    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final Logger LOG = LoggerFactory.getLogger(Pages.class);

    private final HttpServer server;
    private final ExecutorService threads;

    private record Response(int code, String type, String body) {
        static Response of(Probes.Answer answer) {
            return new Response(answer.ok() ? 200 : 503, PLAIN, answer.text() + "\n");
        }
    }

    /**
     * Binds and serves at once.
     *
     * @param metricsType content type of what {@code metrics} gives
     * @throws IOException when the address cannot be had
     */
    public Pages(InetSocketAddress address, Vitals vitals, Supplier<String> metrics, String metricsType)
            throws IOException {
        this.server = HttpServer.create(address, 0);
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "http");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        serve("/", () -> new Response(404, PLAIN, "/livez /healthz /readyz /metrics\n"));
        serve("/livez", () -> Response.of(Probes.alive(vitals)));
        serve("/healthz", () -> Response.of(Probes.alive(vitals)));
        serve("/readyz", () -> Response.of(Probes.ready(vitals)));
        serve("/metrics", () -> new Response(200, metricsType, metrics.get()));
        server.start();
    }

    private void serve(String path, Supplier<Response> page) {
        server.createContext(path, exchange -> {
            try (exchange) {
                boolean exact =
                        path.equals("/") || exchange.getRequestURI().getPath().equals(path);
                answer(exchange, exact ? page.get() : new Response(404, PLAIN, "no such page\n"));
            } catch (RuntimeException bug) {
                LOG.error("page {} failed", path, bug);
                throw bug;
            }
        });
    }

    private static void answer(HttpExchange exchange, Response response) throws IOException {
        byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", response.type());
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(response.code(), -1);
            return;
        }
        exchange.sendResponseHeaders(response.code(), body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    /** Where it listens; tells the port that the system picked. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Stops at once; a scrape under way is cut. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
