package io.aardappel.replicator.ydb.topics;

import java.time.Duration;

/**
 * The bounds of reading topics.
 *
 * @param creditBytes what servers may send, over all streams, before the engine has taken it; shared out evenly
 * @param creditBytesMin least credit of one stream, even when the shares together exceed {@code creditBytes}
 * @param streamsMax about how many read streams may be open; up to half of it partitions have streams of their own
 * @param partitionsPerStream how many partitions share a stream beyond that
 * @param schemaWait how long a column is waited for that records carry and their destination table lacks
 * @param schemaPause between two looks at that table meanwhile
 * @param decodeThreads how many partitions are decoded at once
 * @param reconnectPauseFirst pause before a broken stream is opened again, doubled with every failure in a row
 * @param reconnectPauseMax longest such pause
 * @param refusalPatience how long a server may refuse (no such topic, no right) before that counts as final
 * @param openTimeout how long a stream may take to be accepted, and a partition to be given to us before that is told
 * @param silenceMax how long a stream may be silent before its server is asked for a sign of life
 * @param answerTimeout how long that sign, and the answer to a description, may take
 * @param noticeInterval how often the same trouble of a stream is told
 * @param tokenCheckInterval how often a changed ticket is looked for
 * @param closeTimeout how long closing waits for threads
 */
public record ReaderSettings(
        long creditBytes,
        long creditBytesMin,
        int streamsMax,
        int partitionsPerStream,
        Duration schemaWait,
        Duration schemaPause,
        int decodeThreads,
        Duration reconnectPauseFirst,
        Duration reconnectPauseMax,
        Duration refusalPatience,
        Duration openTimeout,
        Duration silenceMax,
        Duration answerTimeout,
        Duration noticeInterval,
        Duration tokenCheckInterval,
        Duration closeTimeout) {

    private static final long MIB = 1 << 20;

    /** Most credit of one stream, however few there are. */
    public static final long STREAM_CREDIT_BYTES_MAX = 8 * MIB;

    /**
     * Defaults for everything but what follows from the configuration.
     *
     * @param heartbeatInterval H: a refusal is final after one, silence is looked into after one, and servers are told of a
     *     new ticket, and the engine of trouble that goes on, within half of one
     */
    public static ReaderSettings of(long creditBytes, Duration heartbeatInterval) {
        return new ReaderSettings(
                creditBytes,
                MIB / 16,
                256,
                32,
                Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors())),
                Duration.ofMillis(100),
                Duration.ofSeconds(5),
                heartbeatInterval,
                Duration.ofSeconds(10),
                heartbeatInterval,
                Duration.ofSeconds(5),
                shorter(Duration.ofSeconds(5), heartbeatInterval.dividedBy(2)),
                shorter(Duration.ofSeconds(10), heartbeatInterval.dividedBy(2)),
                Duration.ofSeconds(5));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
