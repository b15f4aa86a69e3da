package io.aardappel.operator.app;

import io.aardappel.operator.act.Fence;
import io.aardappel.operator.act.LeaseLostException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows until when nobody else may have the lease: it sees the writes of the lease that the API server takes, and counts
 * from when each was sent. The client's own election finds out only between two tries, each of which may take long, that
 * its time is over. What is lost stays lost. Thread-safe.
 */
final class LeaseWatch implements Interceptor, Fence, AutoCloseable {
    private static final String GROUP = "/apis/coordination.k8s.io/";
    private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH");
    private static final int SUCCESS = 2;
    /** Writes of the lease whose answers are awaited; of those that never get one the eldest are forgotten. */
    private static final int UNDER_WAY_MAX = 64;

    /** In so many parts of the deadline it is looked whether that is over. */
    private static final int LOOKS = 20;

    private final String lease;
    private final Duration renewDeadline;
    private final LongSupplier nanos;
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "lease-watch");
        made.setDaemon(true);
        return made;
    });
    private final Map<UUID, Long> sent = Collections.synchronizedMap(new LinkedHashMap<UUID, Long>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Long> eldest) {
            return size() > UNDER_WAY_MAX;
        }
    });
    private volatile @Nullable ScheduledFuture<?> turns;
    /** Guarded by this. */
    private State state = new State(false, 0, false);

    private record State(boolean held, long renewed, boolean lost) {}

    /**
     * Watches one lease.
     *
     * @param lease its name
     * @param renewDeadline how long it may be counted on after a renewal was sent
     * @param nanos a clock that never goes back
     */
    LeaseWatch(String lease, Duration renewDeadline, LongSupplier nanos) {
        this.lease = lease;
        this.renewDeadline = renewDeadline;
        this.nanos = nanos;
    }

    /** Calls, once, from a thread of its own, when the lease was held and its time is over. */
    void whenLost(Runnable told) {
        long period = Math.max(1, renewDeadline.toMillis() / LOOKS);
        turns = looks.scheduleWithFixedDelay(
                () -> {
                    if (isLost()) {
                        looks.shutdown();
                        told.run();
                    }
                },
                period,
                period,
                TimeUnit.MILLISECONDS);
    }

    /** The election says that it is over. */
    synchronized void lose() {
        state = new State(state.held(), state.renewed(), true);
    }

    @Override
    public synchronized void check() {
        if (!state.held() || isLost()) {
            throw new LeaseLostException("the lease " + lease + " was not renewed within " + renewDeadline.toMillis()
                    + " ms: another operator may act, so this one writes nothing any more");
        }
    }

    private synchronized boolean isLost() {
        if (state.held() && nanos.getAsLong() - state.renewed() > renewDeadline.toNanos()) {
            lose();
        }
        return state.lost();
    }

    private synchronized void renewed(long at) {
        state = new State(true, state.held() ? Math.max(at, state.renewed()) : at, isLost());
    }

    @Override
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
            AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
        if (isWrite(request.method(), request.uri().getPath())) {
            sent(request.id());
        }
        return consumer;
    }

    /** Of several tries of a request the first counts: it may be the one that was taken. */
    void sent(UUID request) {
        sent.putIfAbsent(request, nanos.getAsLong());
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        answered(request.id(), response.code());
    }

    /** Of requests that are no writes of the lease nothing is known. */
    void answered(UUID request, int code) {
        Long at = sent.get(request);
        if (at != null && code / 100 == SUCCESS) {
            sent.remove(request);
            renewed(at);
        }
    }

    boolean isWrite(String method, String path) {
        return WRITES.contains(method)
                && path.contains(GROUP)
                && (path.endsWith("/leases") || path.endsWith("/leases/" + lease));
    }

    /** What sees every request after this one does. */
    Interceptor before(Interceptor next) {
        LeaseWatch first = this;
        return new Interceptor() {
            @Override
            public AsyncBody.Consumer<List<ByteBuffer>> consumer(
                    AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
                return next.consumer(first.consumer(consumer, request), request);
            }

            @Override
            public void after(
                    HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
                first.after(request, response, consumer);
                next.after(request, response, consumer);
            }

            @Override
            public void afterConnectionFailure(HttpRequest request, Throwable failure) {
                next.afterConnectionFailure(request, failure);
            }
        };
    }

    @Override
    public void close() {
        ScheduledFuture<?> begun = turns;
        if (begun != null) {
            begun.cancel(false);
        }
        looks.shutdownNow();
    }
}
