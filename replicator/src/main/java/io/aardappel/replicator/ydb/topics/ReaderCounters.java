package io.aardappel.replicator.ydb.topics;

import java.util.concurrent.atomic.LongAdder;

/** What the reader has counted since its start. Thread-safe. */
public final class ReaderCounters {
    /**
     * The counts at one moment.
     *
     * @param bytes of read responses, as the server counts credit
     * @param messages decoded
     * @param lost streams that broke and were opened again
     * @param refusals of these, those that the server refused for a lasting reason
     */
    public record Counts(long bytes, long messages, long lost, long refusals) {}

    private final LongAdder bytes = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder refusals = new LongAdder();

    void read(long count) {
        bytes.add(count);
    }

    void decoded(int count) {
        messages.add(count);
    }

    void lost(boolean refused) {
        lost.increment();
        if (refused) {
            refusals.increment();
        }
    }

    public Counts counts() {
        return new Counts(bytes.sum(), messages.sum(), lost.sum(), refusals.sum());
    }
}
