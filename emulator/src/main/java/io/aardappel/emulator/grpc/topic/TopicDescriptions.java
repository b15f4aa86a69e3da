package io.aardappel.emulator.grpc.topic;

import com.google.protobuf.ByteString;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.HashRange;
import io.aardappel.emulator.model.topic.PartitionInfo;
import io.aardappel.emulator.model.topic.Slice;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TopicSpec;
import java.util.List;
import java.util.Map;
import tech.ydb.proto.common.CommonProtos;
import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;
import tech.ydb.proto.topic.YdbTopic.AutoPartitioningSettings;
import tech.ydb.proto.topic.YdbTopic.AutoPartitioningStrategy;
import tech.ydb.proto.topic.YdbTopic.AutoPartitioningWriteSpeedStrategy;
import tech.ydb.proto.topic.YdbTopic.Consumer;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerResult;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicResult;
import tech.ydb.proto.topic.YdbTopic.MultipleWindowsStat;
import tech.ydb.proto.topic.YdbTopic.OffsetsRange;
import tech.ydb.proto.topic.YdbTopic.PartitionKeyRange;
import tech.ydb.proto.topic.YdbTopic.PartitionLocation;
import tech.ydb.proto.topic.YdbTopic.PartitionStats;
import tech.ydb.proto.topic.YdbTopic.PartitioningSettings;
import tech.ydb.proto.topic.YdbTopic.SupportedCodecs;

/** Shows topics, partitions and consumers as the protocol does. */
final class TopicDescriptions {
    private TopicDescriptions() {}

    static DescribeTopicResult topic(Topic topic, boolean stats, boolean location) {
        TopicSpec spec = topic.spec();
        TopicSpec.Tuning tuning = spec.tuning();
        List<PartitionInfo> partitions = topic.partitions();
        DescribeTopicResult.Builder result = DescribeTopicResult.newBuilder()
                .setSelf(self(topic))
                .setPartitioningSettings(partitioning(spec))
                .setRetentionPeriod(Times.duration(spec.retention()))
                .setRetentionStorageMb(tuning.retentionStorageMb())
                .setPartitionWriteSpeedBytesPerSecond(tuning.writeSpeedBytes())
                .setPartitionWriteBurstBytes(tuning.writeBurstBytes())
                .setSupportedCodecs(SupportedCodecs.newBuilder().addAllCodecs(spec.codecs()))
                .putAllAttributes(spec.attributes())
                .setMeteringModeValue(tuning.meteringMode());
        spec.consumers().forEach(consumer -> result.addConsumers(consumer(consumer, stats)));
        partitions.forEach(partition -> result.addPartitions(partition(topic, partition, stats, location)));
        if (stats) {
            result.setTopicStats(topicStats(partitions));
        }
        return result.build();
    }

    private static DescribeTopicResult.TopicStats topicStats(List<PartitionInfo> partitions) {
        return DescribeTopicResult.TopicStats.newBuilder()
                .setStoreSizeBytes(
                        partitions.stream().mapToLong(PartitionInfo::bytes).sum())
                .setMinLastWriteTime(Times.timestamp(partitions.stream()
                        .mapToLong(PartitionInfo::lastWriteMillis)
                        .min()
                        .orElse(0)))
                .setMaxWriteTimeLag(Times.duration(java.time.Duration.ZERO))
                .setBytesWritten(MultipleWindowsStat.getDefaultInstance())
                .build();
    }

    @SuppressWarnings("deprecation") // old clients still read the partition limit
    private static PartitioningSettings partitioning(TopicSpec spec) {
        TopicSpec.Tuning tuning = spec.tuning();
        return PartitioningSettings.newBuilder()
                .setMinActivePartitions(spec.minActivePartitions())
                .setMaxActivePartitions(spec.maxActivePartitions())
                .setPartitionCountLimit(tuning.partitionCountLimit())
                .setAutoPartitioningSettings(AutoPartitioningSettings.newBuilder()
                        .setStrategyValue(tuning.strategy())
                        .setPartitionWriteSpeed(AutoPartitioningWriteSpeedStrategy.newBuilder()
                                .setStabilizationWindow(Times.duration(tuning.stabilizationWindow()))
                                .setUpUtilizationPercent(tuning.upUtilizationPercent())
                                .setDownUtilizationPercent(tuning.downUtilizationPercent())))
                .build();
    }

