package io.aardappel.emulator.grpc;

import io.aardappel.emulator.grpc.value.InvalidValueException;
import io.aardappel.emulator.grpc.value.TypeCodec;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.Declarations;
import io.aardappel.emulator.model.table.Sequence;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.table.TableSpec.Change;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec;
import io.aardappel.emulator.model.table.TableSpec.Partitioning;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.QueryEngine.TypedValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.common.CommonProtos.FeatureFlag;
import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.Changefeed;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.CopyTableItem;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.ExplicitPartitions;
import tech.ydb.proto.table.YdbTable.PartitioningPolicy;
import tech.ydb.proto.table.YdbTable.PartitioningSettings;
import tech.ydb.proto.table.YdbTable.RenameTableItem;
import tech.ydb.proto.table.YdbTable.SequenceDescription;
import tech.ydb.proto.table.YdbTable.StoreType;
import tech.ydb.proto.topic.YdbTopic;

/** Schema requests of the table service. */
final class TableSchemes {
    /** {@code schema_changes} of protocols newer than the one compiled against. */
    private static final int SCHEMA_CHANGES_FIELD = 11;

    void create(Database database, CreateTableRequest request) {
        if (request.getStoreType() == StoreType.STORE_TYPE_COLUMN) {
            throw unsupported("column tables");
        }
        List<Column> columns =
                request.getColumnsList().stream().map(TableSchemes::column).toList();
        TableSpec spec = new TableSpec(
                Databases.absolute(database, request.getPath()),
                columns,
                request.getPrimaryKeyList(),
                partitioning(request, keyTypes(columns, request.getPrimaryKeyList())),
                List.of(),
                request.getAttributesMap(),
                new Declarations(
                        request.getIndexesList().stream()
                                .map(DeclarationCodec::decode)
                                .toList(),
                        request.hasTtlSettings() ? DeclarationCodec.decode(request.getTtlSettings()) : null));
        database.createTable(spec, false);
    }

    private static YdbException unsupported(String what) {
        return new YdbException(Status.UNSUPPORTED, "The emulator has no " + what);
    }

    private static Column column(ColumnMeta meta) {
        Type type = columnType(meta);
        boolean optional = type instanceof Type.Optional;
        if (optional && meta.getNotNull()) {
            throw new YdbException(
                    Status.BAD_REQUEST, "Column " + meta.getName() + " is NOT NULL, its type must not be " + type);
        }
        @Nullable
        Object initial = switch (meta.getDefaultValueCase()) {
            case FROM_LITERAL -> literal(meta, type.unwrapped());
            case FROM_SEQUENCE, DEFAULTVALUE_NOT_SET -> null;
        };
        return new Column(meta.getName(), type.unwrapped(), !optional, initial, numbers(meta));
    }

    private static @Nullable Sequence numbers(ColumnMeta meta) {
        if (!meta.hasFromSequence()) {
            return null;
        }
        SequenceDescription wanted = meta.getFromSequence();
        Sequence usual = Sequence.serial(meta.getName());
        return new Sequence(
                wanted.hasName() ? wanted.getName() : usual.name(),
                wanted.hasStartValue() ? wanted.getStartValue() : usual.start(),
                wanted.hasIncrement() ? wanted.getIncrement() : usual.increment(),
                wanted.hasMinValue() ? wanted.getMinValue() : usual.min(),
                wanted.hasMaxValue() ? wanted.getMaxValue() : usual.max(),
                wanted.hasCache() ? wanted.getCache() : usual.cache(),
                wanted.getCycle());
    }

    private static Type columnType(ColumnMeta meta) {
        try {
            return TypeCodec.decode(meta.getType());
        } catch (InvalidValueException invalid) {
            throw new YdbException(Status.BAD_REQUEST, "Column " + meta.getName() + ": " + invalid.getMessage());
        }
    }

    private static @Nullable Object literal(ColumnMeta meta, Type type) {
        TypedValue value = Queries.typedValue("Default of column " + meta.getName(), meta.getFromLiteral());
        if (!value.type().unwrapped().equals(type)) {
            throw new YdbException(
                    Status.BAD_REQUEST,
                    "Default of column " + meta.getName() + " is a " + value.type() + ", the column holds " + type);
        }
        return value.value();
    }

