package io.aardappel.replicator.engine;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** When a request that failed is made again, and for how long it has failed. Not thread-safe. */
final class Retry {
    private static final int DOUBLINGS = 7;

    private final long longest;
    private final RandomGenerator random;
    private int failures;
    private long firstFailure;
    private long notBefore;
    private String why = "";

    Retry(Duration longest, RandomGenerator random) {
        this.longest = Math.max(1, longest.toNanos());
        this.random = random;
    }

    void failed(long now, String reason) {
        if (failures == 0) {
            firstFailure = now;
        }
        why = reason;
        long pause = Math.max(1, longest >> Math.max(0, DOUBLINGS - failures));
        failures++;
        notBefore = now + pause / 2 + random.nextLong(pause);
    }

    void succeeded() {
        failures = 0;
        why = "";
    }

    boolean failing() {
        return failures > 0;
    }

    boolean mayTry(long now) {
        return failures == 0 || now - notBefore >= 0;
    }

    long nanosToWait(long now) {
        return failures == 0 ? Long.MAX_VALUE : Math.max(0, notBefore - now);
    }

    /** How long it has failed without a success, 0 when it has not. */
    long failingFor(long now) {
        return failures == 0 ? 0 : now - firstFailure;
    }

    int failures() {
        return failures;
    }

    String why() {
        return why;
    }
}
