package io.aardappel.emulator.query;

import io.aardappel.emulator.model.topic.TopicSpec;
import io.aardappel.emulator.query.Settings.Setting;
import io.aardappel.emulator.query.syntax.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes topic statements of parse trees. */
final class TopicReader {
    private static final Duration RETENTION_DEFAULT = Duration.ofHours(24);

    private final TablePaths paths;
    private final Settings settings;

    TopicReader(TablePaths paths, Settings settings) {
        this.paths = paths;
        this.settings = settings;
    }

    Statement read(YqlParser.StatementContext tree) {
        if (tree.createTopic() != null) {
            return create(tree.createTopic());
        }
        if (tree.alterTopic() != null) {
            return alter(tree.alterTopic());
        }
        YqlParser.DropTopicContext drop = tree.dropTopic();
        return new Statement.DropTopic(Names.at(drop), path(drop.path()), drop.EXISTS() != null);
    }

    private String path(YqlParser.PathContext tree) {
        return paths.absolute(Names.name(tree.name()));
    }

    private Statement create(YqlParser.CreateTopicContext tree) {
        Options options = new Options();
        settings.read(tree.settings()).forEach(options::take);
        TopicSpec topic = new TopicSpec(
                path(tree.path()),
                options.minPartitions == 0 ? 1 : options.minPartitions,
                options.maxPartitions,
                Boolean.TRUE.equals(options.autoPartitioning),
                options.retention == null ? RETENTION_DEFAULT : options.retention,
                options.codecs == null ? List.of() : options.codecs,
                tree.consumer().stream()
                        .map(consumer -> consumer(consumer.name(), consumer.settings()))
                        .toList(),
                Map.of());
        return new Statement.CreateTopic(Names.at(tree), topic, tree.EXISTS() != null);
    }

    private Statement alter(YqlParser.AlterTopicContext tree) {
        List<TopicSpec.Change> changes = new ArrayList<>();
        for (YqlParser.TopicChangeContext change : tree.topicChange()) {
            if (change instanceof YqlParser.AddConsumerContext add) {
                YqlParser.ConsumerContext consumer = add.consumer();
                changes.add(new TopicSpec.Change.AddConsumer(consumer(consumer.name(), consumer.settings())));
            } else if (change instanceof YqlParser.DropConsumerContext drop) {
                changes.add(new TopicSpec.Change.DropConsumer(Names.name(drop.name())));
            } else if (change instanceof YqlParser.AlterConsumerContext altered) {
                changes.add(new TopicSpec.Change.AlterConsumer(consumer(altered.name(), altered.settings())));
            } else if (change instanceof YqlParser.SetTopicSettingsContext set) {
                Options options = new Options();
                settings.read(set.settings()).forEach(options::take);
                options.addChanges(changes);
            } else {
                throw Names.at(change).error("ALTER TOPIC RESET is not supported");
            }
        }
        return new Statement.AlterTopic(Names.at(tree), path(tree.path()), changes);
    }

    private TopicSpec.ConsumerSpec consumer(YqlParser.NameContext name, YqlParser.@Nullable SettingsContext with) {
        boolean important = false;
        Instant readFrom = null;
        List<Integer> codecs = List.of();
        for (Setting setting : settings.read(with)) {
            switch (setting.key()) {
                case "important" -> important = setting.bool();
                case "read_from" -> readFrom = setting.instant();
                case "supported_codecs" -> codecs = codecs(setting);
                default -> setting.refuse("Unknown consumer setting: " + setting.name());
            }
        }
        return new TopicSpec.ConsumerSpec(Names.name(name), important, readFrom, codecs, Map.of());
    }

    private static List<Integer> codecs(Setting setting) {
        List<Integer> codecs = new ArrayList<>();
        for (String name : setting.word().split(",", -1)) {
            codecs.add(
                    switch (name.strip().toLowerCase(Locale.ROOT)) {
                        case "raw" -> 1;
                        case "gzip" -> 2;
                        case "lzop" -> 3;
                        case "zstd" -> 4;
                        default -> setting.refuse("Unknown codec: " + name.strip());
                    });
        }
        return codecs;
    }

    /** The settings of one WITH or SET; null or 0 where a setting is not given. */
    private static final class Options {
        private int minPartitions;
        private int maxPartitions;
        private @Nullable Boolean autoPartitioning;
        private @Nullable Duration retention;
        private @Nullable List<Integer> codecs;

        void take(Setting setting) {
            switch (setting.key()) {
                case "min_active_partitions" -> minPartitions = setting.positive();
                case "max_active_partitions", "partition_count_limit" -> maxPartitions = setting.positive();
                case "auto_partitioning_strategy" -> autoPartitioning = autoPartitioning(setting);
                case "retention_period" -> retention = setting.positiveInterval();
                case "supported_codecs" -> codecs = codecs(setting);
                case "partition_write_speed_bytes_per_second",
                        "partition_write_burst_bytes",
                        "retention_storage_mb",
                        "auto_partitioning_up_utilization_percent",
                        "auto_partitioning_down_utilization_percent" -> setting.number();
                case "auto_partitioning_stabilization_window" -> setting.positiveInterval();
                case "metering_mode" -> setting.word();
                default -> setting.refuse("Unknown topic setting: " + setting.name());
            }
        }

        private static boolean autoPartitioning(Setting setting) {
            return switch (setting.word().toLowerCase(Locale.ROOT)) {
                case "disabled", "paused" -> false;
                case "scale_up", "up", "scale_up_and_down", "up_and_down" -> true;
                default -> setting.refuse("Unknown auto_partitioning_strategy: " + setting.word());
            };
        }

        void addChanges(List<TopicSpec.Change> changes) {
            if (retention != null) {
                changes.add(new TopicSpec.Change.SetRetention(retention));
            }
            if (codecs != null) {
                changes.add(new TopicSpec.Change.SetCodecs(codecs));
            }
            if (minPartitions != 0 || maxPartitions != 0 || autoPartitioning != null) {
                changes.add(new TopicSpec.Change.SetPartitioning(minPartitions, maxPartitions, autoPartitioning));
            }
        }
    }
}
