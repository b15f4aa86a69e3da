package io.aardappel.replicator.app;

import io.aardappel.replicator.config.Problem;
import io.aardappel.replicator.config.Reading;
import io.aardappel.replicator.config.Tuning;
import java.util.List;

/** Holds the memory budget against the Java heap, so that a process ends at its start and not when a backlog comes. */
final class Heap {
    static Reading fit(Reading.Accepted accepted) {
        return fit(accepted, Runtime.getRuntime().maxMemory());
    }

    static Reading fit(Reading.Accepted accepted, long heapBytes) {
        long budget = accepted.config().tuning().get(Tuning.MEMORY);
        if (budget <= heapBytes / 2) {
            return accepted;
        }
        return new Reading.Refused(List.of(new Problem(
                "replicator." + Tuning.MEMORY.key(),
                0,
                0,
                Tuning.MEMORY.print().apply(budget),
                "is more than half of the Java heap of " + (heapBytes >> 20) + " MiB",
                "lower it, or give the process more memory or JAVA_OPTS=-Xmx")));
    }

    private Heap() {}
}
