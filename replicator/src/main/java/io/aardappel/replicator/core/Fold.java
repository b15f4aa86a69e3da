package io.aardappel.replicator.core;

import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes of changes in order what one transaction writes: one write for each key of each table. Not thread-safe. */
final class Fold {
    private final FoldRule rule;
    private final String[] tables;
    private final int[] tableOfStream;

    Fold(FoldRule rule, List<StreamSpec> streams) {
        this.rule = rule;
        Map<String, Integer> numbers = new LinkedHashMap<>();
        this.tableOfStream = streams.stream()
                .mapToInt(stream -> numbers.computeIfAbsent(stream.table(), table -> numbers.size()))
                .toArray();
        this.tables = numbers.keySet().toArray(new String[0]);
    }

    /** Tables in the order of the streams that write them, keys in the order of their first change. */
    List<TableWrites> fold(List<Pending> changes) {
        List<Map<Key, RowWrite>> rows = new ArrayList<>();
        int expected = changes.size() / tables.length;
        for (int table = 0; table < tables.length; table++) {
            rows.add(new LinkedHashMap<>(expected * 4 / 3 + 1));
        }
        for (Pending pending : changes) {
            Map<Key, RowWrite> ofTable = rows.get(tableOfStream[pending.lane.id.stream()]);
            ofTable.merge(pending.change().key(), writeOf(pending), rule::then);
        }
        List<TableWrites> writes = new ArrayList<>();
        for (int table = 0; table < tables.length; table++) {
            if (!rows.get(table).isEmpty()) {
                writes.add(split(tables[table], rows.get(table)));
            }
        }
        return writes;
    }

    /** Whether the change is one of those that the write is made of. */
    boolean makes(Pending pending, RowWrite write) {
        return tableOfStream[pending.lane.id.stream()] == tableOfStream[write.source().stream()]
                && pending.change().key().equals(write.key());
    }

    private static RowWrite writeOf(Pending pending) {
        Change change = pending.change();
        return new RowWrite(change.key(), change.operation(), change.columns(), pending.lane.id, change.position());
    }

    private static TableWrites split(String table, Map<Key, RowWrite> rows) {
        List<RowWrite> erases = new ArrayList<>();
        List<RowWrite> writes = new ArrayList<>(rows.size());
        rows.values().forEach(row -> (row.operation() == Operation.ERASE ? erases : writes).add(row));
        return new TableWrites(table, erases, writes);
    }
}
