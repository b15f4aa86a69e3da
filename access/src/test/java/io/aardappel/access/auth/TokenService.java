package io.aardappel.access.auth;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.aardappel.emulator.grpc.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Answers what a test tells it, and remembers what it was asked. */
final class TokenService implements AutoCloseable {
    static final String GOOD = "{\"access_token\":\"good\",\"token_type\":\"bearer\",\"expires_in\":60}";

    private record Answer(int status, String body) {}

    private final String scheme;
    private final HttpServer server;
    private final Deque<Answer> answers = new ArrayDeque<>();
    private final List<String> forms = new ArrayList<>();
    private final List<String> uris = new ArrayList<>();
    private final List<String> proxyAuthorizations = new ArrayList<>();

    TokenService() throws IOException {
        this("http", HttpServer.create(anyPort(), 0));
    }

    private TokenService(String scheme, HttpServer server) {
        this.scheme = scheme;
        this.server = server;
        server.createContext("/", exchange -> {
            Answer answer;
            synchronized (this) {
                forms.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                uris.add(exchange.getRequestURI().toString());
                proxyAuthorizations.add(
                        String.valueOf(exchange.getRequestHeaders().getFirst("Proxy-Authorization")));
                answer = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
            }
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        answers.add(new Answer(200, GOOD));
    }

    /** One that speaks TLS, with this certificate. */
    static TokenService encrypted(ServerTls tls) throws IOException {
        HttpsServer server = HttpsServer.create(anyPort(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls.jdkContext()));
        return new TokenService("https", server);
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** The next answers; the last one is given again and again. */
    synchronized TokenService answers(int status, String body) {
        answers.clear();
        return then(status, body);
    }

    synchronized TokenService then(int status, String body) {
        answers.add(new Answer(status, body));
        return this;
    }

    String endpoint() {
        return scheme + "://127.0.0.1:" + port() + "/token";
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** The decoded parameters of the last request, in their order. */
    synchronized List<String> lastForm() {
        return List.of(forms.get(forms.size() - 1).split("&")).stream()
                .map(pair -> URLDecoder.decode(pair, StandardCharsets.UTF_8))
                .toList();
    }

    synchronized String lastUri() {
        return uris.get(uris.size() - 1);
    }

    synchronized String lastProxyAuthorization() {
        return proxyAuthorizations.get(proxyAuthorizations.size() - 1);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
