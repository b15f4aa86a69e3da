package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.time.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows a table and the database's clock to the feeds on it. */
record TableFeedSource(StoredTable table, VirtualClock clock) implements FeedSource {
    @Override
    public String path() {
        return table.path();
    }

    @Override
    public TableSchema schema() {
        return table.schema();
    }

    @Override
    public List<Shard> shards() {
        return table.shards();
    }

    @Override
    public int compareKeys(List<@Nullable Object> a, List<@Nullable Object> b) {
        return table.rows.compare(a, b);
    }

    @Override
    public Slice rows(Shard shard, @Nullable List<@Nullable Object> after, int max) {
        List<@Nullable Object> low = after == null ? shard.from() : KeyBounds.behind(after);
        List<StoredRow> found = new ArrayList<>();
        List<@Nullable Object> last = null;
        int looked = 0;
        for (Map.Entry<List<@Nullable Object>, RowStore.Chain> entry :
                table.rows.range(low, table.endOf(shard)).entrySet()) {
            if (looked++ == max) {
                return new Slice(found, last, false);
            }
            last = entry.getKey();
            RowStore.Version head = entry.getValue().head;
            if (head.row != null) {
                found.add(new StoredRow(last, table.layout().read(head.row), head.commit.version()));
            }
        }
        return new Slice(found, last, true);
    }

    @Override
    public long promisedStep() {
        return clock.now();
    }

    @Override
    public long wallMillis() {
        return clock.wallMillis();
    }
}
