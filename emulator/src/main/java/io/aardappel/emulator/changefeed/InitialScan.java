package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.table.Commit;
import io.aardappel.emulator.model.table.FeedSource;
import io.aardappel.emulator.model.table.RowChange;
import io.aardappel.emulator.model.table.Shard;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a table as of one commit, shard by shard in key order, while writes go on. A row that a write touches
 * before the scan reached it is told at once, and not again; so it needs no snapshot.
 */
final class InitialScan {
    private static final class Cursor {
        private @Nullable List<@Nullable Object> last;
        private boolean complete;
    }

    private final FeedSource source;
    private final Commit snapshot;
    private final Map<Shard, Cursor> cursors = new HashMap<>();

    InitialScan(FeedSource source, Commit snapshot) {
        this.source = source;
        this.snapshot = snapshot;
        source.shards().forEach(shard -> cursors.put(shard, new Cursor()));
    }

    Commit snapshot() {
        return snapshot;
    }

    int partsTotal() {
        return cursors.size();
    }

    int partsCompleted() {
        return (int) cursors.values().stream().filter(cursor -> cursor.complete).count();
    }

    boolean complete() {
        return partsCompleted() == partsTotal();
    }

    /** Looks at up to so many more rows of each shard and tells those that the snapshot has. */
    int advance(int rows, BiConsumer<Shard, FeedSource.StoredRow> sink) {
        int done = 0;
        for (Shard shard : source.shards()) {
            Cursor cursor = cursors.get(shard);
            if (cursor == null || cursor.complete || rows == 0) {
                continue;
            }
            FeedSource.Slice slice = source.rows(shard, cursor.last, rows);
            for (FeedSource.StoredRow row : slice.rows()) {
                if (row.version() <= snapshot.version()) {
                    sink.accept(shard, row);
                }
            }
            cursor.last = slice.last() == null ? cursor.last : slice.last();
            cursor.complete = slice.complete();
            done += 1 + slice.rows().size();
        }
        return done;
    }

    /** Whether a write is the first to touch a row of the snapshot that the scan has not told yet. */
    boolean overtakes(RowChange change) {
        if (change.before() == null || change.beforeVersion() > snapshot.version()) {
            return false;
        }
        Cursor cursor = cursors.get(change.shard());
        if (cursor == null || cursor.complete) {
            return false;
        }
        List<@Nullable Object> last = cursor.last;
        return last == null || source.compareKeys(change.key(), last) > 0;
    }
}
