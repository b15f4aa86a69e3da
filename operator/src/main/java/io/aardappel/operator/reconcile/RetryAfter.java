package io.aardappel.operator.reconcile;

import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Has the client wait as long as a busy API server asks for. The client of this version reads {@code Retry-After}, writes it to
 * its log, and then tries again after its own interval all the same. Here the answer that asks for a wait is handed on that
 * much later, so that no thread waits, and the client's own interval begins after it. Thread-safe.
 */
public final class RetryAfter implements Interceptor {
    /** Under which a client knows it. */
    public static final String NAME = "aardappel-retry-after";

    /** Of a wait. It counts as part of the request, which the client gives up after 10 s. */
    static final Duration WAIT_MAX = Duration.ofSeconds(8);

    private static final int TOO_MANY_REQUESTS = 429;

    @Override
    public CompletableFuture<Boolean> afterFailure(
            HttpRequest.Builder request, HttpResponse<?> answer, RequestTags tags) {
        Duration wait = wait(answer);
        return wait.isZero()
                ? CompletableFuture.completedFuture(false) // on the client's own thread, as without this
                : CompletableFuture.supplyAsync(
                        () -> false, CompletableFuture.delayedExecutor(wait.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** None where it asks for none in seconds, as every API server does; a date would need its clock. */
    static Duration wait(HttpResponse<?> answer) {
        String asked = answer.header("Retry-After");
        boolean busy = answer.code() == TOO_MANY_REQUESTS || answer.code() >= HttpURLConnection.HTTP_INTERNAL_ERROR;
        if (!busy || asked == null || !asked.matches("[0-9]{1,9}")) {
            return Duration.ZERO;
        }
        Duration wanted = Duration.ofSeconds(Long.parseLong(asked));
        return wanted.compareTo(WAIT_MAX) < 0 ? wanted : WAIT_MAX;
    }
}
