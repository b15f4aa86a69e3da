package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.topic.Topic;
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

/** The calls that are no streams. Each answers its result or throws the status to answer. Thread-safe. */
final class TopicCalls {
    private final ReadLoop reads;

    TopicCalls(ReadLoop reads) {
        this.reads = reads;
    }

    CreateTopicResult create(TopicDatabase database, CreateTopicRequest request) {
        String path = path(database, request.getPath());
        database.scheme().createTopic(TopicSettings.spec(path, request), false);
        return CreateTopicResult.getDefaultInstance();
    }

    AlterTopicResult alter(TopicDatabase database, AlterTopicRequest request) {
        String path = path(database, request.getPath());
        Topic topic = database.topics().get(path);
        database.scheme().alterTopic(path, TopicSettings.changes(topic.spec(), request));
        return AlterTopicResult.getDefaultInstance();
    }

    DropTopicResult drop(TopicDatabase database, DropTopicRequest request) {
        database.scheme().dropTopic(path(database, request.getPath()), false);
        return DropTopicResult.getDefaultInstance();
    }

    DescribeTopicResult describe(TopicDatabase database, DescribeTopicRequest request) {
        Topic topic = database.topics().get(path(database, request.getPath()));
        return TopicDescriptions.topic(topic, request.getIncludeStats(), request.getIncludeLocation());
    }

    DescribePartitionResult describe(TopicDatabase database, DescribePartitionRequest request) {
        Topic topic = database.topics().get(path(database, request.getPath()));
        return DescribePartitionResult.newBuilder()
                .setPartition(TopicDescriptions.partition(
                        topic,
                        topic.partition(partition(topic, request.getPartitionId())),
                        request.getIncludeStats(),
                        request.getIncludeLocation()))
                .build();
    }

    DescribeConsumerResult describe(TopicDatabase database, DescribeConsumerRequest request) {
        Topic topic = database.topics().get(path(database, request.getPath()));
        if (!topic.hasConsumer(request.getConsumer())) {
            throw new YdbException(
                    Status.SCHEME_ERROR, "no consumer '%s' in topic %s".formatted(request.getConsumer(), topic.path()));
        }
        return TopicDescriptions.consumer(
                topic,
                request.getConsumer(),
                request.getIncludeStats(),
                request.getIncludeLocation(),
                reads.readers(topic, request.getConsumer()));
    }

    CommitOffsetResult commit(TopicDatabase database, CommitOffsetRequest request) {
        Topic topic = database.topics().get(path(database, request.getPath()));
        int partition = partition(topic, request.getPartitionId());
        topic.setCommitted(request.getConsumer(), partition, request.getOffset());
        reads.execute(() -> reads.restart(topic, request.getConsumer(), partition, request.getReadSessionId()));
        return CommitOffsetResult.getDefaultInstance();
    }

    private static int partition(Topic topic, long id) {
        if (!topic.hasPartition(id)) {
            throw new YdbException(Status.BAD_REQUEST, "topic %s has no partition %d".formatted(topic.path(), id));
        }
        return (int) id;
    }

    private static String path(TopicDatabase database, String given) {
        if (given.isEmpty()) {
            throw new YdbException(Status.BAD_REQUEST, "the path of a topic must not be empty");
        }
        return database.absolute(given);
    }
}
