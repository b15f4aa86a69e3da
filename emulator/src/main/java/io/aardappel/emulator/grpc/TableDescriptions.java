package io.aardappel.emulator.grpc;

import com.google.protobuf.Timestamp;
import com.google.protobuf.UnknownFieldSet;
import io.aardappel.emulator.grpc.value.TypeCodec;
import io.aardappel.emulator.grpc.value.ValueEncoder;
import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Changefeed;
import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.Declarations;
import io.aardappel.emulator.model.table.SchemeEntry;
import io.aardappel.emulator.model.table.Sequence;
import io.aardappel.emulator.model.table.Shard;
import io.aardappel.emulator.model.table.TableDescription;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec;
import io.aardappel.emulator.model.table.TableSpec.Partitioning;
import io.aardappel.emulator.model.value.Type;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.common.CommonProtos.FeatureFlag;
import tech.ydb.proto.table.YdbTable.ChangefeedDescription;
import tech.ydb.proto.table.YdbTable.ChangefeedFormat;
import tech.ydb.proto.table.YdbTable.ChangefeedMode;
import tech.ydb.proto.table.YdbTable.ColumnFamily;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;
import tech.ydb.proto.table.YdbTable.PartitionStats;
import tech.ydb.proto.table.YdbTable.PartitioningSettings;
import tech.ydb.proto.table.YdbTable.SequenceDescription;
import tech.ydb.proto.table.YdbTable.StoreType;
import tech.ydb.proto.table.YdbTable.TableStats;

/** A table as DescribeTable shows it. */
final class TableDescriptions {
    /** {@code initial_scan_progress} and {@code schema_changes} of protocols newer than the one compiled against. */
    private static final int SCAN_PROGRESS_FIELD = 9;

    private static final int SCHEMA_CHANGES_FIELD = 10;
    private static final int PARTS_TOTAL_FIELD = 1;
    private static final int PARTS_COMPLETED_FIELD = 2;

    /** A guess at what a row weighs: nobody may rely on sizes, but they must not be zero where there are rows. */
    private static final long ROW_BYTES = 100;

    private TableDescriptions() {}

    static DescribeTableResult encode(Database database, DescribeTableRequest request, int nodeId) {
        String path = Databases.absolute(database, request.getPath());
        SchemeEntry entry = database.describePath(path);
        if (entry.kind() != SchemeEntry.Kind.TABLE) {
            // The database itself counts as a directory here.
            String kind = entry.kind() == SchemeEntry.Kind.TOPIC ? "TOPIC" : "DIRECTORY";
            throw new YdbException(
                    Status.SCHEME_ERROR, Issue.of("Entry " + entry.name() + " with type " + kind + " is not a table"));
        }
        TableDescription table = database.describeTable(path);
        DescribeTableResult.Builder result = DescribeTableResult.newBuilder()
                .setSelf(SchemeEntries.encode(entry))
                .addAllPrimaryKey(table.schema().primaryKey())
                .setPartitioningSettings(partitioning(table.partitioning()))
                .addColumnFamilies(ColumnFamily.newBuilder()
                        .setName("default")
                        .setCompression(ColumnFamily.Compression.COMPRESSION_NONE))
                .setStoreType(StoreType.STORE_TYPE_ROW)
                .putAllAttributes(table.attributes());
        table.schema().columns().forEach(column -> result.addColumns(column(column)));
        table.declarations().indexes().forEach(index -> result.addIndexes(DeclarationCodec.encode(index)));
        Declarations.TimeToLive ttl = table.declarations().ttl();
        if (ttl != null) {
            result.setTtlSettings(DeclarationCodec.encode(ttl));
        }
        table.changefeeds().forEach(feed -> result.addChangefeeds(changefeed(feed)));
        if (request.getIncludeShardKeyBounds()) {
            bounds(table).forEach(result::addShardKeyBounds);
        }
        if (request.getIncludeTableStats()) {
            result.setTableStats(stats(table, request.getIncludePartitionStats(), nodeId));
        }
        return result.build();
    }

    private static ColumnMeta column(Column column) {
        ColumnMeta.Builder meta = ColumnMeta.newBuilder()
                .setName(column.name())
                .setType(TypeCodec.encode(column.resultType()))
                .setNotNull(column.notNull());
        Sequence numbers = column.numbers();
        if (numbers != null) {
            meta.setFromSequence(SequenceDescription.newBuilder()
                    .setName(numbers.name())
                    .setStartValue(numbers.start())
                    .setIncrement(numbers.increment())
                    .setMinValue(numbers.min())
                    .setMaxValue(numbers.max())
                    .setCache(numbers.cache())
                    .setCycle(numbers.cycle()));
        } else if (column.defaultValue() != null) {
            meta.setFromLiteral(ValueProtos.TypedValue.newBuilder()
                    .setType(TypeCodec.encode(column.type()))
                    .setValue(ValueEncoder.of(column.type()).encode(column.defaultValue())));
        }
        return meta.build();
    }

    private static PartitioningSettings partitioning(Partitioning partitioning) {
        return PartitioningSettings.newBuilder()
                .setPartitioningBySize(flag(partitioning.bySize(), FeatureFlag.Status.DISABLED))
                .setPartitioningByLoad(flag(partitioning.byLoad(), FeatureFlag.Status.DISABLED))
                .setPartitionSizeMb(partitioning.sizeMb())
                .setMinPartitionsCount(partitioning.minPartitions())
                .setMaxPartitionsCount(partitioning.maxPartitions())
                .build();
    }

