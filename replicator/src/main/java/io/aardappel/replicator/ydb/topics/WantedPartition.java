package io.aardappel.replicator.ydb.topics;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.engine.SourceEvent;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.topic.YdbTopic.OffsetsRange;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse.Batch;

/**
 * A partition that the engine wants read. What happens to it becomes events in the partition's own order, made on the
 * threads that decode. Everything else belongs to the loop's thread.
 */
final class WantedPartition {
    /** Keeps account of the credit that sessions hold. */
    interface Ledger {
        void begin(long session, StreamLink link, ReadStream stream);

        void hold(long session, long credit);

        void end(long session);

        /** May be called from any thread. */
        void release(long session, long credit);
    }

    final PartitionId id;
    private final SerialLane lane;
    private final PartitionDecoder decoder;
    private final Consumer<Event> inbox;
    private final Ledger ledger;
    private final ReaderCounters counters;

    @Nullable
    StreamLink link;

    boolean parked;

    WantedPartition(
            PartitionId id,
            SerialLane lane,
            PartitionDecoder decoder,
            Consumer<Event> inbox,
            Ledger ledger,
            ReaderCounters counters) {
        this.id = id;
        this.lane = lane;
        this.decoder = decoder;
        this.inbox = inbox;
        this.ledger = ledger;
        this.counters = counters;
    }

    void started(StreamLink from, ReadStream stream, long session, long committedOffset, OffsetsRange offsets) {
        ledger.begin(session, from, stream);
        tell(new SourceEvent.SessionStarted(id, session, committedOffset, offsets.getStart(), offsets.getEnd()));
    }

    void data(long session, List<Batch> batches, long fromOffset, long nextOffset, long credit) {
        counters.read(credit);
        ledger.hold(session, credit);
        lane.execute(() -> decode(session, batches, fromOffset, nextOffset, credit));
    }

    private void decode(long session, List<Batch> batches, long fromOffset, long nextOffset, long credit) {
        PartitionDecoder.Decoded decoded;
        try {
            decoded = decoder.decode(batches, fromOffset);
        } catch (RuntimeException | Error fault) {
            inbox.accept(new SourceEvent.SourceFailed(
                    id.stream(),
                    "partition " + id + " cannot be decoded from offset " + fromOffset + " on: " + fault,
                    "This is a fault of the replicator: report it with its log.",
                    true));
            throw fault; // for the thread's handler, which logs where it happened
        }
        counters.decoded(decoded.records().size());
        if (decoded.records().isEmpty()) {
            ledger.release(session, credit);
            return;
        }
        inbox.accept(new SourceEvent.Records(id, session, decoded.offsets(), decoded.records(), nextOffset, credit));
    }

    void acknowledged(long session, long committedOffset) {
        tell(new SourceEvent.OffsetsAcknowledged(id, session, committedOffset));
    }

    void split(long session, List<Long> children) {
        tell(new SourceEvent.PartitionEnded(id, session, List.copyOf(children)));
    }

    void ended(long session, String why) {
        ledger.end(session);
        tell(new SourceEvent.SessionEnded(id, session, why));
    }

    private void tell(SourceEvent event) {
        lane.execute(() -> inbox.accept(event));
    }
}
