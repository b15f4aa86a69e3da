package io.aardappel.replicator.ydb.target;

import io.aardappel.replicator.codec.Cells;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.RowWrite;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import tech.ydb.proto.ValueProtos.Column;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.ValueProtos.Value;

/**
 * A statement that updates rows which must be there and gives back their keys.
 *
 * @param path of the table
 * @param rows as sent
 * @param keyColumns in key order
 */
public record RowCheck(String path, List<RowWrite> rows, List<TableShape.Column> keyColumns) {

    /** The first row that the destination does not have. */
    Optional<RowWrite> missing(ResultSet returned) {
        if (returned.getRowsCount() == rows.size()) {
            return Optional.empty();
        }
        List<String> columns =
                returned.getColumnsList().stream().map(Column::getName).toList();
        int[] order = keyColumns.stream()
                .mapToInt(column -> columns.indexOf(column.name()))
                .toArray();
        Set<List<Value>> there = new HashSet<>();
        for (Value row : returned.getRowsList()) {
            there.add(Arrays.stream(order).mapToObj(row::getItems).toList());
        }
        return rows.stream().filter(row -> !there.contains(values(row.key()))).findFirst();
    }

    private List<Value> values(Key key) {
        return IntStream.range(0, key.size())
                .mapToObj(part -> Cells.toValue(keyColumns.get(part).type(), key.part(part)))
                .toList();
    }
}