    static DescribeTopicResult.PartitionInfo partition(
            Topic topic, PartitionInfo partition, boolean stats, boolean location) {
        DescribeTopicResult.PartitionInfo.Builder result = DescribeTopicResult.PartitionInfo.newBuilder()
                .setPartitionId(partition.id())
                .setActive(partition.active());
        partition.children().forEach(result::addChildPartitionIds);
        partition.parents().forEach(result::addParentPartitionIds);
        if (stats) {
            result.setPartitionStats(stats(partition));
        }
        if (location) {
            result.setPartitionLocation(location(partition));
        }
        if (topic.spec().tuning().strategy() != AutoPartitioningStrategy.AUTO_PARTITIONING_STRATEGY_DISABLED_VALUE
                || !partition.active()
                || !partition.parents().isEmpty()) {
            result.setKeyRange(keyRange(partition.range()));
        }
        return result.build();
    }

    private static PartitionKeyRange keyRange(HashRange range) {
        PartitionKeyRange.Builder bounds = PartitionKeyRange.newBuilder();
        if (range.from() != null) {
            bounds.setFromBound(ByteString.copyFrom(HashRange.bytes(range.from())));
        }
        if (range.to() != null) {
            bounds.setToBound(ByteString.copyFrom(HashRange.bytes(range.to())));
        }
        return bounds.build();
    }

    @SuppressWarnings("deprecation") // old clients still read the node here
    private static PartitionStats stats(PartitionInfo partition) {
        return PartitionStats.newBuilder()
                .setPartitionOffsets(
                        OffsetsRange.newBuilder().setStart(partition.start()).setEnd(partition.end()))
                .setStoreSizeBytes(partition.bytes())
                .setLastWriteTime(Times.timestamp(partition.lastWriteMillis()))
                .setMaxWriteTimeLag(Times.duration(java.time.Duration.ZERO))
                .setBytesWritten(MultipleWindowsStat.getDefaultInstance())
                .setPartitionNodeId(partition.node())
                .build();
    }

    static PartitionLocation location(PartitionInfo partition) {
        return PartitionLocation.newBuilder()
                .setNodeId(partition.node())
                .setGeneration(partition.generation())
                .build();
    }

    private static Consumer consumer(TopicSpec.ConsumerSpec spec, boolean stats) {
        Consumer.Builder consumer = Consumer.newBuilder()
                .setName(spec.name())
                .setImportant(spec.important())
                .setReadFrom(Times.timestamp(
                        spec.readFrom() == null ? 0 : spec.readFrom().toEpochMilli()))
                .setSupportedCodecs(SupportedCodecs.newBuilder().addAllCodecs(spec.codecs()))
                .putAllAttributes(spec.attributes());
        if (stats) {
            consumer.setConsumerStats(Consumer.ConsumerStats.getDefaultInstance());
        }
        return consumer.build();
    }

    /** @param now by the clock that stamps messages, milliseconds since the epoch */
    static DescribeConsumerResult consumer(
            Topic topic, String name, boolean stats, boolean location, Map<Integer, ReaderInfo> readers, long now) {
        TopicSpec.ConsumerSpec spec = topic.spec().consumers().stream()
                .filter(consumer -> consumer.name().equals(name))
                .findFirst()
                .orElse(TopicSpec.ConsumerSpec.of(name));
        DescribeConsumerResult.Builder result = DescribeConsumerResult.newBuilder()
                .setSelf(self(topic).toBuilder().setName(self(topic).getName() + "/" + name))
                .setConsumer(consumer(spec, stats));
        for (PartitionInfo partition : topic.partitions()) {
            DescribeConsumerResult.PartitionInfo.Builder info = DescribeConsumerResult.PartitionInfo.newBuilder()
                    .setPartitionId(partition.id())
                    .setActive(partition.active())
                    .addAllChildPartitionIds(longs(partition.children()))
                    .addAllParentPartitionIds(longs(partition.parents()));
            if (stats) {
                info.setPartitionStats(stats(partition));
                long committed = topic.committed(name, partition.id());
                info.setPartitionConsumerStats(readers.getOrDefault(partition.id(), ReaderInfo.NONE)
                        .stats(committed, behind(topic.read(partition.id(), committed), now)));
            }
            if (location) {
                info.setPartitionLocation(location(partition));
            }
            result.addPartitions(info);
        }
        return result.build();
    }

    private static java.time.Duration behind(Slice uncommitted, long now) {
        return uncommitted.isEmpty()
                ? java.time.Duration.ZERO
                : java.time.Duration.ofMillis(
                        Math.max(0, now - uncommitted.messages().get(0).writtenAtMillis()));
    }

    private static List<Long> longs(List<Integer> ids) {
        return ids.stream().map(Integer::longValue).toList();
    }

    private static Entry self(Topic topic) {
        VirtualTimestamp created = topic.created();
        String path = topic.path();
        return Entry.newBuilder()
                .setName(path.substring(path.lastIndexOf('/') + 1))
                .setOwner("root@builtin")
                .setType(Entry.Type.TOPIC)
                .setCreatedAt(CommonProtos.VirtualTimestamp.newBuilder()
                        .setPlanStep(created.step())
                        .setTxId(created.txId()))
                .build();
    }
}
