package io.aardappel.operator.metrics;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Measures what the Kubernetes client asks of the API server. Thread-safe. */
final class ApiRequests implements Interceptor {
    /** Requests whose beginning is remembered; of those that never get an answer the eldest are forgotten. */
    private static final int UNDER_WAY_MAX = 1_024;

    private final Instruments instruments;
    private final Map<UUID, Long> began = Collections.synchronizedMap(new LinkedHashMap<UUID, Long>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Long> eldest) {
            return size() > UNDER_WAY_MAX;
        }
    });

    ApiRequests(Instruments instruments) {
        this.instruments = instruments;
    }

    /** Called when a request is sent that is not a watch over a web socket. */
    @Override
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
            AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
        began.put(request.id(), System.nanoTime());
        return consumer;
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        Long since = began.remove(request.id());
        if (since != null) {
            instruments.apiDuration().labelValues(request.method()).observe((System.nanoTime() - since) / 1e9);
        }
        instruments
                .apiRequests()
                .labelValues(request.method(), Integer.toString(response.code()))
                .inc();
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        instruments.apiRequests().labelValues(request.method(), "none").inc();
    }
}
