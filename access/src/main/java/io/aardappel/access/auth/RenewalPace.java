package io.aardappel.access.auth;

import java.time.Duration;

/**
 * When tickets are asked for.
 *
 * @param firstWithin how long the first may take, retries included
 * @param requestWithin how long one request may take
 * @param pauseFirst pause after a request in vain, doubled with every further one
 * @param pauseMax longest such pause
 * @param reminder how often it is told that renewal still fails
 */
public record RenewalPace(
        Duration firstWithin, Duration requestWithin, Duration pauseFirst, Duration pauseMax, Duration reminder) {
    /** The Go program's time limits. */
    public static final RenewalPace STANDARD = new RenewalPace(
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            Duration.ofMillis(500),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1));

    Duration pauseAfter(int failures) {
        long nanos = pauseFirst.toNanos() << Math.min(failures - 1, 20);
        return Duration.ofNanos(Math.min(nanos, pauseMax.toNanos()));
    }
}
