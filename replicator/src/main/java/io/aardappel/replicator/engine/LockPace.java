package io.aardappel.replicator.engine;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When to ask for the lock, and until when we may believe that we hold it. The horizon is counted from the moment the
 * request was sent, on the monotonic clock, so that it ends before the server's deadline whatever any wall clock says. All
 * times are the {@link Ticker}'s nanoseconds. Not thread-safe.
 */
final class LockPace {
    private final long ttl;
    private final RandomGenerator random;
    private long horizon;
    private boolean held;
    private long due;

    LockPace(Duration ttl, RandomGenerator random, long now) {
        this.ttl = ttl.toNanos();
        this.random = random;
        this.due = now;
    }

    /** We held it at the moment the request was sent. */
    void held(long sentAt) {
        held = true;
        horizon = sentAt + ttl;
        later(sentAt);
    }

    /** We do not hold it (any more). */
    void lost(long now) {
        held = false;
        later(now);
    }

    /** It could not be found out: ask again soon. */
    void unknown(long now) {
        due = now + ttl / 40 + spread(ttl / 40);
    }

    /** Ask at the next opportunity. */
    void hurry(long now) {
        due = now;
    }

    private void later(long from) {
        due = from + ttl / 10 + spread(ttl / 10);
    }

    private long spread(long width) {
        return width <= 0 ? 0 : random.nextLong(width);
    }

    boolean isHeld() {
        return held;
    }

    /** Whether the horizon has passed: another may hold it by now. */
    boolean expired(long now) {
        return held && now - horizon >= 0;
    }

    boolean due(long now) {
        return now - due >= 0;
    }

    /** Nanoseconds until something is due, at least 0. */
    long nanosToWait(long now) {
        long untilDue = due - now;
        return Math.max(0, held ? Math.min(untilDue, horizon - now) : untilDue);
    }

    /** Nanoseconds until the horizon. */
    long left(long now) {
        return held ? horizon - now : 0;
    }
}
