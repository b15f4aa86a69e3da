package io.aardappel.program.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.aardappel.program.http.Page.Content;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves pages over HTTP; {@code /} names them. Reads only; no authentication. Thread-safe. */
public final class PageServer implements AutoCloseable {
    /** Requests answered at once; more wait. */
    private static final int THREADS = 4;

    private static final int NOT_FOUND = 404;
    private static final Logger LOG = LoggerFactory.getLogger(PageServer.class);

    private final HttpServer server;
    private final ExecutorService threads;

    /**
     * Binds and serves at once.
     *
     * @param pages in the order in which {@code /} names them
     * @throws IOException when the address cannot be had
     */
    public PageServer(InetSocketAddress address, List<Page> pages) throws IOException {
        this.server = HttpServer.create(address, 0);
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "http");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        String paths = pages.stream().map(Page::path).collect(Collectors.joining(" ", "", "\n"));
        serve("/", () -> new Content(NOT_FOUND, Content.PLAIN, paths));
        pages.forEach(page -> serve(page.path(), page.content()));
        server.start();
    }

    private void serve(String path, Supplier<Content> page) {
        server.createContext(path, exchange -> {
            try (exchange) {
                boolean exact =
                        path.equals("/") || exchange.getRequestURI().getPath().equals(path);
                answer(exchange, exact ? page.get() : new Content(NOT_FOUND, Content.PLAIN, "no such page\n"));
            } catch (RuntimeException bug) {
                LOG.error("page {} failed", path, bug);
                throw bug;
            }
        });
    }

    private static void answer(HttpExchange exchange, Content content) throws IOException {
        byte[] body = content.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", content.type());
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(content.code(), -1);
            return;
        }
        exchange.sendResponseHeaders(content.code(), body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    /** Where to listen; an empty host stands for all addresses of the machine. */
    public static InetSocketAddress at(String host, int port) {
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
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
