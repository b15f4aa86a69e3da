package io.aardappel.replicator.ydb.topics;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.engine.Event;
import io.aardappel.replicator.engine.SourceEvent;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.utils.ProtobufUtils;
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
    private final PatientLane lane;
    private final PartitionDecoder decoder;
    private final Consumer<Event> inbox;
    private final Ledger ledger;
    private final ReaderCounters counters;

    @Nullable
    StreamLink link;

    boolean parked;

    /** Sessions up to this one are over: nobody waits for what they delivered. */
    private volatile long lastEnded = -1;

    /**
     * Messages of this session were left to the next one, so none that came behind them may be delivered: a hole looks like
     * offsets that never held a record. Belongs to the lane.
     */
    private long brokenOff = -1;

    WantedPartition(
            PartitionId id,
            PatientLane lane,
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
        lane.execute(new Delivery(session, batches, fromOffset, nextOffset, credit));
    }

    /** Messages of one session. When a record has to wait, those before it are delivered, and the rest when it need not. */
    private final class Delivery implements PatientLane.Task {
        private final long session;
        private final List<Batch> batches;
        private final long nextOffset;
        private final long credit;
        private long fromOffset;
        private boolean waiting;

        Delivery(long session, List<Batch> batches, long fromOffset, long nextOffset, long credit) {
            this.session = session;
            this.batches = batches;
            this.fromOffset = fromOffset;
            this.nextOffset = nextOffset;
            this.credit = credit;
        }

        @Override
        public boolean run() {
            if (session <= brokenOff || (waiting && session <= lastEnded)) {
                brokenOff = session;
                ledger.release(session, credit);
                return true; // it is read again by the next session
            }
            PartitionDecoder.Decoded decoded = decode();
            counters.decoded(decoded.records().size());
            boolean done = decoded.need().isEmpty();
            deliver(decoded, done ? nextOffset : decoded.next(), done ? credit : 0);
            fromOffset = decoded.next();
            if (!done && !waiting) {
                waiting = true;
                inbox.accept(new SourceEvent.SchemaAwaited(id, decoded.need().orElseThrow()));
            }
            return done;
        }

        private void deliver(PartitionDecoder.Decoded decoded, long next, long freed) {
            if (!decoded.records().isEmpty()) {
                inbox.accept(new SourceEvent.Records(
                        id,
                        session,
                        decoded.offsets(),
                        decoded.records(),
                        next,
                        freed,
                        writtenAt(batches, fromOffset)));
            } else if (freed > 0) {
                ledger.release(session, freed);
            }
        }

        private PartitionDecoder.Decoded decode() {
            try {
                return decoder.decode(batches, fromOffset);
            } catch (RuntimeException | Error fault) {
                inbox.accept(new SourceEvent.SourceFailed(
                        id.stream(),
                        "partition " + id + " cannot be decoded from offset " + fromOffset + " on: " + fault,
                        "This is a fault of the replicator: report it with its log",
                        true));
                throw fault; // for the thread's handler, which logs where it happened
            }
        }
    }

    /** When the first message at or above the offset was written, in milliseconds since the epoch. */
    private static long writtenAt(List<Batch> batches, long fromOffset) {
        for (Batch batch : batches) {
            int messages = batch.getMessageDataCount();
            if (messages > 0 && batch.getMessageData(messages - 1).getOffset() >= fromOffset) {
                return ProtobufUtils.protoToInstant(batch.getWrittenAt()).toEpochMilli();
            }
        }
        return 0;
    }

    void acknowledged(long session, long committedOffset) {
        tell(new SourceEvent.OffsetsAcknowledged(id, session, committedOffset));
    }

    void split(long session, List<Long> children) {
        SourceEvent event = new SourceEvent.PartitionEnded(id, session, List.copyOf(children));
        lane.execute(() -> {
            if (session > brokenOff) { // else it was not read to its end
                inbox.accept(event);
            }
            return true;
        });
    }

    void ended(long session, String why) {
        lastEnded = session;
        ledger.end(session);
        tell(new SourceEvent.SessionEnded(id, session, why));
    }

    private void tell(SourceEvent event) {
        lane.execute(() -> {
            inbox.accept(event);
            return true;
        });
    }
}
