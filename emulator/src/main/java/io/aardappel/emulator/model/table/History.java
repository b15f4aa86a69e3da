package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the past of a table whose versions were kept. */
final class History {
    private History() {}

    /** The table as all commits and schema changes below the bound left it. */
    static PastTable below(StoredTable table, VirtualTimestamp bound) {
        Layout layout = table.layoutBelow(bound);
        Map<List<@Nullable Object>, List<@Nullable Object>> rows = new LinkedHashMap<>();
        table.rows.range(null, null).forEach((key, chain) -> {
            RowStore.Version version = chain.head;
            while (version != null && version.commit.timestamp().compareTo(bound) >= 0) {
                version = version.older;
            }
            if (version != null && version.row != null) {
                rows.put(key, Collections.unmodifiableList(Arrays.asList(layout.read(version.row))));
            }
        });
        return new PastTable(layout.schema(), Collections.unmodifiableMap(rows));
    }
}
