package io.aardappel.replicator.ydb.topics;

import io.aardappel.access.ydb.Calls;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.engine.SourceEvent.Described;
import io.aardappel.replicator.engine.SourceEvent.Retention;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tech.ydb.core.Issue;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.utils.ProtobufUtils;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.v1.TableServiceGrpc;
import tech.ydb.proto.topic.YdbTopic;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerResult;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerResult.PartitionConsumerStats;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicResult;
import tech.ydb.proto.topic.YdbTopic.OffsetsRange;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/** Asks the source what a topic is now, and what time it is there. Blocks; thread-safe. */
public final class TopicDescriber {
    private static final long MICROS_A_MILLI = 1_000;

    private final Calls calls;
    private final Duration timeout;

    /** @param timeout of each call */
    public TopicDescriber(Calls calls, Duration timeout) {
        this.calls = calls;
        this.timeout = timeout;
    }

    /** The answer for the stream, or the status of the first call that failed. */
    public Result<Described> describe(int stream, String topic, String consumer) {
        Result<DescribeTopicResult> described = calls.call(
                TopicServiceGrpc.getDescribeTopicMethod(),
                YdbTopic.DescribeTopicRequest.newBuilder()
                        .setPath(topic)
                        .setIncludeStats(true)
                        .build(),
                timeout,
                YdbTopic.DescribeTopicResponse::getOperation,
                DescribeTopicResult.class);
        if (!described.isSuccess()) {
            return Result.fail(described.getStatus());
        }
        Result<DescribeConsumerResult> consumed = calls.call(
                TopicServiceGrpc.getDescribeConsumerMethod(),
                YdbTopic.DescribeConsumerRequest.newBuilder()
                        .setPath(topic)
                        .setConsumer(consumer)
                        .setIncludeStats(true)
                        .build(),
                timeout,
                YdbTopic.DescribeConsumerResponse::getOperation,
                DescribeConsumerResult.class);
        if (!consumed.isSuccess()) {
            return Result.fail(consumed.getStatus());
        }
        Result<Long> time = serverTime();
        return time.isSuccess()
                ? Result.success(described(stream, described.getValue(), consumed.getValue(), time.getValue()))
                : Result.fail(time.getStatus());
    }

    private static Described described(
            int stream, DescribeTopicResult topic, DescribeConsumerResult consumer, long sourceTime) {
        Map<Long, Long> committed = new HashMap<>();
        for (DescribeConsumerResult.PartitionInfo partition : consumer.getPartitionsList()) {
            committed.put(
                    partition.getPartitionId(),
                    partition.getPartitionConsumerStats().getCommittedOffset());
        }
        List<PartitionInfo> partitions = topic.getPartitionsList().stream()
                .map(partition -> info(partition, committed.getOrDefault(partition.getPartitionId(), 0L)))
                .toList();
        return new Described(
                stream,
                topic.getSelf().getCreatedAt().getPlanStep(),
                sourceTime,
                partitions,
                retention(topic, consumer, sourceTime));
    }

    /** Nothing is forgotten that a consumer has not committed which is marked as important. */
    private static Retention retention(DescribeTopicResult topic, DescribeConsumerResult consumer, long sourceTime) {
        Map<Long, Long> since = new HashMap<>();
        for (DescribeConsumerResult.PartitionInfo partition : consumer.getPartitionsList()) {
            PartitionConsumerStats stats = partition.getPartitionConsumerStats();
            long end = partition.getPartitionStats().getPartitionOffsets().getEnd();
            if (stats.hasMaxCommittedTimeLag() && stats.getCommittedOffset() < end) {
                long age = ProtobufUtils.protoToDuration(stats.getMaxCommittedTimeLag())
                        .toMillis();
                since.put(partition.getPartitionId(), sourceTime - age);
            }
        }
        long period = ProtobufUtils.protoToDuration(topic.getRetentionPeriod()).toMillis();
        return new Retention(consumer.getConsumer().getImportant() ? 0 : period, since);
    }

    private static PartitionInfo info(DescribeTopicResult.PartitionInfo partition, long committed) {
        OffsetsRange offsets = partition.getPartitionStats().getPartitionOffsets();
        return new PartitionInfo(
                partition.getPartitionId(),
                partition.getActive(),
                List.copyOf(partition.getParentPartitionIdsList()),
                List.copyOf(partition.getChildPartitionIdsList()),
                offsets.getStart(),
                offsets.getEnd(),
                committed);
    }

    /** Milliseconds since the epoch by the source's own clock: this machine's may differ. */
    private Result<Long> serverTime() {
        Result<YdbTable.CreateSessionResult> session = calls.call(
                TableServiceGrpc.getCreateSessionMethod(),
                YdbTable.CreateSessionRequest.getDefaultInstance(),
                timeout,
                YdbTable.CreateSessionResponse::getOperation,
                YdbTable.CreateSessionResult.class);
        if (!session.isSuccess()) {
            return Result.fail(session.getStatus());
        }
        String id = session.getValue().getSessionId();
        try {
            return time(id);
        } finally {
            calls.call(
                    TableServiceGrpc.getDeleteSessionMethod(),
                    YdbTable.DeleteSessionRequest.newBuilder().setSessionId(id).build(),
                    timeout,
                    YdbTable.DeleteSessionResponse::getOperation);
        }
    }

    private Result<Long> time(String session) {
        Result<YdbTable.ExecuteQueryResult> answer = calls.call(
                TableServiceGrpc.getExecuteDataQueryMethod(),
                YdbTable.ExecuteDataQueryRequest.newBuilder()
                        .setSessionId(session)
                        .setTxControl(YdbTable.TransactionControl.newBuilder()
                                .setBeginTx(YdbTable.TransactionSettings.newBuilder()
                                        .setSerializableReadWrite(
                                                YdbTable.SerializableModeSettings.getDefaultInstance()))
                                .setCommitTx(true))
                        .setQuery(YdbTable.Query.newBuilder().setYqlText("SELECT CurrentUtcTimestamp();"))
                        .build(),
                timeout,
                YdbTable.ExecuteDataQueryResponse::getOperation,
                YdbTable.ExecuteQueryResult.class);
        if (!answer.isSuccess()) {
            return Result.fail(answer.getStatus());
        }
        YdbTable.ExecuteQueryResult result = answer.getValue();
        if (result.getResultSetsCount() != 1 || result.getResultSets(0).getRowsCount() != 1) {
            return Result.fail(Status.of(StatusCode.CLIENT_INTERNAL_ERROR)
                    .withIssues(Issue.of("the source did not say what time it is", Issue.Severity.ERROR)));
        }
        return Result.success(result.getResultSets(0).getRows(0).getItems(0).getUint64Value() / MICROS_A_MILLI);
    }
}
