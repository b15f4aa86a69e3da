package io.aardappel.replicator.ydb.topics;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Pauses that double with every failure in a row up to a limit, each spread over its upper half. Not thread-safe. */
final class Backoff {
    private final Duration first;
    private final Duration max;
    private final RandomGenerator random;
    private int failures;

    Backoff(Duration first, Duration max, RandomGenerator random) {
        this.first = first;
        this.max = max;
        this.random = random;
    }

    /** The pause after one more failure. */
    Duration next() {
        int doublings = Math.min(failures++, 20);
        long nanos = Math.min(first.toNanos() << doublings, max.toNanos());
        return Duration.ofNanos(nanos / 2 + random.nextLong(nanos / 2 + 1));
    }

    void reset() {
        failures = 0;
    }

    int failures() {
        return failures;
    }
}
