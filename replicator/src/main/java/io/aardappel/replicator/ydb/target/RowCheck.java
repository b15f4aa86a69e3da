package io.aardappel.replicator.ydb.target;

import io.aardappel.replicator.core.RowWrite;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tech.ydb.proto.ValueProtos.Column;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.ValueProtos.Value;

/**
 * A statement that updates rows which must be there and gives back their keys.
 *
 * @param path of the table
 * @param rows as sent; a parameter's row begins with its key
 * @param parameterRows the same rows as they were sent
 * @param keyColumns names of the key's columns in key order
 */
record RowCheck(String path, List<RowWrite> rows, List<Value> parameterRows, List<String> keyColumns) {

    /** The first row that the destination does not have. */
    Optional<RowWrite> missing(ResultSet returned) {
        if (returned.getRowsCount() == rows.size()) {
            return Optional.empty();
        }
        List<String> columns =
                returned.getColumnsList().stream().map(Column::getName).toList();
        int[] order = keyColumns.stream().mapToInt(columns::indexOf).toArray();
        Set<List<Value>> there = new HashSet<>();
        for (Value row : returned.getRowsList()) {
            there.add(Arrays.stream(order).mapToObj(row::getItems).toList());
        }
        for (int index = 0; index < rows.size(); index++) {
            if (!there.contains(parameterRows.get(index).getItemsList().subList(0, keyColumns.size()))) {
                return Optional.of(rows.get(index));
            }
        }
        return Optional.empty();
    }
}
