package io.aardappel.emulator.query;

import io.aardappel.emulator.model.table.Column;
import io.aardappel.emulator.model.table.Declarations.TimeToLive;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.value.LiteralFit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The settings of one CREATE TABLE ... WITH or ALTER TABLE ... SET. */
final class TableSettings {
    private final List<Column> columns;
    private final List<String> primaryKey;
    private int uniform = 1;
    private List<List<@Nullable Object>> atKeys = List.of();
    private @Nullable Boolean bySize;
    private @Nullable Boolean byLoad;
    private long sizeMb;
    private long minPartitions;
    private long maxPartitions;
    private @Nullable TimeToLive ttl;
    private boolean partitioned;

    /** @param columns of the table, whose types the keys in PARTITION_AT_KEYS get */
    TableSettings(List<Column> columns, List<String> primaryKey) {
        this.columns = columns;
        this.primaryKey = primaryKey;
    }

    void take(Settings.Setting setting) {
        if (setting.on() != null && !setting.key().equals("ttl")) {
            setting.refuse("ON is not allowed in " + setting.name());
        }
        switch (setting.key()) {
            case "ttl" -> ttl = timeToLive(setting);
            case "key_bloom_filter" -> setting.enabled();
            case "store" -> requireRows(setting);
            default -> {
                takePartitioning(setting);
                partitioned = true;
            }
        }
    }

    private void takePartitioning(Settings.Setting setting) {
        switch (setting.key()) {
            case "uniform_partitions" -> uniform = setting.positive();
            case "partition_at_keys" -> atKeys = keys(setting);
            case "auto_partitioning_by_size" -> bySize = setting.enabled();
            case "auto_partitioning_by_load" -> byLoad = setting.enabled();
            case "auto_partitioning_partition_size_mb" -> sizeMb = setting.positive();
            case "auto_partitioning_min_partitions_count" -> minPartitions = setting.positive();
            case "auto_partitioning_max_partitions_count" -> maxPartitions = setting.positive();
            default -> setting.refuse("Unknown table setting: " + setting.name());
        }
    }

    TableSpec.Partitioning partitioning() {
        return new TableSpec.Partitioning(uniform, atKeys, bySize, byLoad, sizeMb, minPartitions, maxPartitions);
    }

    @Nullable
    TimeToLive ttl() {
        return ttl;
    }

    void addChanges(List<TableSpec.Change> changes) {
        if (partitioned) {
            changes.add(new TableSpec.Change.SetPartitioning(partitioning()));
        }
        if (ttl != null) {
            changes.add(new TableSpec.Change.SetTtl(ttl));
        }
    }

    private static TimeToLive timeToLive(Settings.Setting setting) {
        if (setting.on() == null) {
            return setting.refuse("TTL needs a column: TTL = Interval('PT1H') ON column");
        }
        long seconds = setting.interval().toSeconds();
        if (seconds < 0 || seconds > Integer.MAX_VALUE) {
            return setting.refuse("The interval of TTL is out of range");
        }
        return new TimeToLive(setting.on(), unit(setting), (int) seconds, 0);
    }

    private static TimeToLive.@Nullable Unit unit(Settings.Setting setting) {
        if (setting.unit() == null) {
            return null;
        }
        try {
            return TimeToLive.Unit.valueOf(setting.unit().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return setting.refuse("Unknown unit of TTL: " + setting.unit());
        }
    }

    private static void requireRows(Settings.Setting setting) {
        if (!setting.word().equalsIgnoreCase("ROW")) {
            setting.refuse("STORE = " + setting.word() + " is not supported: tables are row-oriented here");
        }
    }

    private List<List<@Nullable Object>> keys(Settings.Setting setting) {
        List<List<@Nullable Object>> keys = new ArrayList<>();
        for (Expression value : setting.values()) {
            List<Expression> parts = value instanceof Expression.Tuple tuple ? tuple.items() : List.of(value);
            List<@Nullable Object> key = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                key.add(keyPart(i, parts.get(i)));
            }
            keys.add(key);
        }
        return keys;
    }

    private @Nullable Object keyPart(int index, Expression part) {
        if (index >= primaryKey.size()) {
            throw part.at().error("PARTITION_AT_KEYS has more values than the key has columns");
        }
        String name = primaryKey.get(index);
        Column column = columns.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> part.at().error("Key column " + name + " is not a column of the table"));
        if (!(part instanceof Expression.Literal literal)) {
            throw part.at().error("PARTITION_AT_KEYS takes literals");
        }
        if (literal.value() == null) {
            return null;
        }
        Object value = LiteralFit.fit(literal.type(), Objects.requireNonNull(literal.value()), column.type());
        if (value == null) {
            throw part.at()
                    .error("Value in PARTITION_AT_KEYS does not fit column " + name + " of type " + column.type());
        }
        return value;
    }
}