    private static List<Type> keyTypes(List<Column> columns, List<String> key) {
        return key.stream()
                .flatMap(name -> columns.stream()
                        .filter(column -> column.name().equals(name))
                        .map(Column::type))
                .toList();
    }

    private static Partitioning partitioning(CreateTableRequest request, List<Type> keyTypes) {
        PartitioningPolicy policy = request.getProfile().getPartitioningPolicy();
        long uniform = Math.max(request.getUniformPartitions(), policy.getUniformPartitions());
        ExplicitPartitions explicit =
                request.hasPartitionAtKeys() ? request.getPartitionAtKeys() : policy.getExplicitPartitions();
        List<List<@Nullable Object>> atKeys = new ArrayList<>();
        explicit.getSplitPointsList().forEach(point -> atKeys.add(KeyBounds.tuple("Split point", point, keyTypes)));
        return settings(request.getPartitioningSettings(), Math.toIntExact(Math.max(1, uniform)), atKeys);
    }

    private static Partitioning settings(
            PartitioningSettings settings, int uniform, List<List<@Nullable Object>> atKeys) {
        return new Partitioning(
                uniform,
                atKeys,
                flag(settings.getPartitioningBySize()),
                flag(settings.getPartitioningByLoad()),
                settings.getPartitionSizeMb(),
                settings.getMinPartitionsCount(),
                settings.getMaxPartitionsCount());
    }

    private static @Nullable Boolean flag(FeatureFlag.Status status) {
        return switch (status) {
            case ENABLED -> true;
            case DISABLED -> false;
            case STATUS_UNSPECIFIED, UNRECOGNIZED -> null;
        };
    }

    void alter(Database database, AlterTableRequest request) {
        refuseMixed(request);
        List<Change> changes = new ArrayList<>();
        request.getDropColumnsList().forEach(name -> changes.add(new Change.DropColumn(name)));
        request.getAddColumnsList().forEach(meta -> changes.add(new Change.AddColumn(column(meta))));
        request.getDropChangefeedsList().forEach(name -> changes.add(new Change.DropChangefeed(name)));
        request.getAddChangefeedsList().forEach(feed -> changes.add(new Change.AddChangefeed(changefeed(feed))));
        if (request.hasAlterPartitioningSettings()) {
            changes.add(new Change.SetPartitioning(settings(request.getAlterPartitioningSettings(), 1, List.of())));
        }
        request.getDropIndexesList().forEach(name -> changes.add(new Change.DropIndex(name)));
        request.getAddIndexesList().forEach(index -> changes.add(new Change.AddIndex(DeclarationCodec.decode(index))));
        request.getRenameIndexesList()
                .forEach(item -> changes.add(new Change.RenameIndex(
                        item.getSourceName(), item.getDestinationName(), item.getReplaceDestination())));
        switch (request.getTtlActionCase()) {
            case SET_TTL_SETTINGS ->
                changes.add(new Change.SetTtl(DeclarationCodec.decode(request.getSetTtlSettings())));
            case DROP_TTL_SETTINGS -> changes.add(new Change.SetTtl(null));
            case TTLACTION_NOT_SET -> {
                // It stays as it is.
            }
        }
        String path = Databases.absolute(database, request.getPath());
        if (changes.isEmpty()) {
            database.describeTable(path);
            return;
        }
        database.alterTable(path, changes);
    }

    /** Columns, indexes and changefeeds each want a request of their own, changefeeds one each. */
    private static void refuseMixed(AlterTableRequest request) {
        if (request.getAddChangefeedsCount() > 1) {
            throw unsupportedAlter("Only one changefeed can be added by one operation");
        }
        if (request.getDropChangefeedsCount() > 1) {
            throw unsupportedAlter("Only one changefeed can be removed by one operation");
        }
        long kinds = Stream.of(
                        request.getAddColumnsCount() + request.getDropColumnsCount(),
                        request.getAddIndexesCount(),
                        request.getDropIndexesCount(),
                        request.getAddChangefeedsCount(),
                        request.getDropChangefeedsCount(),
                        request.getRenameIndexesCount())
                .filter(count -> count > 0)
                .count();
        if (kinds > 1) {
            throw unsupportedAlter("Mixed alter is unsupported");
        }
    }

