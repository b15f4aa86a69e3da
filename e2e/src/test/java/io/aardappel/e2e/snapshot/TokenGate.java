package io.aardappel.e2e.snapshot;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.aardappel.emulator.grpc.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Speaks TLS for a token service that does not, and remembers which headers it was sent. */
final class TokenGate implements AutoCloseable {
    private final HttpsServer server;
    private final URI service;
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Set<String>> headers = new CopyOnWriteArrayList<>();

    TokenGate(ServerTls tls, URI service) throws IOException {
        this.service = service;
        this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls.jdkContext()));
        server.createContext("/", this::handOn);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** The names of the headers of each request, in the spelling of {@link com.sun.net.httpserver.Headers}. */
    List<Set<String>> headers() {
        return List.copyOf(headers);
    }

    private void handOn(HttpExchange exchange) throws IOException {
        headers.add(Set.copyOf(exchange.getRequestHeaders().keySet()));
        HttpRequest request = HttpRequest.newBuilder(service)
                .header("Content-Type", exchange.getRequestHeaders().getFirst("Content-Type"))
                .POST(HttpRequest.BodyPublishers.ofByteArray(
                        exchange.getRequestBody().readAllBytes()))
                .build();
        try (exchange) {
            HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
