package io.aardappel.emulator.grpc.topic;

import java.time.Duration;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerResult.PartitionConsumerStats;

/**
 * Who reads a partition for a consumer.
 *
 * @param lastReadOffset offset after the last message that was sent to the reader
 */
record ReaderInfo(String sessionId, String readerName, long lastReadOffset) {
    /** Nobody reads it. */
    static final ReaderInfo NONE = new ReaderInfo("", "", 0);

    /** @param behind how long ago the first message that is not committed was written, zero when there is none */
    PartitionConsumerStats stats(long committed, Duration behind) {
        return PartitionConsumerStats.newBuilder()
                .setCommittedOffset(committed)
                .setLastReadOffset(Math.max(lastReadOffset, committed))
                .setMaxCommittedTimeLag(Times.duration(behind))
                .setReadSessionId(sessionId)
                .setReaderName(readerName)
                .setConnectionNodeId(sessionId.isEmpty() ? 0 : 1)
                .build();
    }
}
