package io.aardappel.bench.emulator;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Figures as files keep them. */
record Results(String name, List<Figure> figures) {
    String json() {
        String body = figures.stream().map(Results::json).collect(Collectors.joining(",\n    "));
        return "{\n  \"name\": \"%s\",\n  \"java\": \"%s\",\n  \"processors\": %d,\n  \"figures\": [\n    %s\n  ]\n}\n"
                .formatted(
                        name,
                        System.getProperty("java.version"),
                        Runtime.getRuntime().availableProcessors(),
                        body);
    }

    private static String json(Figure figure) {
        return String.format(
                Locale.ROOT,
                "{\"name\": \"%s\", \"perSecond\": %d, \"aim\": %d, \"cpuMicrosEach\": %.3f, \"runs\": %s}",
                figure.name(),
                figure.median(),
                figure.aim(),
                figure.medianCpuMicros(),
                figure.runs().stream().map(Figure.Run::perSecond).toList());
    }

    String markdown() {
        StringBuilder table = new StringBuilder("# Emulator\n\n")
                .append("Median of five runs; emulator and client are two processes on the same ")
                .append(Runtime.getRuntime().availableProcessors())
                .append(" processors, Java ")
                .append(System.getProperty("java.version"))
                .append(". Written by `make bench-emulator`.\n\n")
                .append("| what | per second | aim | CPU each, both processes |\n|---|---|---|---|\n");
        for (Figure figure : figures) {
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %,d | %.2f µs |%n",
                    figure.name(),
                    figure.median(),
                    figure.aim(),
                    figure.medianCpuMicros()));
        }
        return table.toString();
    }
}
