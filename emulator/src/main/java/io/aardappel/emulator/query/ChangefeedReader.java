package io.aardappel.emulator.query;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec;
import io.aardappel.emulator.query.Settings.Setting;
import io.aardappel.emulator.query.syntax.Position;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a changefeed of the options of ADD CHANGEFEED. Which of them go together is for the model to say. */
final class ChangefeedReader {
    private ChangefeedSpec.@Nullable Mode mode;
    private ChangefeedSpec.@Nullable Format format;
    private boolean virtualTimestamps;
    private @Nullable Duration barriers;
    private boolean initialScan;
    private @Nullable Duration retention;
    private boolean schemaChanges;
    private boolean userSids;
    private boolean autoPartitioning;
    private int minActivePartitions;
    private int maxActivePartitions;
    private @Nullable Setting awsRegion;
    private final Map<String, String> attributes = new HashMap<>();

    private ChangefeedReader() {}

    static ChangefeedSpec read(Position at, String name, List<Setting> settings) {
        ChangefeedReader reader = new ChangefeedReader();
        settings.forEach(reader::take);
        return reader.spec(at, name);
    }

    private void take(Setting setting) {
        switch (setting.key()) {
            case "mode" -> mode = mode(setting);
            case "format" -> format = format(setting);
            case "virtual_timestamps" -> virtualTimestamps = setting.bool();
            case "resolved_timestamps", "barriers_interval" -> barriers = setting.positiveInterval();
            case "initial_scan" -> initialScan = setting.bool();
            case "retention_period" -> retention = setting.positiveInterval();
            case "schema_changes" -> schemaChanges = setting.bool();
            case "user_sids" -> userSids = setting.bool();
            case "trace_ids" -> refuseTraceIds(setting);
            case "topic_auto_partitioning" -> autoPartitioning = setting.enabled();
            case "topic_min_active_partitions" -> minActivePartitions = setting.positive();
            case "topic_max_active_partitions" -> maxActivePartitions = setting.positive();
            case "aws_region" -> awsRegion = setting;
            default -> setting.refuse("Unknown changefeed setting: " + setting.name());
        }
    }

    private static ChangefeedSpec.Mode mode(Setting setting) {
        try {
            return ChangefeedSpec.Mode.valueOf(setting.word().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return setting.refuse("Unknown changefeed mode: " + setting.word());
        }
    }

    private static ChangefeedSpec.Format format(Setting setting) {
        try {
            return ChangefeedSpec.Format.valueOf(setting.word().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return setting.refuse("Unknown changefeed format: " + setting.word());
        }
    }

    private static void refuseTraceIds(Setting setting) {
        if (setting.bool()) {
            setting.refuse("TRACE_IDS is not supported by this server");
        }
    }

    private ChangefeedSpec spec(Position at, String name) {
        if (mode == null) {
            throw at.error("Changefeed " + name + " needs a MODE");
        }
        if (format == null) {
            throw at.error("Changefeed " + name + " needs a FORMAT");
        }
        if (awsRegion != null) {
            if (format != ChangefeedSpec.Format.DYNAMODB_STREAMS_JSON) {
                throw awsRegion
                        .at()
                        .error(Status.BAD_REQUEST, 0, "AWS_REGION incompatible with specified stream format");
            }
            attributes.put("aws_region", awsRegion.word());
        }
        return new ChangefeedSpec(
                name,
                mode,
                format,
                virtualTimestamps,
                barriers,
                initialScan,
                retention,
                schemaChanges,
                userSids,
                autoPartitioning,
                minActivePartitions,
                maxActivePartitions,
                attributes);
    }
}
