package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.PartitionView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Knows how long the topics still keep what is not committed: from the times at which messages were written, which come with
 * them, and for partitions that were not read yet from what descriptions tell. All of them are times of the source's clock,
 * and so is the present they are compared with. What is left is told too short rather than too long, by up to a
 * {@link #STEPS}th of the retention period. Belongs to the engine's thread; for one term.
 */
final class HistoryWatch {
    /** A partition's write times are remembered at distances of the retention period divided by this. */
    static final int STEPS = 64;

    /** Write times remembered of a partition at most: twice what fits into a period. */
    private static final int MARKS_MAX = 2 * STEPS;

    private static final long NANOS_A_MILLI = 1_000_000;

    /**
     * What is left of a stream's history.
     *
     * @param period of the topic's retention, milliseconds
     * @param left of it for the oldest message that is not committed, milliseconds; negative when that is overdue
     * @param partition which keeps that message, -1 when everything is committed
     */
    record Left(long period, long left, long partition) {}

    private record Mark(long offset, long writtenAt) {}

    /** Of one partition. */
    private static final class Kept {
        final Deque<Mark> marks = new ArrayDeque<>();
        /** By the server's word, which may be an estimate. */
        @Nullable
        Mark told;

        long committed;

        /** When the first message that is not committed was written, or one before it; null while that is not known. */
        @Nullable
        Mark first() {
            Mark first = marks.poll();
            while (!marks.isEmpty() && marks.element().offset() <= committed) {
                first = marks.remove();
            }
            if (first != null) {
                marks.addFirst(first);
            }
            boolean read = first != null && first.offset() <= committed;
            return read || told == null ? first : told;
        }
    }

    private final Ticker ticker;
    private final Map<PartitionId, Kept> partitions = new HashMap<>();
    private final Map<Integer, Long> periods = new HashMap<>();
    private long sourceTime;
    private long sourceTimeAt;

    HistoryWatch(Ticker ticker) {
        this.ticker = ticker;
    }

    void described(SourceEvent.Described described) {
        sourceTime = described.sourceTime();
        sourceTimeAt = ticker.nanos();
        periods.put(described.stream(), described.retention().period());
        for (PartitionInfo info : described.partitions()) {
            Kept kept = kept(new PartitionId(described.stream(), info.id()));
            kept.committed = Math.max(kept.committed, info.committedOffset());
            Long since = described.retention().uncommittedSince().get(info.id());
            kept.told = since == null
                    ? null
                    : new Mark(info.committedOffset(), Math.max(since, described.topicCreatedAt()));
        }
    }

    void read(SourceEvent.Records records) {
        long period = periods.getOrDefault(records.partition().stream(), 0L);
        if (period == 0 || records.writtenAt() == 0 || records.offsets().length == 0) {
            return;
        }
        Deque<Mark> marks = kept(records.partition()).marks;
        Mark mark = new Mark(records.offsets()[0], records.writtenAt());
        Mark last = marks.peekLast();
        boolean news = last == null
                || (mark.offset() > last.offset() && mark.writtenAt() - last.writtenAt() >= period / STEPS);
        if (news && marks.size() < MARKS_MAX) {
            marks.add(mark);
        }
    }

    private Kept kept(PartitionId partition) {
        return partitions.computeIfAbsent(partition, any -> new Kept());
    }

    /**
     * How long until the topic may forget something that is not committed. Absent while no time is known, and when it
     * forgets nothing of the kind.
     *
     * @param views of the stream's partitions
     */
    Optional<Left> left(int stream, List<PartitionView> views) {
        long period = periods.getOrDefault(stream, 0L);
        if (period == 0) {
            return Optional.empty();
        }
        boolean unknown = false;
        Left least = null;
        for (PartitionView view : views) {
            Kept kept = kept(view.partition());
            kept.committed = Math.max(kept.committed, view.acknowledged());
            if (kept.committed >= Math.max(view.end(), view.next())) {
                continue;
            }
            Mark first = kept.first();
            unknown |= first == null;
            if (first != null) {
                long left = period - (sourceNow() - first.writtenAt());
                least = least == null || left < least.left()
                        ? new Left(period, left, view.partition().partition())
                        : least;
            }
        }
        return least == null && !unknown ? Optional.of(new Left(period, period, -1)) : Optional.ofNullable(least);
    }

    private long sourceNow() {
        return sourceTime + (ticker.nanos() - sourceTimeAt) / NANOS_A_MILLI;
    }
}
