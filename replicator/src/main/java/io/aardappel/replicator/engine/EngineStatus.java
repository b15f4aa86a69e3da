package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamState;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The engine at one moment, for probes, status pages and metrics. Immutable; read from any thread. Times are milliseconds
 * since the epoch by the {@link Ticker}'s wall clock.
 *
 * @param at when this was published
 * @param stage of the destination, absent before the first load
 * @param checkpoint last durable one, absent before the first load
 * @param scanPhase how far an initial scan is
 * @param scanMaximum M of an initial scan; the scan ends with the first cut above it
 * @param lock what we know of the lock
 * @param aligned false after others moved the checkpoint, until a cut above theirs (and false in a scan)
 * @param bufferedBytes of changes read and not yet committed
 * @param bufferedChanges number of them
 * @param memoryBytes the budget
 * @param quorum the position below which everything is complete, absent while a partition has had no barrier
 * @param blocking what progress waits for, absent while it is made
 * @param lastProgressAt when a transaction was last committed (or the term began)
 * @param problem why the engine ended or is about to, absent otherwise
 * @param lastKnown what this process knew last, while it holds no lock and so does not know the checkpoint; absent before it
 *     ever knew one
 */
public record EngineStatus(
        long at,
        Mode mode,
        Optional<Stage> stage,
        Optional<Position> checkpoint,
        ScanPhase scanPhase,
        Position scanMaximum,
        Lock lock,
        boolean aligned,
        long bufferedBytes,
        long bufferedChanges,
        long memoryBytes,
        Optional<Position> quorum,
        Optional<Blocking> blocking,
        long lastProgressAt,
        List<StreamStatus> streams,
        Totals totals,
        Optional<Problem> problem,
        Optional<LastKnown> lastKnown) {

    /**
     * A checkpoint that may have been passed by another process since.
     *
     * @param at until when this process knew that it was the last
     */
    public record LastKnown(Position checkpoint, long at) {}

    /** What the engine is doing. */
    public enum Mode {
        /** Has not asked for the lock yet. */
        STARTING,
        /** Another holds the lock. */
        STANDBY,
        /** Holds the lock and reads state and topics. */
        LOADING,
        /** Holds the lock and replicates. */
        ACTIVE,
        /** Ends at a transaction's border, because it was asked to or because of a problem. */
        STOPPING,
        /** Has ended; see {@link Engine#exit}. */
        ENDED
    }

    /**
     * What we know of the lock.
     *
     * @param held whether we hold it, by our horizon
     * @param owner who holds it as far as we know, empty when unknown
     * @param since when that began
     * @param horizon until when we may believe we hold it, 0 when we do not
     */
    public record Lock(boolean held, String owner, long since, long horizon) {}

    /**
     * What progress waits for.
     *
     * @param stream topic of the stream, empty when it is not about one
     * @param partition of that topic, -1 when it is not about one
     */
    public record Blocking(Reason reason, String stream, long partition, long since, String text) {
        /** The closed set of reasons. */
        public enum Reason {
            /** Not every partition has had its first barrier, or no checkpoint is above what the scan has written. */
            INITIAL_SCAN,
            /** The partition has had no barrier yet. */
            NO_BARRIER,
            /** The partition's last barrier is the lowest and has not moved. */
            BARRIER_STALE,
            /** The partition has no read session, though nothing is known to stand in its way. */
            NO_SESSION,
            /** The partition is a child, and the server gives it out when its parent is committed to its end. */
            PARENT,
            /** We do not read the partition, for want of memory. */
            MEMORY,
            /** The destination refuses or does not answer. */
            DESTINATION,
            /** A topic cannot be described or read. */
            SOURCE,
            /** Records carry a column that the destination table lacks, and it is waited for. */
            SCHEMA,
            /** A decision about a record is being waited for. */
            DECISION,
            /** Another process holds the lock. */
            LOCK;

            /** As people read it everywhere, in status, metrics, log and the documentation's pages. */
            public String word() {
                return name().toLowerCase(Locale.ROOT);
            }
        }
    }

    /**
     * How long a stream's topic still keeps what is not committed.
     *
     * @param retentionMillis how long it keeps a message
     * @param lostAt when it may forget the oldest message that is not committed; in the past when it has not done so though
     *     it may
     * @param partition which keeps that message, -1 when everything is committed
     */
    public record History(long retentionMillis, long lostAt, long partition) {}

    /**
     * One stream.
     *
     * @param history absent while it is not known how old the messages are, and when the topic keeps them until they are
     *     committed
     */
    public record StreamStatus(
            String topic,
            String consumer,
            String table,
            StreamState state,
            long changes,
            List<PartitionStatus> partitions,
            Optional<History> history) {
        /** How many partitions progress waits for. */
        public long parts() {
            return partitions.stream().filter(PartitionStatus::live).count();
        }

        /** How many of those have had a barrier. */
        public long partsThatSpoke() {
            return partitions.stream()
                    .filter(partition -> partition.live() && partition.barrier().isPresent())
                    .count();
        }
    }

    /**
     * One partition of which something is to be read, applied or committed.
     *
     * @param live whether progress waits for it; one that was split or merged is not live any more
     * @param parked whether nothing more of it is fetched, for want of memory
     * @param closedByUs whether it has no session because we ended the last one, for want of memory
     * @param barrier last one read, absent when none
     * @param barrierAt when it was read, or when the term began
     * @param nextOffset next offset to be read, -1 before the first session
     * @param committedOffset acknowledged by the server
     * @param endOffset next offset to be written, as far as is known: what the server told when the partition was last
     *     described, or what was read since. So {@code endOffset - nextOffset} is what is known to be unread, and what was
     *     written since the last description comes on top
     */
    public record PartitionStatus(
            long partition,
            boolean live,
            boolean session,
            boolean parked,
            boolean closedByUs,
            Optional<Position> barrier,
            long barrierAt,
            long bufferedBytes,
            int bufferedChanges,
            long nextOffset,
            long committedOffset,
            long endOffset) {}

    /**
     * Counted since the process began.
     *
     * @param records read, of every kind
     * @param changes applied
     * @param rows written, after folding
     * @param bytes of changes applied
     * @param transactions committed
     * @param retries of transactions by cause
     * @param droppedAsApplied records below the checkpoint, read again after a takeover
     * @param duplicates offsets delivered again and ignored
     * @param ignoredBarriers that repeated or went back
     * @param late records below a barrier of their partition
     * @param unfit records that could not become a change
     * @param filtered records about rows that are left out by their keys
     * @param appliedByDecision late records that were written because it was decided so
     * @param skippedByDecision late and unfit records that were left out because it was decided so
     * @param terms lock terms begun
     */
    public record Totals(
            long records,
            long changes,
            long rows,
            long bytes,
            long transactions,
            Map<String, Long> retries,
            long droppedAsApplied,
            long duplicates,
            long ignoredBarriers,
            long late,
            long unfit,
            long filtered,
            long appliedByDecision,
            long skippedByDecision,
            long terms) {
        public static final Totals NONE = new Totals(0, 0, 0, 0, 0, Map.of(), 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
}
