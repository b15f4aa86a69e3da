package io.aardappel.e2e.snapshot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos;
import tech.ydb.table.values.OptionalType;
import tech.ydb.table.values.Type;

/**
 * A random table of the source with its changefeed, and the pool of keys that the workload uses, small enough that keys
 * are deleted, inserted again and fought over. What {@link TableColumns} says of its columns is newer.
 *
 * @param columns those that the table is made with
 * @param keyColumns the first columns of {@code columns}, in key order
 * @param partitions shards of the table, hence partitions of its feed
 * @param scanned whether rows are there before the feed, so that it begins with an initial scan
 */
record SourceTable(
        String name,
        List<Column> columns,
        int keyColumns,
        String partitioning,
        int partitions,
        String mode,
        boolean scanned,
        List<List<ValueProtos.Value>> keys) {
    private static final List<String> MODES = List.of("UPDATES", "NEW_IMAGE", "UPDATES", "NEW_AND_OLD_IMAGES");

    /**
     * A column.
     *
     * @param byDefault the literal of its default, null when it has none
     */
    record Column(
            String name,
            ColumnType type,
            boolean notNull,
            @Nullable String byDefault) {
        Column(String name, ColumnType type, boolean notNull) {
            this(name, type, notNull, null);
        }

        Type valueType() {
            return notNull ? type.type() : OptionalType.of(type.type());
        }

        /** Whether a new row must name it. */
        boolean isRequired() {
            return notNull && byDefault == null;
        }

        /** As in CREATE TABLE and ADD COLUMN. */
        String definition() {
            return "`" + name + "` " + type.yql() + (notNull ? " NOT NULL" : "")
                    + (byDefault == null ? "" : " DEFAULT " + byDefault);
        }
    }

    /** Four or more tables that together have a column of every type. */
    static List<SourceTable> random(Random random, int tables, int keysPerTable) {
        List<ColumnType> types = new ArrayList<>(ColumnType.all());
        Collections.shuffle(types, random);
        List<SourceTable> result = new ArrayList<>();
        for (int i = 0; i < tables; i++) {
            int from = types.size() * i / tables;
            int to = types.size() * (i + 1) / tables;
            result.add(table(random, i, types.subList(from, to), keysPerTable));
        }
        return result;
    }

    private static SourceTable table(Random random, int index, List<ColumnType> types, int keyCount) {
        FirstKey first = FirstKey.values()[random.nextInt(FirstKey.values().length)];
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("k0", first.type, random.nextBoolean()));
        List<ColumnType> keyTypes = types.stream()
                .filter(ColumnType::mayBeKey)
                .limit(random.nextInt(3))
                .toList();
        for (ColumnType type : keyTypes) {
            columns.add(new Column("k" + columns.size(), type, random.nextBoolean()));
        }
        int keyColumns = columns.size();
        for (ColumnType type : types) {
            columns.add(
                    new Column("c_" + type.name().toLowerCase(java.util.Locale.ROOT), type, random.nextInt(6) == 0));
        }
        List<List<ValueProtos.Value>> keys = new ArrayList<>();
        for (int i = 0; i < keyCount; i++) {
            List<ValueProtos.Value> key = new ArrayList<>();
            key.add(first.spread(random, i, keyCount));
            for (int k = 1; k < keyColumns; k++) {
                key.add(columns.get(k).type().random(random));
            }
            keys.add(key);
        }
        return new SourceTable(
                "t" + index + "_" + first.name().toLowerCase(java.util.Locale.ROOT),
                List.copyOf(columns),
                keyColumns,
                first.partitioning,
                3,
                MODES.get(index % MODES.size()),
                random.nextBoolean(),
                List.copyOf(keys));
    }

    List<Column> key() {
        return columns.subList(0, keyColumns);
    }

    String createSource() {
        return create(" WITH (" + partitioning + ")");
    }

    String createDestination() {
        return create("");
    }

    private String create(String with) {
        String list = columns.stream().map(Column::definition).collect(Collectors.joining(", "));
        String key = key().stream().map(c -> "`" + c.name() + "`").collect(Collectors.joining(", "));
        return "CREATE TABLE `" + name + "` (" + list + ", PRIMARY KEY (" + key + "))" + with + ";";
    }

    String addChangefeed() {
        return "ALTER TABLE `" + name + "` ADD CHANGEFEED feed WITH (MODE = '" + mode
                + "', FORMAT = 'JSON', VIRTUAL_TIMESTAMPS = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'), INITIAL_SCAN = "
                + (scanned ? "TRUE" : "FALSE") + ");";
    }

    String addConsumer() {
        return "ALTER TOPIC `" + name + "/feed` ADD CONSUMER replicator;";
    }

    /** First key columns over which a table can be cut in three shards from the beginning. */
    private enum FirstKey {
        UINT64(ColumnType.UINT64, "UNIFORM_PARTITIONS = 3") {
            @Override
            ValueProtos.Value spread(Random random, int index, int count) {
                return ValueProtos.Value.newBuilder()
                        .setUint64Value(Long.divideUnsigned(-1L, count) * index + random.nextInt(100))
                        .build();
            }
        },
        UINT32(ColumnType.UINT32, "UNIFORM_PARTITIONS = 3") {
            @Override
            ValueProtos.Value spread(Random random, int index, int count) {
                return ValueProtos.Value.newBuilder()
                        .setUint32Value((int) (0xFFFF_FFFFL / count * index))
                        .build();
            }
        },
        INT32(ColumnType.INT32, "PARTITION_AT_KEYS = (-100, 100)") {
            @Override
            ValueProtos.Value spread(Random random, int index, int count) {
                return ValueProtos.Value.newBuilder()
                        .setInt32Value((index - count / 2) * (index % 7 == 0 ? 100_000 : 1))
                        .build();
            }
        },
        UTF8(ColumnType.UTF8, "PARTITION_AT_KEYS = ('h', 'p')") {
            @Override
            ValueProtos.Value spread(Random random, int index, int count) {
                return ValueProtos.Value.newBuilder()
                        .setTextValue((char) ('a' + index % 26) + " \"key\" " + index)
                        .build();
            }
        };

        private final ColumnType type;
        private final String partitioning;

        FirstKey(ColumnType type, String partitioning) {
            this.type = type;
            this.partitioning = partitioning;
        }

        /** The key of that index; different indexes give different keys. */
        abstract ValueProtos.Value spread(Random random, int index, int count);
    }
}