    private static YdbException unsupportedAlter(String message) {
        return new YdbException(Status.UNSUPPORTED, message);
    }

    private static ChangefeedSpec changefeed(Changefeed feed) {
        YdbTopic.PartitioningSettings partitions = feed.getTopicPartitioningSettings();
        boolean auto = switch (partitions.getAutoPartitioningSettings().getStrategy()) {
            case AUTO_PARTITIONING_STRATEGY_SCALE_UP,
                    AUTO_PARTITIONING_STRATEGY_SCALE_UP_AND_DOWN,
                    AUTO_PARTITIONING_STRATEGY_PAUSED -> true;
            default -> false;
        };
        return new ChangefeedSpec(
                feed.getName(),
                mode(feed),
                format(feed),
                feed.getVirtualTimestamps(),
                feed.hasResolvedTimestampsInterval() ? duration(feed.getResolvedTimestampsInterval()) : null,
                feed.getInitialScan(),
                feed.hasRetentionPeriod() ? duration(feed.getRetentionPeriod()) : null,
                feed.getUnknownFields().hasField(SCHEMA_CHANGES_FIELD),
                false,
                auto,
                Math.toIntExact(partitions.getMinActivePartitions()),
                Math.toIntExact(partitions.getMaxActivePartitions()),
                feed.getAttributesMap());
    }

    private static Duration duration(com.google.protobuf.Duration wire) {
        return Duration.ofSeconds(wire.getSeconds(), wire.getNanos());
    }

    private static ChangefeedSpec.Mode mode(Changefeed feed) {
        return switch (feed.getMode()) {
            case MODE_KEYS_ONLY -> ChangefeedSpec.Mode.KEYS_ONLY;
            case MODE_UPDATES -> ChangefeedSpec.Mode.UPDATES;
            case MODE_NEW_IMAGE -> ChangefeedSpec.Mode.NEW_IMAGE;
            case MODE_OLD_IMAGE -> ChangefeedSpec.Mode.OLD_IMAGE;
            case MODE_NEW_AND_OLD_IMAGES -> ChangefeedSpec.Mode.NEW_AND_OLD_IMAGES;
            case MODE_UNSPECIFIED, UNRECOGNIZED ->
                throw new YdbException(
                        Status.BAD_REQUEST, "Changefeed " + feed.getName() + ": invalid mode " + feed.getModeValue());
        };
    }

    private static ChangefeedSpec.Format format(Changefeed feed) {
        return switch (feed.getFormat()) {
            case FORMAT_JSON -> ChangefeedSpec.Format.JSON;
            case FORMAT_DYNAMODB_STREAMS_JSON -> ChangefeedSpec.Format.DYNAMODB_STREAMS_JSON;
            case FORMAT_DEBEZIUM_JSON -> ChangefeedSpec.Format.DEBEZIUM_JSON;
            case FORMAT_UNSPECIFIED, UNRECOGNIZED ->
                throw new YdbException(
                        Status.BAD_REQUEST,
                        "Changefeed " + feed.getName() + ": invalid format " + feed.getFormatValue());
        };
    }

    void drop(Database database, String path) {
        database.dropTable(Databases.absolute(database, path), false);
    }

    /** Copies rows as they are now and the columns, not the changefeeds. */
    void copy(Database database, String source, String destination) {
        database.copyTable(Databases.absolute(database, source), Databases.absolute(database, destination));
    }

    void copy(Database database, List<CopyTableItem> tables) {
        if (tables.isEmpty()) {
            throw new YdbException(Status.BAD_REQUEST, "no tables to copy");
        }
        tables.forEach(table -> copy(database, table.getSourcePath(), table.getDestinationPath()));
    }

    void rename(Database database, List<RenameTableItem> tables) {
        if (tables.isEmpty()) {
            throw new YdbException(Status.BAD_REQUEST, "no tables to rename");
        }
        tables.forEach(table -> database.renameTable(
                Databases.absolute(database, table.getSourcePath()),
                Databases.absolute(database, table.getDestinationPath()),
                table.getReplaceDestination()));
    }
}
