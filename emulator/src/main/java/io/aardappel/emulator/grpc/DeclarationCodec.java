package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Declarations.Index;
import io.aardappel.emulator.model.table.Declarations.TimeToLive;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.table.YdbTable.DateTypeColumnModeSettings;
import tech.ydb.proto.table.YdbTable.GlobalAsyncIndex;
import tech.ydb.proto.table.YdbTable.GlobalIndex;
import tech.ydb.proto.table.YdbTable.GlobalUniqueIndex;
import tech.ydb.proto.table.YdbTable.TableIndex;
import tech.ydb.proto.table.YdbTable.TableIndexDescription;
import tech.ydb.proto.table.YdbTable.TtlSettings;
import tech.ydb.proto.table.YdbTable.ValueSinceUnixEpochModeSettings;

/** Indexes and TTL as the protocol writes them. */
final class DeclarationCodec {
    private DeclarationCodec() {}

    static Index decode(TableIndex index) {
        Index.Kind kind = switch (index.getTypeCase()) {
            case GLOBAL_INDEX, TYPE_NOT_SET -> Index.Kind.GLOBAL;
            case GLOBAL_ASYNC_INDEX -> Index.Kind.GLOBAL_ASYNC;
            case GLOBAL_UNIQUE_INDEX -> Index.Kind.GLOBAL_UNIQUE;
        };
        return new Index(index.getName(), kind, index.getIndexColumnsList(), index.getDataColumnsList());
    }

    static TableIndexDescription encode(Index index) {
        TableIndexDescription.Builder description = TableIndexDescription.newBuilder()
                .setName(index.name())
                .addAllIndexColumns(index.columns())
                .addAllDataColumns(index.dataColumns())
                .setStatus(TableIndexDescription.Status.STATUS_READY);
        switch (index.kind()) {
            case GLOBAL -> description.setGlobalIndex(GlobalIndex.getDefaultInstance());
            case GLOBAL_ASYNC -> description.setGlobalAsyncIndex(GlobalAsyncIndex.getDefaultInstance());
            case GLOBAL_UNIQUE -> description.setGlobalUniqueIndex(GlobalUniqueIndex.getDefaultInstance());
        }
        return description.build();
    }

    static TimeToLive decode(TtlSettings settings) {
        return switch (settings.getModeCase()) {
            case DATE_TYPE_COLUMN ->
                new TimeToLive(
                        settings.getDateTypeColumn().getColumnName(),
                        null,
                        settings.getDateTypeColumn().getExpireAfterSeconds(),
                        settings.getRunIntervalSeconds());
            case VALUE_SINCE_UNIX_EPOCH ->
                new TimeToLive(
                        settings.getValueSinceUnixEpoch().getColumnName(),
                        unit(settings.getValueSinceUnixEpoch().getColumnUnit()),
                        settings.getValueSinceUnixEpoch().getExpireAfterSeconds(),
                        settings.getRunIntervalSeconds());
            case MODE_NOT_SET -> throw new YdbException(Status.BAD_REQUEST, "TTL settings without a mode");
        };
    }

    private static TimeToLive.Unit unit(ValueSinceUnixEpochModeSettings.Unit unit) {
        return switch (unit) {
            case UNIT_SECONDS -> TimeToLive.Unit.SECONDS;
            case UNIT_MILLISECONDS -> TimeToLive.Unit.MILLISECONDS;
            case UNIT_MICROSECONDS -> TimeToLive.Unit.MICROSECONDS;
            case UNIT_NANOSECONDS -> TimeToLive.Unit.NANOSECONDS;
            case UNIT_UNSPECIFIED, UNRECOGNIZED ->
                throw new YdbException(Status.BAD_REQUEST, "TTL settings without a unit of the column");
        };
    }

    static TtlSettings encode(TimeToLive ttl) {
        TtlSettings.Builder settings = TtlSettings.newBuilder().setRunIntervalSeconds(ttl.runIntervalSeconds());
        TimeToLive.@Nullable Unit unit = ttl.unit();
        if (unit == null) {
            return settings.setDateTypeColumn(DateTypeColumnModeSettings.newBuilder()
                            .setColumnName(ttl.column())
                            .setExpireAfterSeconds(ttl.expireAfterSeconds()))
                    .build();
        }
        return settings.setValueSinceUnixEpoch(ValueSinceUnixEpochModeSettings.newBuilder()
                        .setColumnName(ttl.column())
                        .setColumnUnit(ValueSinceUnixEpochModeSettings.Unit.valueOf("UNIT_" + unit))
                        .setExpireAfterSeconds(ttl.expireAfterSeconds()))
                .build();
    }
}
