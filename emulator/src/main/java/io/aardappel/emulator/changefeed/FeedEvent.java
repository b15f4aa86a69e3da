package io.aardappel.emulator.changefeed;

import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One change of one row, or its state at the snapshot of a scan, before it is written in a format.
 *
 * @param written ordinals that an upsert set; the other kinds list all
 * @param before the row before, null when there was none; for a scan null
 * @param after the row after, null when it was removed; for a scan the row
 */
record FeedEvent(
        Kind kind,
        RowShape shape,
        List<@Nullable Object> key,
        int[] written,
        @Nullable Object @Nullable [] before,
        @Nullable Object @Nullable [] after,
        VirtualTimestamp timestamp,
        long createdAtMillis,
        @Nullable String user) {
    enum Kind {
        UPSERT,
        RESET,
        ERASE,
        SCAN
    }
}
