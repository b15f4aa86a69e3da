package io.aardappel.bench.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** What a program says of itself over HTTP. */
final class PagesOfProgram {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    private final URI address;
    private final HttpClient client = HttpClient.newHttpClient();

    PagesOfProgram(int port) {
        this.address = URI.create("http://127.0.0.1:" + port);
    }

    /** Absent while it is not served. */
    Optional<String> page(String path) {
        HttpRequest request = HttpRequest.newBuilder(address.resolve(path))
                .timeout(REQUEST_TIMEOUT)
                .build();
        try {
            return Optional.of(
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException notServed) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
