package io.aardappel.emulator.tokens;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands the requests of {@code POST /token} to a {@link TokenDesk}. */
public final class TokenServer implements AutoCloseable {
    /** Where tokens are asked for. */
    public static final String PATH = "/token";

    private static final Logger LOG = LoggerFactory.getLogger(TokenServer.class);
    private static final int BODY_BYTES_MAX = 1 << 20;

    private final TokenDesk desk;
    private final HttpServer server;
    private final ScheduledExecutorService threads;

    private TokenServer(InetSocketAddress listen, TokenDesk desk) throws IOException {
        this.desk = desk;
        this.server = HttpServer.create(listen, 0);
        this.threads = Executors.newScheduledThreadPool(2, task -> {
            Thread made = new Thread(task, "emulator-tokens");
            made.setDaemon(true);
            return made;
        });
        server.setExecutor(threads);
        server.createContext(PATH, this::handle);
        server.start();
    }

    /** Starts to listen; port 0 picks a free one. */
    public static TokenServer start(InetSocketAddress listen, TokenDesk desk) {
        try {
            return new TokenServer(listen, desk);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot listen on " + listen + " for requests of tokens", failure);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** What decides the answers. */
    public TokenDesk desk() {
        return desk;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String type = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"));
        byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX);
        if (!exchange.getRequestMethod().equals("POST") || !type.startsWith("application/x-www-form-urlencoded")) {
            exchange.sendResponseHeaders(405, -1);
            exchange.close();
            return;
        }
        TokenDesk.Answer answer = desk.answer(form(new String(body, StandardCharsets.UTF_8)));
        ScheduledFuture<?> unused =
                threads.schedule(() -> send(exchange, answer), answer.after().toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void send(HttpExchange exchange, TokenDesk.Answer answer) {
        byte[] bytes = answer.body().toString().getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException gone) {
            LOG.debug("whoever asked for a token did not wait for the answer", gone);
        }
    }

    private static Map<String, List<String>> form(String body) {
        Map<String, List<String>> form = new LinkedHashMap<>();
        for (String pair : body.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                form.computeIfAbsent(decoded(pair.substring(0, equals)), name -> new ArrayList<>())
                        .add(decoded(pair.substring(equals + 1)));
            }
        }
        return form;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
