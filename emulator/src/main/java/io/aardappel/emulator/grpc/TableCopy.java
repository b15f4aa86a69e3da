package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.KeyRange;
import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.table.Shard;
import io.aardappel.emulator.model.table.TableDescription;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.TableSpec;
import io.aardappel.emulator.model.table.TableSpec.Partitioning;
import io.aardappel.emulator.model.table.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Copies and renames tables by way of new ones. Neither is atomic: rows written meanwhile may be missing in the new table. */
final class TableCopy {
    private TableCopy() {}

    static void copy(Database database, String source, String destination) {
        TableDescription table = database.describeTable(source);
        database.createTable(
                new TableSpec(
                        destination,
                        table.schema().columns(),
                        table.schema().primaryKey(),
                        withShardsOf(table),
                        List.of(),
                        table.attributes(),
                        table.declarations()),
                false);
        database.bulkUpsert(destination, rows(database, table.schema()), null);
    }

    private static Partitioning withShardsOf(TableDescription table) {
        Partitioning old = table.partitioning();
        List<List<@Nullable Object>> borders = new ArrayList<>();
        table.shards().stream().map(Shard::from).filter(Objects::nonNull).forEach(borders::add);
        return new Partitioning(
                1, borders, old.bySize(), old.byLoad(), old.sizeMb(), old.minPartitions(), old.maxPartitions());
    }

    private static List<RowWrite> rows(Database database, TableSchema table) {
        int[] key = table.keyOrdinals();
        int[] others = IntStream.range(0, table.columns().size())
                .filter(ordinal -> Arrays.stream(key).noneMatch(each -> each == ordinal))
                .toArray();
        List<RowWrite> writes = new ArrayList<>();
        Transaction reader = database.begin(Transaction.Mode.SNAPSHOT_READ_ONLY);
        try {
            reader.scan(reader.schema(table.path()), KeyRange.ALL, false, row -> {
                writes.add(
                        new RowWrite(RowWrite.Kind.UPSERT, Arrays.asList(pick(row, key)), others, pick(row, others)));
                return true;
            });
        } finally {
            reader.rollback();
        }
        return writes;
    }

    private static @Nullable Object[] pick(@Nullable Object[] row, int[] ordinals) {
        @Nullable Object[] picked = new Object[ordinals.length];
        for (int i = 0; i < ordinals.length; i++) {
            picked[i] = row[ordinals[i]];
        }
        return picked;
    }

    static void rename(Database database, String source, String destination, boolean replace) {
        if (!database.describeTable(source).changefeeds().isEmpty()) {
            throw new YdbException(
                    Status.PRECONDITION_FAILED, Issue.of("Cannot move table with cdc streams: " + source));
        }
        if (replace) {
            database.dropTable(destination, true);
        }
        copy(database, source, destination);
        database.dropTable(source, false);
    }
}
