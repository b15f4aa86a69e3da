package io.aardappel.replicator.ydb.preflight;

import io.aardappel.access.ydb.Calls;
import java.time.Duration;
import tech.ydb.core.Result;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicResponse;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicResult;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/**
 * Descriptions of one database's topics. Waits; thread-safe.
 *
 * @param callTimeout of each call
 */
record Topics(Calls calls, Duration callTimeout) {
    Result<DescribeTopicResult> describe(String path) {
        return calls.call(
                TopicServiceGrpc.getDescribeTopicMethod(),
                DescribeTopicRequest.newBuilder().setPath(path).build(),
                callTimeout,
                DescribeTopicResponse::getOperation,
                DescribeTopicResult.class);
    }

    /** Servers of some versions tell consumers with a path in front. */
    static boolean has(DescribeTopicResult topic, String consumer) {
        return topic.getConsumersList().stream()
                .map(told -> told.getName())
                .anyMatch(name -> name.equals(consumer) || name.endsWith("/" + consumer));
    }
}
