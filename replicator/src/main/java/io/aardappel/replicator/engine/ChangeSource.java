package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.StreamSpec;
import java.util.List;
import java.util.function.Consumer;

/**
 * Topics in. Commands come from the engine's thread only, return at once and never throw for a broken connection; what
 * happens is told as {@link SourceEvent}s given to the inbox from any thread, those of one partition in order. Connection
 * trouble is retried here, with a bounded back-off, and reported by {@link SourceEvent.SourceFailed}.
 *
 * <p>Bytes delivered and not yet {@link #taken} are bounded by the read credit of the implementation.
 */
public interface ChangeSource extends AutoCloseable {
    /**
     * Begins for one lock term. Nothing is read until partitions are opened. Called again after {@link #stop} for the next
     * term.
     *
     * @param streams the configured streams; an index in events and partition ids is one into this list
     * @param inbox thread-safe, never blocks, never throws
     */
    void start(List<StreamSpec> streams, Consumer<Event> inbox);

    /** Asks for the topic's partitions; answered by {@link SourceEvent.Described} or {@link SourceEvent.SourceFailed}. */
    void describe(int stream);

    /**
     * Wants the partition read: opens a read session that names it (grouped with others as the implementation likes), now
     * and after every loss, until {@link #release} or {@link #stop}. Answered by {@link SourceEvent.SessionStarted}.
     * Wanting it twice changes nothing.
     */
    void open(PartitionId partition);

    /** No longer wants the partition (it ended and its offsets are acknowledged). Its session may end. */
    void release(PartitionId partition);

    /**
     * Answers {@link SourceEvent.SessionStarted}: delivery begins at the offset. Ignored when the session is over.
     *
     * @param readOffset at or above the session's committed offset; lower offsets must not be delivered
     */
    void confirm(PartitionId partition, long session, long readOffset);

    /**
     * Ends the partition's session if there is one and opens a new one, because the engine must read again from a lower
     * offset than the session has reached. A parked partition stays parked.
     */
    void reopen(PartitionId partition);

    /** The engine took these out of the inbox: their read credit may be given back. */
    void taken(SourceEvent.Records records);

    /**
     * Stops fetching the partition; what is already on its way is still delivered, at most the read credit of its stream.
     * Other partitions go on. The session may be kept or ended (then {@link SourceEvent.SessionEnded} is told and the next
     * begins after {@link #resume}).
     */
    void park(PartitionId partition);

    /** Fetches a parked partition again, without a gap. */
    void resume(PartitionId partition);

    /**
     * Commits {@code [from, to)} for the consumer, void when the session is over. The engine asks for each offset once in a
     * session, ranges adjoining and rising from the session's committed offset. Answered by
     * {@link SourceEvent.OffsetsAcknowledged}, several commits possibly by one.
     */
    void commit(PartitionId partition, long session, long from, long to);

    /** Ends all sessions of this term. Events of it that still arrive are recognised by their session and ignored. */
    void stop();

    /** Ends for good and frees everything. */
    @Override
    void close();
}
