package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.grpc.Tenant;
import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.topic.HashRange;
import io.aardappel.emulator.model.topic.PartitionInfo;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TopicMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import tech.ydb.proto.topic.YdbTopic.MetadataItem;
import tech.ydb.proto.topic.YdbTopic.PartitionWithGeneration;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.WriteRequest;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.WriteRequest.MessageData;

/**
 * An opened write session: who writes where.
 *
 * @param producer empty for a writer without deduplication
 * @param meta what the client says of the session, kept with each message
 */
record WriteSession(String id, Topic topic, int partition, String producer, Map<String, String> meta) {
    private static final AtomicLong COOKIES = new AtomicLong();
    private static final int CODEC_LAST = 4;
    private static final int CODEC_CUSTOM_FIRST = 10_000;
    private static final int CODEC_CUSTOM_LAST = 19_999;

    /** Neighbouring messages of a request that go to one partition. */
    record Run(int partition, List<TopicMessage> messages) {}

    /** Checks a session's first request and chooses its partition. */
    static WriteSession open(InitRequest request, Tenant tenant) {
        Topic topic = tenant.topics().get(tenant.absolute(request.getPath()));
        if (topic.isFeed()) {
            throw new YdbException(
                    Status.SCHEME_ERROR,
                    Issue.of(
                            Issue.SCHEME,
                            "%s belongs to a changefeed: only its table writes it".formatted(topic.path())));
        }
        String producer = request.getProducerId();
        String group = request.getMessageGroupId();
        if (!producer.isEmpty() && !group.isEmpty() && !producer.equals(group)) {
            throw bad("producer_id '%s' and message_group_id '%s' must be equal".formatted(producer, group));
        }
        int partition = switch (request.getPartitioningCase()) {
            case PARTITION_ID -> named(topic, request.getPartitionId());
            case PARTITION_WITH_GENERATION -> named(topic, request.getPartitionWithGeneration());
            case MESSAGE_GROUP_ID, PARTITIONING_NOT_SET -> topic.choosePartition(producer.isEmpty() ? group : producer);
        };
        String id = "%s|%d_%s_%d_v1"
                .formatted(
                        producer.isEmpty() ? group : producer,
                        COOKIES.incrementAndGet(),
                        Long.toUnsignedString(ThreadLocalRandom.current().nextLong()),
                        partition);
        return new WriteSession(id, topic, partition, producer, Map.copyOf(request.getWriteSessionMetaMap()));
    }

    private static int named(Topic topic, PartitionWithGeneration wanted) {
        int partition = named(topic, wanted.getPartitionId());
        long generation = topic.partition(partition).generation();
        if (wanted.getGeneration() > 0 && wanted.getGeneration() != generation) {
            throw new YdbException(
                    Status.UNAVAILABLE,
                    "partition %d of %s has generation %d, not %d"
                            .formatted(partition, topic.path(), generation, wanted.getGeneration()));
        }
        return partition;
    }

    private static int named(Topic topic, long id) {
        if (!topic.hasPartition(id)) {
            throw bad("topic %s has no partition %d".formatted(topic.path(), id));
        }
        PartitionInfo partition = topic.partition((int) id);
        if (!partition.active()) {
            throw new YdbException(
                    Status.OVERLOADED,
                    "partition %d of %s was split or merged: write to %s"
                            .formatted(id, topic.path(), partition.children()));
        }
        return partition.id();
    }

    /** Highest sequence number of the producer that is stored, 0 for none. */
    long lastSeqNo() {
        return producer.isEmpty() ? 0 : topic.lastSeqNo(partition, producer);
    }

    /** The messages of a request, cut where the partition changes. Refuses the whole request when one is not right. */
    List<Run> runs(WriteRequest request, long nowMillis) {
        checkCodec(request.getCodec());
        if (request.getMessagesCount() == 0) {
            throw bad("a write_request must have messages");
        }
        List<Run> runs = new ArrayList<>();
        for (MessageData data : request.getMessagesList()) {
            int target = partitionOf(data);
            if (runs.isEmpty() || runs.get(runs.size() - 1).partition() != target) {
                runs.add(new Run(target, new ArrayList<>()));
            }
            runs.get(runs.size() - 1).messages().add(message(data, request.getCodec(), nowMillis));
        }
        return runs;
    }

    private void checkCodec(int codec) {
        boolean known =
                (codec >= 1 && codec <= CODEC_LAST) || (codec >= CODEC_CUSTOM_FIRST && codec <= CODEC_CUSTOM_LAST);
        List<Integer> supported = topic.spec().codecs();
        if (!known || (!supported.isEmpty() && !supported.contains(codec))) {
            throw bad("codec %d is not supported by topic %s, its codecs are %s"
                    .formatted(codec, topic.path(), supported));
        }
    }

    private int partitionOf(MessageData data) {
        return switch (data.getPartitioningCase()) {
            case PARTITION_ID -> named(topic, data.getPartitionId());
            case PARTITION_WITH_GENERATION -> named(topic, data.getPartitionWithGeneration());
            case MESSAGE_GROUP_ID -> topic.partitionOf(HashRange.hash(data.getMessageGroupId()));
            case PARTITIONING_NOT_SET -> partition;
        };
    }

    private TopicMessage message(MessageData data, int codec, long nowMillis) {
        if (data.getData().size() > Topic.MESSAGE_BYTES_MAX) {
            throw bad("message %d has %d bytes of data, a topic takes %d at most"
                    .formatted(data.getSeqNo(), data.getData().size(), Topic.MESSAGE_BYTES_MAX));
        }
        return new TopicMessage(
                producer,
                data.getSeqNo(),
                data.hasCreatedAt() ? Times.millis(data.getCreatedAt()) : nowMillis,
                nowMillis,
                codec,
                data.getUncompressedSize(),
                metadata(data),
                data.getData().toByteArray(),
                meta);
    }

    private static Map<String, byte[]> metadata(MessageData data) {
        if (data.getMetadataItemsCount() == 0) {
            return Map.of();
        }
        Map<String, byte[]> items = new HashMap<>();
        for (MetadataItem item : data.getMetadataItemsList()) {
            items.put(item.getKey(), item.getValue().toByteArray());
        }
        return items;
    }

    private static YdbException bad(String message) {
        return new YdbException(Status.BAD_REQUEST, message);
    }
}
