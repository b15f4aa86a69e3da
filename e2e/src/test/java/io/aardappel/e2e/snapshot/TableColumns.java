package io.aardappel.e2e.snapshot;

import io.aardappel.e2e.snapshot.SourceTable.Column;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which columns the tables have now at each side, key columns first, while some are added and dropped. A column that
 * comes again under its name is defined as before. Not thread-safe: tables are altered between reads and writes.
 */
final class TableColumns {
    enum Side {
        SOURCE,
        DESTINATION
    }

    private final Map<Side, Map<String, List<Column>>> now = new EnumMap<>(Side.class);
    private final Map<String, Map<String, Column>> everKnown = new HashMap<>();
    private final Set<String> atRest = new HashSet<>();

    /** As the tables were made. */
    TableColumns(List<SourceTable> tables) {
        for (Side side : Side.values()) {
            Map<String, List<Column>> columns = new HashMap<>();
            tables.forEach(table -> columns.put(table.name(), table.columns()));
            now.put(side, columns);
        }
        tables.forEach(table -> know(table, table.columns()));
    }

    List<Column> of(SourceTable table, Side side) {
        return now.get(side).get(table.name());
    }

    /** Those of the source that are not in the key. */
    List<Column> values(SourceTable table) {
        List<Column> all = of(table, Side.SOURCE);
        return all.subList(table.keyColumns(), all.size());
    }

    /** The column that has or had this name. */
    Column named(SourceTable table, String name) {
        Column column = everKnown.get(table.name()).get(name);
        if (column == null) {
            throw new IllegalStateException("table " + table.name() + " never had a column " + name);
        }
        return column;
    }

    void added(SourceTable table, Side side, List<Column> columns) {
        List<Column> more = new ArrayList<>(of(table, side));
        more.addAll(columns);
        now.get(side).put(table.name(), List.copyOf(more));
        know(table, columns);
    }

    void dropped(SourceTable table, Side side, List<Column> columns) {
        List<Column> fewer = new ArrayList<>(of(table, side));
        fewer.removeAll(columns);
        now.get(side).put(table.name(), List.copyOf(fewer));
    }

    /** Whether the workload leaves the table alone. */
    boolean isAtRest(SourceTable table) {
        return atRest.contains(table.name());
    }

    void rest(SourceTable table) {
        atRest.add(table.name());
    }

    void endRest(SourceTable table) {
        atRest.remove(table.name());
    }

    private void know(SourceTable table, List<Column> columns) {
        Map<String, Column> known = everKnown.computeIfAbsent(table.name(), any -> new HashMap<>());
        columns.forEach(column -> known.put(column.name(), column));
    }
}
