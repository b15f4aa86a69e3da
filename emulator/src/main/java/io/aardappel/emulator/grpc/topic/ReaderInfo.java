package io.aardappel.emulator.grpc.topic;

import tech.ydb.proto.topic.YdbTopic.DescribeConsumerResult.PartitionConsumerStats;

/**
 * Who reads a partition for a consumer.
 *
 * @param lastReadOffset offset after the last message that was sent to the reader
 */
record ReaderInfo(String sessionId, String readerName, long lastReadOffset) {
    /** Nobody reads it. */
    static final ReaderInfo NONE = new ReaderInfo("", "", 0);

    PartitionConsumerStats stats(long committed) {
        return PartitionConsumerStats.newBuilder()
                .setCommittedOffset(committed)
                .setLastReadOffset(Math.max(lastReadOffset, committed))
                .setReadSessionId(sessionId)
                .setReaderName(readerName)
                .setConnectionNodeId(sessionId.isEmpty() ? 0 : 1)
                .build();
    }
}