    private static FeatureFlag.Status flag(@Nullable Boolean value, FeatureFlag.Status otherwise) {
        if (value == null) {
            return otherwise;
        }
        return value ? FeatureFlag.Status.ENABLED : FeatureFlag.Status.DISABLED;
    }

    private static ChangefeedDescription changefeed(Changefeed.Description feed) {
        ChangefeedSpec spec = feed.spec();
        ChangefeedDescription.Builder description = ChangefeedDescription.newBuilder()
                .setName(spec.name())
                .setMode(mode(spec.mode()))
                .setFormat(format(spec.format()))
                .setStateValue(feed.state().number())
                .setVirtualTimestamps(spec.virtualTimestamps())
                .putAllAttributes(spec.attributes());
        Duration barriers = spec.barriersInterval();
        if (barriers != null && barriers.toSeconds() > 0) {
            description.setResolvedTimestampsInterval(
                    com.google.protobuf.Duration.newBuilder().setSeconds(barriers.toSeconds()));
        }
        return description.setUnknownFields(newerFields(feed)).build();
    }

    private static UnknownFieldSet newerFields(Changefeed.Description feed) {
        UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder();
        if (feed.partsTotal() > 0) {
            UnknownFieldSet progress = UnknownFieldSet.newBuilder()
                    .mergeVarintField(PARTS_TOTAL_FIELD, feed.partsTotal())
                    .mergeVarintField(PARTS_COMPLETED_FIELD, feed.partsCompleted())
                    .build();
            fields.mergeField(
                    SCAN_PROGRESS_FIELD,
                    UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(progress.toByteString())
                            .build());
        }
        if (feed.spec().schemaChanges()) {
            fields.mergeVarintField(SCHEMA_CHANGES_FIELD, 1);
        }
        return fields.build();
    }

    private static ChangefeedMode.Mode mode(ChangefeedSpec.Mode mode) {
        return switch (mode) {
            case KEYS_ONLY -> ChangefeedMode.Mode.MODE_KEYS_ONLY;
            case UPDATES -> ChangefeedMode.Mode.MODE_UPDATES;
            case NEW_IMAGE -> ChangefeedMode.Mode.MODE_NEW_IMAGE;
            case OLD_IMAGE -> ChangefeedMode.Mode.MODE_OLD_IMAGE;
            case NEW_AND_OLD_IMAGES -> ChangefeedMode.Mode.MODE_NEW_AND_OLD_IMAGES;
        };
    }

    private static ChangefeedFormat.Format format(ChangefeedSpec.Format format) {
        return switch (format) {
            case JSON -> ChangefeedFormat.Format.FORMAT_JSON;
            case DYNAMODB_STREAMS_JSON -> ChangefeedFormat.Format.FORMAT_DYNAMODB_STREAMS_JSON;
            case DEBEZIUM_JSON -> ChangefeedFormat.Format.FORMAT_DEBEZIUM_JSON;
        };
    }

    /** The first keys of all shards but the first. */
    private static List<ValueProtos.TypedValue> bounds(TableDescription table) {
        List<Type> types = KeyBounds.keyTypes(table.schema());
        return table.shards().stream()
                .map(Shard::from)
                .filter(from -> from != null)
                .map(from -> bound(types, from))
                .toList();
    }

    private static ValueProtos.TypedValue bound(List<Type> keyTypes, List<@Nullable Object> from) {
        Type.Tuple type = new Type.Tuple(
                keyTypes.subList(0, from.size()).stream().map(Type::nullable).toList());
        return ValueProtos.TypedValue.newBuilder()
                .setType(TypeCodec.encode(type))
                .setValue(ValueEncoder.of(type).encode(from))
                .build();
    }

    private static TableStats stats(TableDescription table, boolean partitions, int nodeId) {
        TableStats.Builder stats = TableStats.newBuilder()
                .setRowsEstimate(table.rows())
                .setStoreSize(table.rows() * ROW_BYTES)
                .setPartitions(table.shards().size())
                .setCreationTime(timestamp(table.createdAtMillis()))
                .setModificationTime(timestamp(table.modifiedAtMillis()));
        if (partitions) {
            table.shardRows()
                    .forEach(rows -> stats.addPartitionStats(PartitionStats.newBuilder()
                            .setRowsEstimate(rows)
                            .setStoreSize(rows * ROW_BYTES)
                            .setLeaderNodeId(nodeId)));
        }
        return stats.build();
    }

    private static Timestamp timestamp(long millis) {
        return Timestamp.newBuilder()
                .setSeconds(Math.floorDiv(millis, 1_000))
                .setNanos((int) Math.floorMod(millis, 1_000L) * 1_000_000)
                .build();
    }

    /** Only for callers that have a schema already. */
    static List<Type.Member> members(TableSchema table, List<String> columns, boolean asOptional) {
        return columns.stream()
                .map(name -> {
                    Column column = table.columns().get(table.indexOf(name));
                    Type type = asOptional ? column.type().nullable() : column.resultType();
                    return new Type.Member(name, type);
                })
                .toList();
    }
}
