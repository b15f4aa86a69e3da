package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.fault.Hazards;
import io.aardappel.emulator.model.table.Changefeed;
import io.aardappel.emulator.model.table.Changefeeds;
import io.aardappel.emulator.model.table.Commit;
import io.aardappel.emulator.model.table.FeedSource;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec.Format;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec.Mode;
import io.aardappel.emulator.model.topic.FeedTopic;
import io.aardappel.emulator.model.value.Type;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes changefeeds that write topics, and refuses those that YDB refuses. */
public final class TopicChangefeeds implements Changefeeds {
    private static final Duration RETENTION_MAX = Duration.ofDays(31);

    private final Hazards hazards;
    private final Map<String, FeedKnobs> knobs = new ConcurrentHashMap<>();

    /**
     * No feeds yet.
     *
     * @param hazards asked for late records and for barriers that go back or get lost
     */
    public TopicChangefeeds(Hazards hazards) {
        this.hazards = hazards;
    }

    /** What disturbs the feed of that topic path, {@code <table>/<feed>}; may be set before the feed is created. */
    public FeedKnobs knobs(String path) {
        return knobs.computeIfAbsent(path, missing -> new FeedKnobs());
    }

    @Override
    public void check(TableSchema table, ChangefeedSpec spec) {
        checkFormat(spec);
        Duration interval = spec.barriersInterval();
        if (interval != null && (interval.isNegative() || interval.isZero())) {
            throw refused("RESOLVED_TIMESTAMPS must be positive");
        }
        Duration retention = spec.retention();
        if (retention != null && (retention.isNegative() || retention.isZero())) {
            throw refused("RETENTION_PERIOD must be positive");
        }
        if (retention != null && retention.compareTo(RETENTION_MAX) > 0) {
            throw refused("RETENTION_PERIOD must be less than or equal to " + RETENTION_MAX.toDays() + " days");
        }
        if (spec.minActivePartitions() > 0 && !spec.autoPartitioning() && !firstKeyIsUnsigned(table)) {
            throw refused("TOPIC_MIN_ACTIVE_PARTITIONS: the first key column of " + table.path()
                    + " must be Uint32 or Uint64 for an explicit number of partitions");
        }
    }

    @Override
    public Changefeed open(ChangefeedSpec spec, FeedSource source, FeedTopic topic, Commit created) {
        return new TopicFeed(spec, source, topic, created, knobs(source.path() + "/" + spec.name()), hazards);
    }

    private static void checkFormat(ChangefeedSpec spec) {
        if (spec.format() != Format.JSON && spec.mode() == Mode.UPDATES) {
            throw refused(spec.format() + " format incompatible with specified stream mode");
        }
        if (spec.format() == Format.DYNAMODB_STREAMS_JSON) {
            throw refused("DYNAMODB_STREAMS_JSON format incompatible with non-document tables");
        }
        if (spec.format() == Format.JSON) {
            return;
        }
        if (spec.virtualTimestamps()) {
            throw refused("VIRTUAL_TIMESTAMPS incompatible with specified stream format");
        }
        if (spec.barriersInterval() != null) {
            throw refused("RESOLVED_TIMESTAMPS incompatible with specified stream format");
        }
        if (spec.schemaChanges()) {
            throw refused("SCHEMA_CHANGES incompatible with specified stream format");
        }
    }

    private static boolean firstKeyIsUnsigned(TableSchema table) {
        Type first = table.columns().get(table.keyOrdinals()[0]).type();
        return first == Type.Primitive.UINT32 || first == Type.Primitive.UINT64;
    }

    private static YdbException refused(String message) {
        return new YdbException(Status.BAD_REQUEST, message);
    }
}
