package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.topic.TopicSpec;
import io.aardappel.emulator.model.topic.TopicSpec.Change;
import io.aardappel.emulator.model.topic.TopicSpec.ConsumerSpec;
import io.aardappel.emulator.model.topic.TopicSpec.Tuning;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tech.ydb.proto.topic.YdbTopic.AlterAutoPartitioningWriteSpeedStrategy;
import tech.ydb.proto.topic.YdbTopic.AlterConsumer;
import tech.ydb.proto.topic.YdbTopic.AlterPartitioningSettings;
import tech.ydb.proto.topic.YdbTopic.AlterTopicRequest;
import tech.ydb.proto.topic.YdbTopic.AutoPartitioningWriteSpeedStrategy;
import tech.ydb.proto.topic.YdbTopic.Consumer;
import tech.ydb.proto.topic.YdbTopic.CreateTopicRequest;
import tech.ydb.proto.topic.YdbTopic.PartitioningSettings;
import tech.ydb.proto.topic.YdbTopic.SupportedCodecs;

/** Reads what create and alter requests ask for. */
final class TopicSettings {
    /** How long messages are kept when the request does not say. */
    static final Duration RETENTION = Duration.ofHours(24);

    private TopicSettings() {}

    static TopicSpec spec(String path, CreateTopicRequest request) {
        PartitioningSettings partitioning = request.getPartitioningSettings();
        Tuning tuning = tuning(request);
        return new TopicSpec(
                path,
                partitions(path, Math.max(1, partitioning.getMinActivePartitions())),
                partitions(path, partitioning.getMaxActivePartitions()),
                tuning.strategy() > Tuning.DISABLED,
                request.hasRetentionPeriod() ? positive(path, Times.duration(request.getRetentionPeriod())) : RETENTION,
                request.getSupportedCodecs().getCodecsList(),
                request.getConsumersList().stream().map(TopicSettings::consumer).toList(),
                request.getAttributesMap(),
                tuning);
    }

    @SuppressWarnings("deprecation") // old clients still set the partition limit
    private static Tuning tuning(CreateTopicRequest request) {
        PartitioningSettings partitioning = request.getPartitioningSettings();
        AutoPartitioningWriteSpeedStrategy speed =
                partitioning.getAutoPartitioningSettings().getPartitionWriteSpeed();
        Tuning standard = Tuning.DEFAULT;
        return new Tuning(
                Math.max(
                        Tuning.DISABLED,
                        partitioning.getAutoPartitioningSettings().getStrategyValue()),
                speed.hasStabilizationWindow()
                        ? Times.duration(speed.getStabilizationWindow())
                        : standard.stabilizationWindow(),
                or(speed.getUpUtilizationPercent(), standard.upUtilizationPercent()),
                or(speed.getDownUtilizationPercent(), standard.downUtilizationPercent()),
                partitioning.getPartitionCountLimit(),
                request.getRetentionStorageMb(),
                or(request.getPartitionWriteSpeedBytesPerSecond(), standard.writeSpeedBytes()),
                or(request.getPartitionWriteBurstBytes(), standard.writeBurstBytes()),
                request.getMeteringModeValue());
    }

    static List<Change> changes(TopicSpec now, AlterTopicRequest request) {
        List<Change> changes = new ArrayList<>();
        if (request.hasSetRetentionPeriod()) {
            changes.add(new Change.SetRetention(positive(now.path(), Times.duration(request.getSetRetentionPeriod()))));
        }
        if (request.hasSetSupportedCodecs()) {
            changes.add(new Change.SetCodecs(request.getSetSupportedCodecs().getCodecsList()));
        }
        Tuning tuning = tuning(now.tuning(), request);
        if (!tuning.equals(now.tuning())) {
            changes.add(new Change.SetTuning(tuning));
        }
        if (request.hasAlterPartitioningSettings()) {
            changes.add(partitioning(now, request.getAlterPartitioningSettings(), tuning));
        }
        if (request.getAlterAttributesCount() > 0) {
            changes.add(new Change.SetAttributes(altered(now.attributes(), request.getAlterAttributesMap())));
        }
        request.getDropConsumersList().forEach(name -> changes.add(new Change.DropConsumer(name)));
        request.getAddConsumersList().forEach(added -> changes.add(new Change.AddConsumer(consumer(added))));
        request.getAlterConsumersList().forEach(altered -> changes.add(alter(now, altered)));
        return changes;
    }

