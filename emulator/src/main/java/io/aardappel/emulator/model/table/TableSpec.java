package io.aardappel.emulator.model.table;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What CREATE TABLE asks for. */
public record TableSpec(
        String path,
        List<Column> columns,
        List<String> primaryKey,
        Partitioning partitioning,
        List<ChangefeedSpec> changefeeds,
        Map<String, String> attributes,
        Declarations declarations) {
    /** A table without indexes and TTL. */
    public TableSpec(
            String path,
            List<Column> columns,
            List<String> primaryKey,
            Partitioning partitioning,
            List<ChangefeedSpec> changefeeds,
            Map<String, String> attributes) {
        this(path, columns, primaryKey, partitioning, changefeeds, attributes, Declarations.NONE);
    }

    public TableSpec {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
        changefeeds = List.copyOf(changefeeds);
        attributes = Map.copyOf(attributes);
    }

    /**
     * How the table is cut into shards.
     *
     * @param uniform number of shards by the range of the first key column (Uint32 or Uint64), 1 for none
     * @param atKeys first keys of the second and later shards, each a prefix of the key; empty for none
     * @param minPartitions AUTO_PARTITIONING_MIN_PARTITIONS_COUNT, 0 when not given
     * @param maxPartitions AUTO_PARTITIONING_MAX_PARTITIONS_COUNT, 0 when not given
     */
    public record Partitioning(
            int uniform,
            List<List<@Nullable Object>> atKeys,
            @Nullable Boolean bySize,
            @Nullable Boolean byLoad,
            long sizeMb,
            long minPartitions,
            long maxPartitions) {
        public static final Partitioning ONE = new Partitioning(1, List.of(), null, null, 0, 0, 0);

        /** These settings where {@code changes} does not name others; the cut into shards stays. */
        Partitioning overlaid(Partitioning changes) {
            return new Partitioning(
                    uniform,
                    atKeys,
                    changes.bySize == null ? bySize : changes.bySize,
                    changes.byLoad == null ? byLoad : changes.byLoad,
                    changes.sizeMb == 0 ? sizeMb : changes.sizeMb,
                    changes.minPartitions == 0 ? minPartitions : changes.minPartitions,
                    changes.maxPartitions == 0 ? maxPartitions : changes.maxPartitions);
        }
    }

    /** One change of ALTER TABLE. */
    public sealed interface Change {
        record AddColumn(Column column) implements Change {}

        record DropColumn(String name) implements Change {}

        record AddChangefeed(ChangefeedSpec changefeed) implements Change {}

        record DropChangefeed(String name) implements Change {}

        /** Changes the settings that are given, not the shards. */
        record SetPartitioning(Partitioning partitioning) implements Change {}

        record AddIndex(Declarations.Index index) implements Change {}

        record DropIndex(String name) implements Change {}

        record RenameIndex(String from, String to, boolean replace) implements Change {}

        /** Null takes the TTL away. */
        record SetTtl(Declarations.@Nullable TimeToLive ttl) implements Change {}
    }

    /** What ADD CHANGEFEED asks for. Barriers have whole seconds; null or below one second is off. */
    public record ChangefeedSpec(
            String name,
            Mode mode,
            Format format,
            boolean virtualTimestamps,
            @Nullable Duration barriersInterval,
            boolean initialScan,
            @Nullable Duration retention,
            boolean schemaChanges,
            boolean userSids,
            boolean autoPartitioning,
            int minActivePartitions,
            int maxActivePartitions,
            Map<String, String> attributes) {
        public enum Mode {
            KEYS_ONLY,
            UPDATES,
            NEW_IMAGE,
            OLD_IMAGE,
            NEW_AND_OLD_IMAGES
        }

        public enum Format {
            JSON,
            DYNAMODB_STREAMS_JSON,
            DEBEZIUM_JSON
        }
    }
}
