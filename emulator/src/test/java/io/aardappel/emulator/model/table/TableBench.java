package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.time.VirtualClock;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.FeedTopic;
import io.aardappel.emulator.model.topic.Topics;
import io.aardappel.emulator.model.value.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A database without changefeeds and with a clock that moves when it is told. */
final class TableBench {
    static final String TABLE = "/local/t";

    /** Feeds that are never asked for. */
    private static final Changefeeds NO_FEEDS = new Changefeeds() {
        @Override
        public void check(TableSchema table, TableSpec.ChangefeedSpec spec) {
            throw new UnsupportedOperationException("no feeds here");
        }

        @Override
        public Changefeed open(TableSpec.ChangefeedSpec spec, FeedSource source, FeedTopic topic, Commit created) {
            throw new UnsupportedOperationException("no feeds here");
        }
    };

    long wall = 1_000_000;
    final Database database = new Database("/local", new VirtualClock(() -> wall), Limits.YDB, new Topics(), NO_FEEDS);

    /** {@code k Int64, v Int64, w Utf8}, key k. */
    TableBench table() {
        return table(
                List.of("k"),
                Column.nullable("k", Type.Primitive.INT64),
                Column.nullable("v", Type.Primitive.INT64),
                Column.nullable("w", Type.Primitive.UTF8));
    }

    TableBench table(List<String> key, Column... columns) {
        database.createTable(spec(key, TableSpec.Partitioning.ONE, columns), false);
        return this;
    }

    static TableSpec spec(List<String> key, TableSpec.Partitioning partitioning, Column... columns) {
        return new TableSpec(TABLE, List.of(columns), key, partitioning, List.of(), Map.of());
    }

    Transaction begin() {
        return database.begin(Transaction.Mode.SERIALIZABLE_READ_WRITE);
    }

    TableSchema schema() {
        return database.describeTable(TABLE).schema();
    }

    static List<@Nullable Object> key(@Nullable Object... parts) {
        return Arrays.asList(parts);
    }

    static RowWrite upsert(long key, @Nullable Long v, @Nullable String w) {
        return new RowWrite(RowWrite.Kind.UPSERT, key(key), new int[] {1, 2}, new Object[] {v, w});
    }

    static RowWrite write(RowWrite.Kind kind, long key, long v) {
        return kind == RowWrite.Kind.DELETE
                ? new RowWrite(kind, key(key), new int[0], new Object[0])
                : new RowWrite(kind, key(key), new int[] {1}, new Object[] {v});
    }

    /** Commits writes in one transaction. */
    VirtualTimestamp commit(RowWrite... writes) {
        Transaction transaction = begin();
        for (RowWrite write : writes) {
            transaction.write(schema(), write);
        }
        return transaction.commit();
    }

    /** All rows that a new transaction sees. */
    List<List<@Nullable Object>> rows() {
        Transaction transaction = database.begin(Transaction.Mode.SNAPSHOT_READ_ONLY);
        List<List<@Nullable Object>> rows = rows(transaction, KeyRange.ALL, false);
        transaction.rollback();
        return rows;
    }

    List<List<@Nullable Object>> rows(Transaction transaction, KeyRange range, boolean reverse) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        transaction.scan(transaction.schema(TABLE), range, reverse, row -> rows.add(Arrays.asList(row)));
        return rows;
    }
}
