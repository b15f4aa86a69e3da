package io.aardappel.replicator.ydb.target;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Pauses that double up to a bound, each spread over its second half. One thread only. */
final class Backoff {
    private final Duration max;
    private Duration next;

    Backoff(Duration min, Duration max) {
        this.max = max;
        this.next = min;
    }

    void pause() {
        long nanos = next.toNanos();
        LockSupport.parkNanos(this, nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(max) > 0 ? max : doubled;
    }
}
