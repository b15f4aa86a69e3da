package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.grpc.Tenant;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TransactionTopics;
import tech.ydb.proto.topic.YdbTopic.AlterTopicRequest;
import tech.ydb.proto.topic.YdbTopic.AlterTopicResult;
import tech.ydb.proto.topic.YdbTopic.CommitOffsetRequest;
import tech.ydb.proto.topic.YdbTopic.CommitOffsetResult;
import tech.ydb.proto.topic.YdbTopic.CreateTopicRequest;
import tech.ydb.proto.topic.YdbTopic.CreateTopicResult;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerResult;
import tech.ydb.proto.topic.YdbTopic.DescribePartitionRequest;
import tech.ydb.proto.topic.YdbTopic.DescribePartitionResult;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicResult;
import tech.ydb.proto.topic.YdbTopic.DropTopicRequest;
import tech.ydb.proto.topic.YdbTopic.DropTopicResult;
import tech.ydb.proto.topic.YdbTopic.OffsetsRange;
import tech.ydb.proto.topic.YdbTopic.UpdateOffsetsInTransactionRequest;
import tech.ydb.proto.topic.YdbTopic.UpdateOffsetsInTransactionRequest.TopicOffsets;
import tech.ydb.proto.topic.YdbTopic.UpdateOffsetsInTransactionResult;

/** The calls that are no streams. Each answers its result or throws the status to answer. Thread-safe. */
final class TopicCalls {
    private final ReadLoop reads;

    TopicCalls(ReadLoop reads) {
        this.reads = reads;
    }

    CreateTopicResult create(Tenant tenant, CreateTopicRequest request) {
        String path = path(tenant, request.getPath());
        tenant.database().createTopic(TopicSettings.spec(path, request), false);
        return CreateTopicResult.getDefaultInstance();
    }

    AlterTopicResult alter(Tenant tenant, AlterTopicRequest request) {
        String path = path(tenant, request.getPath());
        Topic topic = tenant.topics().get(path);
        tenant.database().alterTopic(path, TopicSettings.changes(topic.spec(), request));
        return AlterTopicResult.getDefaultInstance();
    }

    DropTopicResult drop(Tenant tenant, DropTopicRequest request) {
        tenant.database().dropTopic(path(tenant, request.getPath()), false);
        return DropTopicResult.getDefaultInstance();
    }

    DescribeTopicResult describe(Tenant tenant, DescribeTopicRequest request) {
        Topic topic = tenant.topics().get(path(tenant, request.getPath()));
        return TopicDescriptions.topic(topic, request.getIncludeStats(), request.getIncludeLocation());
    }

    DescribePartitionResult describe(Tenant tenant, DescribePartitionRequest request) {
        Topic topic = tenant.topics().get(path(tenant, request.getPath()));
        return DescribePartitionResult.newBuilder()
                .setPartition(TopicDescriptions.partition(
                        topic,
                        topic.partition(partition(topic, request.getPartitionId())),
                        request.getIncludeStats(),
                        request.getIncludeLocation()))
                .build();
    }

    DescribeConsumerResult describe(Tenant tenant, DescribeConsumerRequest request) {
        Topic topic = tenant.topics().get(path(tenant, request.getPath()));
        if (!topic.hasConsumer(request.getConsumer())) {
            throw new YdbException(
                    Status.SCHEME_ERROR, "no consumer '%s' in topic %s".formatted(request.getConsumer(), topic.path()));
        }
        return TopicDescriptions.consumer(
                topic,
                request.getConsumer(),
                request.getIncludeStats(),
                request.getIncludeLocation(),
                reads.readers(topic, request.getConsumer()),
                tenant.database().wallMillis());
    }

    CommitOffsetResult commit(Tenant tenant, CommitOffsetRequest request) {
        Topic topic = tenant.topics().get(path(tenant, request.getPath()));
        int partition = partition(topic, request.getPartitionId());
        topic.setCommitted(request.getConsumer(), partition, request.getOffset());
        reads.execute(() -> reads.restart(topic, request.getConsumer(), partition, request.getReadSessionId()));
        return CommitOffsetResult.getDefaultInstance();
    }

    UpdateOffsetsInTransactionResult updateOffsets(
            Tenant tenant, UpdateOffsetsInTransactionRequest request, TopicTransactions transactions) {
        TransactionTopics part = transactions.part(request.getTx());
        for (TopicOffsets offsets : request.getTopicsList()) {
            Topic topic = tenant.topics().get(path(tenant, offsets.getPath()));
            if (!topic.hasConsumer(request.getConsumer())) {
                throw new YdbException(
                        Status.BAD_REQUEST,
                        "no read rule provided for consumer '%s' in topic %s"
                                .formatted(request.getConsumer(), topic.path()));
            }
            for (TopicOffsets.PartitionOffsets each : offsets.getPartitionsList()) {
                int partition = partition(topic, each.getPartitionId());
                for (OffsetsRange range : each.getPartitionOffsetsList()) {
                    part.commit(topic, request.getConsumer(), partition, range.getStart(), range.getEnd());
                }
            }
        }
        return UpdateOffsetsInTransactionResult.getDefaultInstance();
    }

    private static int partition(Topic topic, long id) {
        if (!topic.hasPartition(id)) {
            throw new YdbException(Status.BAD_REQUEST, "topic %s has no partition %d".formatted(topic.path(), id));
        }
        return (int) id;
    }

    private static String path(Tenant tenant, String given) {
        if (given.isEmpty()) {
            throw new YdbException(Status.BAD_REQUEST, "the path of a topic must not be empty");
        }
        return tenant.absolute(given);
    }
}
