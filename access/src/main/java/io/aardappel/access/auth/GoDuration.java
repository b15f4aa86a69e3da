package io.aardappel.access.auth;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as Go writes them, such as {@code 1h30m} or {@code 1.5s}. */
final class GoDuration {
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private GoDuration() {}

    /** Empty when it is no duration of more than zero, or longer than Go can say. */
    static Optional<Duration> parse(String text) {
        Matcher part = PART.matcher(text);
        BigDecimal nanos = BigDecimal.ZERO;
        int at = 0;
        while (at < text.length() && part.find(at) && part.start() == at) {
            nanos = nanos.add(new BigDecimal(whole(part.group(1))).multiply(BigDecimal.valueOf(unit(part.group(2)))));
            at = part.end();
        }
        boolean fits = nanos.signum() > 0 && nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
        return at == text.length() && fits
                ? Optional.of(
                        Duration.ofNanos(nanos.setScale(0, RoundingMode.UP).longValueExact()))
                : Optional.empty();
    }

    private static String whole(String number) {
        return number.endsWith(".") ? number + "0" : number;
    }

    private static long unit(String name) {
        return NANOS.getOrDefault(name, 1L);
    }
}
