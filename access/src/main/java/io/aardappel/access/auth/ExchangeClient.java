package io.aardappel.access.auth;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;

/** Carries the requests of token exchanges. Follows no redirects, because what it sends is secret. Thread-safe. */
public final class ExchangeClient {
    /** Without it the JDK never gives a password to a proxy by which an https address is reached. */
    private static final String BASIC_IN_TUNNELS = "jdk.http.auth.tunneling.disabledSchemes";

    private final ProxyVariables proxies;
    private final HttpClient client;

    /**
     * @param environment of the process, which names the proxies
     * @param tls what is trusted
     */
    public ExchangeClient(Map<String, String> environment, SSLContext tls, Duration connectTimeout) {
        if (System.getProperty(BASIC_IN_TUNNELS) == null) {
            System.setProperty(BASIC_IN_TUNNELS, "");
        }
        this.proxies = new ProxyVariables(environment);
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(proxies)
                .sslContext(tls)
                .connectTimeout(connectTimeout)
                .build();
    }

    /** Sends a form; fails with an {@link java.io.IOException}. */
    CompletableFuture<HttpResponse<byte[]>> post(URI endpoint, String form) {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(form));
        proxies.authorization(endpoint).ifPresent(value -> request.header("Proxy-Authorization", value));
        return client.sendAsync(request.build(), info -> {
            BoundedBody body = new BoundedBody();
            return BodySubscribers.mapping(BodySubscribers.ofByteArrayConsumer(body), unused -> body.bytes());
        });
    }
}
