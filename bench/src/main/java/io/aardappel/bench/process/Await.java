package io.aardappel.bench.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
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

    static void pause(Duration step) {
        LockSupport.parkNanos(step.toNanos());
    }
}
