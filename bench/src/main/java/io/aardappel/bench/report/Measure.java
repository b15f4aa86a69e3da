package io.aardappel.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One figure, measured several times.
 *
 * @param what was measured
 * @param unit of the values
 * @param runs in the order they ran, at least one
 * @param bound null where nothing is wanted of it
 */
public record Measure(
        String what,
        String unit,
        List<Double> runs,
        @Nullable Bound bound) {
    public Measure {
        runs = List.copyOf(runs);
    }

    /** A figure that only informs. */
    public static Measure of(String what, String unit, List<Double> runs) {
        return new Measure(what, unit, runs, null);
    }

    public double median() {
        List<Double> sorted = runs.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    boolean reached() {
        return bound == null || bound.isMetBy(median());
    }

    String verdict() {
        return bound == null ? "" : bound.verdict(median());
    }

    String wanted() {
        return bound == null ? "" : bound.words();
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("what", what);
        json.put("unit", unit);
        json.put("median", rounded(median()));
        json.put("runs", runs.stream().map(Measure::rounded).toList());
        if (bound != null) {
            json.put("required", rounded(bound.required()));
            json.put("aim", rounded(bound.aim()));
            json.put("verdict", verdict());
        }
        return json;
    }

    private static double rounded(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }

    /** Three digits behind the point for ratios, none for what is large. */
    static String number(double value) {
        double size = Math.abs(value);
        String pattern = size >= 1_000 ? "%,.0f" : size >= 10 ? "%.1f" : "%.3f";
        return String.format(Locale.ROOT, pattern, value);
    }
}