    private static Change partitioning(TopicSpec now, AlterPartitioningSettings settings, Tuning tuning) {
        return new Change.SetPartitioning(
                settings.hasSetMinActivePartitions()
                        ? partitions(now.path(), Math.max(1, settings.getSetMinActivePartitions()))
                        : now.minActivePartitions(),
                settings.hasSetMaxActivePartitions()
                        ? partitions(now.path(), settings.getSetMaxActivePartitions())
                        : now.maxActivePartitions(),
                tuning.strategy() > Tuning.DISABLED);
    }

    @SuppressWarnings("deprecation") // old clients still set the partition limit
    private static Tuning tuning(Tuning now, AlterTopicRequest request) {
        AlterPartitioningSettings partitioning = request.getAlterPartitioningSettings();
        var auto = partitioning.getAlterAutoPartitioningSettings();
        AlterAutoPartitioningWriteSpeedStrategy speed = auto.getSetPartitionWriteSpeed();
        return new Tuning(
                auto.hasSetStrategy() ? Math.max(Tuning.DISABLED, auto.getSetStrategyValue()) : now.strategy(),
                speed.hasSetStabilizationWindow()
                        ? Times.duration(speed.getSetStabilizationWindow())
                        : now.stabilizationWindow(),
                speed.hasSetUpUtilizationPercent() ? speed.getSetUpUtilizationPercent() : now.upUtilizationPercent(),
                speed.hasSetDownUtilizationPercent()
                        ? speed.getSetDownUtilizationPercent()
                        : now.downUtilizationPercent(),
                partitioning.hasSetPartitionCountLimit()
                        ? partitioning.getSetPartitionCountLimit()
                        : now.partitionCountLimit(),
                request.hasSetRetentionStorageMb() ? request.getSetRetentionStorageMb() : now.retentionStorageMb(),
                request.hasSetPartitionWriteSpeedBytesPerSecond()
                        ? request.getSetPartitionWriteSpeedBytesPerSecond()
                        : now.writeSpeedBytes(),
                request.hasSetPartitionWriteBurstBytes()
                        ? request.getSetPartitionWriteBurstBytes()
                        : now.writeBurstBytes(),
                request.getSetMeteringModeValue() != 0 ? request.getSetMeteringModeValue() : now.meteringMode());
    }

    private static ConsumerSpec consumer(Consumer consumer) {
        return new ConsumerSpec(
                consumer.getName(),
                consumer.getImportant(),
                consumer.hasReadFrom() ? Instant.ofEpochMilli(Times.millis(consumer.getReadFrom())) : null,
                consumer.getSupportedCodecs().getCodecsList(),
                consumer.getAttributesMap());
    }

    private static Change alter(TopicSpec now, AlterConsumer alter) {
        ConsumerSpec old = now.consumers().stream()
                .filter(consumer -> consumer.name().equals(alter.getName()))
                .findFirst()
                .orElse(ConsumerSpec.of(alter.getName()));
        SupportedCodecs codecs = alter.getSetSupportedCodecs();
        return new Change.AlterConsumer(new ConsumerSpec(
                alter.getName(),
                alter.hasSetImportant() ? alter.getSetImportant() : old.important(),
                alter.hasSetReadFrom() ? Instant.ofEpochMilli(Times.millis(alter.getSetReadFrom())) : old.readFrom(),
                alter.hasSetSupportedCodecs() ? codecs.getCodecsList() : old.codecs(),
                altered(old.attributes(), alter.getAlterAttributesMap())));
    }

    /** An empty value takes the attribute away. */
    private static Map<String, String> altered(Map<String, String> now, Map<String, String> changes) {
        Map<String, String> altered = new HashMap<>(now);
        changes.forEach((name, value) -> {
            if (value.isEmpty()) {
                altered.remove(name);
            } else {
                altered.put(name, value);
            }
        });
        return altered;
    }

    private static int partitions(String path, long count) {
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw new YdbException(Status.BAD_REQUEST, "topic %s cannot have %d partitions".formatted(path, count));
        }
        return (int) count;
    }

    private static Duration positive(String path, Duration retention) {
        if (retention.isNegative() || retention.isZero()) {
            throw new YdbException(Status.BAD_REQUEST, "retention_period of topic %s must be positive".formatted(path));
        }
        return retention;
    }

    private static int or(int given, int standard) {
        return given == 0 ? standard : given;
    }

    private static long or(long given, long standard) {
        return given == 0 ? standard : given;
    }
}
