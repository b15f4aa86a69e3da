package io.aardappel.operator.plan;

import java.time.Duration;

/** How far the destination is behind, as a person reads it: coarser the larger it is, so that it changes seldom. */
final class Lag {
    private Lag() {}

    /** Such as {@code 3s}, {@code 4m10s}, {@code 2h05m} or {@code 3d4h}; never negative. */
    static String of(Duration lag) {
        long seconds = Math.max(0, lag.toSeconds());
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + "m" + seconds % 60 / 10 * 10 + "s";
        }
        if (seconds < 86_400) {
            return "%dh%02dm".formatted(seconds / 3_600, seconds % 3_600 / 60);
        }
        return seconds / 86_400 + "d" + seconds % 86_400 / 3_600 + "h";
    }
}
