package io.aardappel.replicator.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gathers what is wrong, so that the operator sees all of it at once. Not thread-safe. */
final class Problems {
    private final List<Problem> found = new ArrayList<>();

    void add(String path, Place place, @Nullable String value, String fault, String remedy) {
        found.add(new Problem(path, place.line(), place.column(), value, fault, remedy));
    }

    /** In the order of the file, what is missing from it last. */
    List<Problem> list() {
        return found.stream()
                .sorted(Comparator.comparingInt((Problem problem) -> problem.line() == 0 ? 1 : 0)
                        .thenComparingInt(Problem::line)
                        .thenComparingInt(Problem::column))
                .toList();
    }
}
