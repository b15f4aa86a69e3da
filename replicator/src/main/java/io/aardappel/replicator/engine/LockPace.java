package io.aardappel.replicator.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * When to ask for the lock, and until when we may believe that we hold it. The horizon is counted from the moment the
 * request was sent, on the monotonic clock, so that it ends before the server's deadline whatever any wall clock says. All
 * times are the {@link Ticker}'s nanoseconds. Not thread-safe.
 */
final class LockPace {
    private static final long REMINDER_NANOS = 60_000_000_000L;

    private final long ttl;
    private final RandomGenerator random;
    private long horizon;
    private boolean held;
    private long due;
    private Optional<String> trouble = Optional.empty();
    private long troubleSince;
    private long troubleTold;

    LockPace(Duration ttl, RandomGenerator random, long now) {
        this.ttl = ttl.toNanos();
        this.random = random;
        this.due = now;
    }

    /** We held it at the moment the request was sent. */
    void held(long sentAt) {
        held = true;
        trouble = Optional.empty();
        horizon = sentAt + ttl;
        later(sentAt);
    }

    /** We do not hold it: another does, or we gave it up. */
    void lost(long now) {
        trouble = Optional.empty();
        expire(now);
    }

    /** We do not hold it any more, and who does is not known. */
    void expire(long now) {
        held = false;
        later(now);
    }

    /**
     * It could not be found out: ask again soon.
     *
     * @return whether somebody should hear of it: not of the same trouble more than once a minute
     */
    boolean unknown(long now, String why) {
        due = now + ttl / 40 + spread(ttl / 40);
        troubleSince = trouble.isPresent() ? troubleSince : now;
        boolean news = !trouble.equals(Optional.of(why)) || now - troubleTold >= REMINDER_NANOS;
        trouble = Optional.of(why);
        troubleTold = news ? now : troubleTold;
        return news;
    }

    /** Why the last answer was none; empty after one that was. */
    Optional<String> trouble() {
        return trouble;
    }

    /** Nanoseconds since answers fail to come, 0 while they come. */
    long troubledFor(long now) {
        return trouble.isPresent() ? now - troubleSince : 0;
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
