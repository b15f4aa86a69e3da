package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.model.topic.CommitRanges;
import io.aardappel.emulator.model.topic.Topic;
import org.jspecify.annotations.Nullable;

/** One partition in the hands of one read stream. Belongs to the read loop's thread. */
final class PartitionSession {
    /** How far it is between being offered and being gone. */
    enum Phase {
        /** Offered; nothing may be sent before the client confirms. */
        STARTING,
        READING,
        /** Asked to be given back; no more data, commits still count. */
        STOPPING,
        CLOSED
    }

    final long id;
    final ReadStream stream;
    final TopicSelection selection;
    final int partition;
    /** Null for a reader without consumer. */
    final @Nullable ConsumerGroup group;

    final CommitRanges ranges;
    Phase phase = Phase.STARTING;
    /** Offset of the next message to send. */
    long position;
    /** All of a partition that takes no more messages was sent. */
    boolean readToEnd;
    /** Waits in its stream's queue of sessions that may have data. */
    boolean queued;
    /** A slow partition sends nothing before this time on the loop's clock. */
    long notBeforeNanos = Long.MIN_VALUE;
    /** The reader that waits for this partition to come free. */
    @Nullable
    ReadStream successor;

    PartitionSession(
            long id,
            ReadStream stream,
            TopicSelection selection,
            int partition,
            @Nullable ConsumerGroup group,
            CommitRanges ranges) {
        this.id = id;
        this.stream = stream;
        this.selection = selection;
        this.partition = partition;
        this.group = group;
        this.ranges = ranges;
        this.position = ranges.committed();
    }

    Topic topic() {
        return selection.topic();
    }

    ReaderInfo info() {
        return new ReaderInfo(stream.sessionId(), stream.readerName(), position);
    }

    boolean isStopping() {
        return phase == Phase.STOPPING;
    }
}
