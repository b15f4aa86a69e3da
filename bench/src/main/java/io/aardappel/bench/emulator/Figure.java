package io.aardappel.bench.emulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What several runs of one measurement gave.
 *
 * @param name what was counted, such as {@code topic records read}
 * @param aim per second, what the project wants at least
 * @param runs in the order they ran
 */
record Figure(String name, long aim, List<Run> runs) {
    /**
     * One run.
     *
     * @param cpuMicrosEach processor time of both processes for one of what was counted
     */
    record Run(long perSecond, double cpuMicrosEach) {}

    Figure {
        runs = List.copyOf(runs);
    }

    long median() {
        List<Long> sorted =
                new ArrayList<>(runs.stream().map(Run::perSecond).sorted().toList());
        return sorted.get(sorted.size() / 2);
    }

    double medianCpuMicros() {
        List<Double> sorted =
                new ArrayList<>(runs.stream().map(Run::cpuMicrosEach).sorted().toList());
        return sorted.get(sorted.size() / 2);
    }

    boolean reached() {
        return median() >= aim;
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%-32s median %,9d /s   aim %,9d /s   %-7s  %.2f us CPU each, both processes   runs %s",
                name,
                median(),
                aim,
                reached() ? "reached" : "missed",
                medianCpuMicros(),
                runs.stream().map(Run::perSecond).toList());
    }
}
