package io.aardappel.emulator.model.topic;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What one transaction does to topics: messages that appear at its commit, and offsets that move with it. Thread-safe: streams
 * add to it while the transaction runs.
 */
public final class TransactionTopics implements Transaction.Participant {
    private record Place(Topic topic, String consumer, int partition) {}

    private record Moved(long start, long end) {}

    private record Write(Topic topic, int partition, List<TopicMessage> messages) {}

    private final LongSupplier wallMillis;
    private final List<Write> writes = new ArrayList<>();
    private final Map<Place, Moved> offsets = new LinkedHashMap<>();

    /** @param wallMillis the clock for the write time of messages */
    public TransactionTopics(LongSupplier wallMillis) {
        this.wallMillis = wallMillis;
    }

    /** Messages of one client, to be written in order at the commit. */
    public synchronized void write(Topic topic, int partition, List<TopicMessage> messages) {
        writes.add(new Write(topic, partition, messages));
    }

    /** Moves a consumer's offset from the start of the range to its end; ranges of one partition must follow each other. */
    public synchronized void commit(Topic topic, String consumer, int partition, long start, long end) {
        if (start >= end || start < 0) {
            throw new YdbException(
                    Status.BAD_REQUEST,
                    "offsets range [%d, %d) of partition %d of %s is empty"
                            .formatted(start, end, partition, topic.path()));
        }
        Place place = new Place(topic, consumer, partition);
        Moved before = offsets.get(place);
        if (before != null && before.end() != start) {
            throw new YdbException(
                    Status.BAD_REQUEST,
                    "offsets range [%d, %d) of partition %d of %s does not follow the one before, which ends at %d"
                            .formatted(start, end, partition, topic.path(), before.end()));
        }
        offsets.put(place, before == null ? new Moved(start, end) : new Moved(before.start(), end));
    }

    @Override
    public synchronized void check() {
        for (Write write : writes) {
            if (write.topic().isDropped()
                    || !write.topic().partition(write.partition()).active()) {
                throw aborted("partition %d of %s takes no more messages"
                        .formatted(write.partition(), write.topic().path()));
            }
        }
        offsets.forEach(TransactionTopics::check);
    }

    private static void check(Place place, Moved moved) {
        long committed = place.topic().committed(place.consumer(), place.partition());
        if (committed != moved.start()) {
            throw aborted("consumer '%s' committed %d in partition %d of %s, the transaction wants to commit [%d, %d)"
                    .formatted(
                            place.consumer(),
                            committed,
                            place.partition(),
                            place.topic().path(),
                            moved.start(),
                            moved.end()));
        }
        if (moved.end() > place.topic().partition(place.partition()).end()) {
            throw aborted("partition %d of %s has no messages up to offset %d"
                    .formatted(place.partition(), place.topic().path(), moved.end()));
        }
    }

    private static YdbException aborted(String message) {
        return new YdbException(Status.ABORTED, Issue.of(Issue.OPERATION_ABORTED, message));
    }

    @Override
    public synchronized void apply(VirtualTimestamp commit) {
        long now = wallMillis.getAsLong();
        for (Write write : writes) {
            List<TopicMessage> stamped = write.messages().stream()
                    .map(message -> message.writtenAt(now))
                    .toList();
            write.topic().writeCommitted(write.partition(), stamped);
        }
        offsets.forEach(
                (place, moved) -> place.topic().commitOutside(place.consumer(), place.partition(), moved.end()));
    }

    @Override
    public synchronized void discard() {
        writes.clear();
        offsets.clear();
    }
}
