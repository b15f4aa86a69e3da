package io.aardappel.replicator.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.aardappel.replicator.engine.Ticker;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves {@code /metrics}, {@code /readyz}, {@code /livez} and {@code /status}. Reads only; no authentication. */
public final class MonitoringServer implements AutoCloseable {
    /** Requests answered at once; more wait. */
    private static final int THREADS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(MonitoringServer.class);

    private final HttpServer server;
    private final ExecutorService threads;

    /**
     * What is served.
     *
     * @param liveBound a loop that has not turned for longer is not alive
     */
    public record Pages(
            String instanceId,
            StreamLabels labels,
            Duration liveBound,
            Ticker ticker,
            StatusSource source,
            ReplicatorMetrics metrics) {}

    private record Response(int code, String type, String body) {
        static Response of(Probes.Answer answer) {
            return new Response(answer.ok() ? 200 : 503, "text/plain; charset=utf-8", answer.text() + "\n");
        }
    }

    /**
     * Binds and serves at once.
     *
     * @throws IOException when the address cannot be had
     */
    public MonitoringServer(InetSocketAddress address, Pages pages) throws IOException {
        this.server = HttpServer.create(address, 0);
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "http");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        StatusSource source = pages.source();
        StatusPage statusPage = new StatusPage(pages.instanceId(), pages.labels());
        serve("/", () -> new Response(404, "text/plain; charset=utf-8", "/metrics /readyz /livez /status\n"));
        serve(
                "/metrics",
                () -> new Response(
                        200, ReplicatorMetrics.CONTENT_TYPE, pages.metrics().scrape()));
        serve("/readyz", () -> Response.of(Probes.ready(source.status())));
        serve("/livez", () -> Response.of(Probes.live(source.sinceTurnMillis(), pages.liveBound())));
        serve(
                "/status",
                () -> new Response(
                        200,
                        "application/json",
                        statusPage.render(
                                source.status(),
                                source.waitsFor(),
                                pages.ticker().wallMillis())));
        server.start();
    }

    private void serve(String path, Supplier<Response> page) {
        server.createContext(path, exchange -> {
            try (exchange) {
                boolean exact =
                        path.equals("/") || exchange.getRequestURI().getPath().equals(path);
                answer(exchange, exact ? page.get() : new Response(404, "text/plain", "no such page\n"));
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
