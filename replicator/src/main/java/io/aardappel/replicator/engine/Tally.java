package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Counters;
import io.aardappel.replicator.engine.EngineStatus.Totals;
import java.util.Map;
import java.util.TreeMap;

/** Counts over all lock terms of the process. Not thread-safe. */
final class Tally {
    private final long[] changesByStream;
    private final Map<String, Long> retries = new TreeMap<>();
    private Counters earlierTerms = Counters.NONE;
    private long changes;
    private long rows;
    private long bytes;
    private long transactions;
    private long terms;

    Tally(int streams) {
        changesByStream = new long[streams];
    }

    void committed(Batch batch, int[] byStream) {
        transactions++;
        changes += batch.changes();
        rows += batch.rows();
        bytes += batch.bytes();
        for (int i = 0; i < byStream.length; i++) {
            changesByStream[i] += byStream[i];
        }
    }

    void retried(String cause) {
        retries.merge(cause, 1L, Long::sum);
    }

    void termBegan() {
        terms++;
    }

    void termEnded(Counters counters) {
        earlierTerms = sum(earlierTerms, counters);
    }

    long changes(int stream) {
        return changesByStream[stream];
    }

    Totals totals(Counters current) {
        Counters all = sum(earlierTerms, current);
        return new Totals(
                all.records(),
                changes,
                rows,
                bytes,
                transactions,
                Map.copyOf(retries),
                all.alreadyApplied(),
                all.duplicates(),
                all.ignoredBarriers(),
                all.late(),
                all.unfit(),
                all.filtered(),
                all.appliedByDecision(),
                all.skippedByDecision(),
                terms);
    }

    private static Counters sum(Counters one, Counters other) {
        return new Counters(
                one.records() + other.records(),
                one.alreadyApplied() + other.alreadyApplied(),
                one.duplicates() + other.duplicates(),
                one.ignoredBarriers() + other.ignoredBarriers(),
                one.late() + other.late(),
                one.unfit() + other.unfit(),
                one.filtered() + other.filtered(),
                one.appliedByDecision() + other.appliedByDecision(),
                one.skippedByDecision() + other.skippedByDecision());
    }
}
