package io.aardappel.emulator.grpc.topic;

import java.time.Duration;

/** Holds a stream to a number of bytes a second for a while. Not thread-safe. */
final class ReadThrottle {
    private long bytesPerSecond;
    private long untilNanos;
    private long nextNanos;
    private boolean active;

    /** Begins now and lasts for the duration. */
    void limit(long bytes, Duration howLong, long nowNanos) {
        active = true;
        bytesPerSecond = Math.max(1, bytes);
        untilNanos = nowNanos + howLong.toNanos();
        nextNanos = nowNanos;
    }

    /** How long nothing may be sent, 0 or less for not at all. */
    long waitNanos(long nowNanos) {
        if (!active) {
            return 0;
        }
        if (nowNanos - untilNanos >= 0) {
            active = false;
            return 0;
        }
        return Math.min(nextNanos, untilNanos) - nowNanos;
    }

    /** The most to send at once out of a budget. */
    long limit(long budget) {
        return active ? Math.min(budget, bytesPerSecond) : budget;
    }

    void sent(long bytes, long nowNanos) {
        if (active) {
            nextNanos = nowNanos + (long) (bytes * 1e9 / bytesPerSecond);
        }
    }
}
