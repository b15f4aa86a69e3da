package io.aardappel.bench.process;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits of a benchmark. */
public final class Await {
    private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);
    /** Rarely, as what is asked answers with processor time that is measured. */
    private static final Duration STEP = Duration.ofMillis(500);

    private Await() {}

    /**
     * Waits until it is so.
     *
     * @throws IllegalStateException when it is not within five minutes
     */
    public static void until(String what, BooleanSupplier isSo) {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!isSo.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("not within five minutes: " + what);
            }
            pause(STEP);
        }
    }

    /**
     * Waits until a stream has ended.
     *
     * @throws IllegalStateException when it fails, or has not ended within five minutes
     */
    public static void end(CompletableFuture<Void> stream) {
        try {
            stream.get(LIMIT_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("a stream failed, or did not end within five minutes", e);
        }
    }

    private static void pause(Duration step) {
        LockSupport.parkNanos(step.toNanos());
    }
}
