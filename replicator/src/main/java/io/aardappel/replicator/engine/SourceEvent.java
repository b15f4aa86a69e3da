package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.StreamRecord;
import java.util.List;
import java.util.Map;

/** What a {@link ChangeSource} tells the engine. */
public sealed interface SourceEvent extends Event {
    /**
     * A topic as it is now: answer to {@link ChangeSource#describe}.
     *
     * @param stream index of the configured stream
     * @param topicCreatedAt milliseconds since the epoch
     * @param sourceTime the source server's clock at the moment of the description, milliseconds since the epoch
     * @param partitions all of them, inactive ones too
     */
    record Described(
            int stream, long topicCreatedAt, long sourceTime, List<PartitionInfo> partitions, Retention retention)
            implements SourceEvent {
        /** Of a topic that is not known to forget anything. */
        public Described(int stream, long topicCreatedAt, long sourceTime, List<PartitionInfo> partitions) {
            this(stream, topicCreatedAt, sourceTime, partitions, Retention.NONE);
        }
    }

    /**
     * How long a topic keeps messages, and how old those are that it would forget first. Milliseconds; times by the source
     * server's clock, since the epoch.
     *
     * @param period after which a message may be forgotten; 0 when none is that the consumer has not committed
     * @param uncommittedSince by partition, when the first message was written that is not committed, where there is one and
     *     the server tells
     */
    record Retention(long period, Map<Long, Long> uncommittedSince) {
        static final Retention NONE = new Retention(0, Map.of());
    }

    /**
     * The server offers the partition for reading. Nothing of it is delivered until the engine answers with
     * {@link ChangeSource#confirm}. An earlier session of the same partition, if any, is over with this event.
     *
     * @param session rises with every session of this process, never used twice
     * @param committedOffset where the server would start
     * @param startOffset first offset still kept
     * @param endOffset next offset to be written
     */
    record SessionStarted(PartitionId partition, long session, long committedOffset, long startOffset, long endOffset)
            implements SourceEvent {}

    /** The session is over: nothing more comes of it and commits for it are void. The source opens the next by itself. */
    record SessionEnded(PartitionId partition, long session, String why) implements SourceEvent {}

    /**
     * Records of one partition in offset order, each offset at most once in a session.
     *
     * @param offsets of the records, rising
     * @param records as many as offsets
     * @param nextOffset where the next delivery of this session goes on; above the last offset
     * @param credit bytes of read credit these records hold until {@link ChangeSource#taken}
     * @param writtenAt when the first of them was written into the topic, by the source server's clock in milliseconds since
     *     the epoch; 0 when that is not told
     */
    record Records(
            PartitionId partition,
            long session,
            long[] offsets,
            List<StreamRecord> records,
            long nextOffset,
            long credit,
            long writtenAt)
            implements SourceEvent {
        /** Records of which it is not told when they were written. */
        public Records(
                PartitionId partition,
                long session,
                long[] offsets,
                List<StreamRecord> records,
                long nextOffset,
                long credit) {
            this(partition, session, offsets, records, nextOffset, credit, 0);
        }
    }

    /**
     * The partition's next record carries a column that its destination table lacks. It and what comes after it are held
     * back, for a bounded time, until the table has the column; that it is over shows in the {@link Records} that follow.
     *
     * @param what names offset, column and table
     */
    record SchemaAwaited(PartitionId partition, String what) implements SourceEvent {}

    /** Everything of this partition was delivered; it was split or merged into the children. */
    record PartitionEnded(PartitionId partition, long session, List<Long> children) implements SourceEvent {}

    /** The server acknowledged commits up to here (exclusive). Rises within a session. */
    record OffsetsAcknowledged(PartitionId partition, long session, long committedOffset) implements SourceEvent {}

    /**
     * Something does not work at the source.
     *
     * @param stream index of the stream, or -1 when it concerns all
     * @param what names the object and the server's answer
     * @param remedy what a person can do
     * @param fatal true when trying again is pointless (topic or consumer gone, access revoked); false when the source
     *     goes on trying by itself and this is a notice for status and metrics
     */
    record SourceFailed(int stream, String what, String remedy, boolean fatal) implements SourceEvent {}
}
