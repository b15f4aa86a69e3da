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
        Map<String, String> attributes) {
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
    }

    /** One change of ALTER TABLE. */
    public sealed interface Change {
        record AddColumn(Column column) implements Change {}

        record DropColumn(String name) implements Change {}

        record AddChangefeed(ChangefeedSpec changefeed) implements Change {}

        record DropChangefeed(String name) implements Change {}

        record SetPartitioning(Partitioning partitioning) implements Change {}
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
