package io.aardappel.replicator.config;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers with their units, as the file writes them: {@code 5000}, {@code 64MiB}, {@code 500ms}. */
final class Quantities {
    private static final Pattern COUNT = Pattern.compile("\\d{1,9}");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(B|KiB|MiB|GiB)?");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
    private static final Map<String, Long> BYTES = Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final Map<String, Long> MILLIS = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);

    static Optional<Integer> parseCount(String text) {
        return COUNT.matcher(text).matches() ? Optional.of(Integer.valueOf(text)) : Optional.empty();
    }

    /** Bytes; a number without a unit counts bytes. */
    static Optional<Long> parseSize(String text) {
        Matcher match = SIZE.matcher(text);
        if (!match.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(match.group(1));
        long unit = match.group(2) == null ? 1 : BYTES.getOrDefault(match.group(2), 1L);
        return number > Long.MAX_VALUE / unit ? Optional.empty() : Optional.of(number * unit);
    }

    /** A whole number with its unit, which is never left out. */
    static Optional<Duration> parseDuration(String text) {
        Matcher match = DURATION.matcher(text);
        if (!match.matches()) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofMillis(Long.parseLong(match.group(1)) * MILLIS.getOrDefault(match.group(2), 1L)));
    }

    static String printSize(long bytes) {
        for (String unit : new String[] {"GiB", "MiB", "KiB"}) {
            long size = BYTES.getOrDefault(unit, 1L);
            if (bytes >= size && bytes % size == 0) {
                return bytes / size + unit;
            }
        }
        return Long.toString(bytes);
    }

    static String printDuration(Duration duration) {
        long millis = duration.toMillis();
        for (String unit : new String[] {"h", "m", "s"}) {
            long size = MILLIS.getOrDefault(unit, 1L);
            if (millis >= size && millis % size == 0) {
                return millis / size + unit;
            }
        }
        return millis + "ms";
    }

    private Quantities() {}
}
