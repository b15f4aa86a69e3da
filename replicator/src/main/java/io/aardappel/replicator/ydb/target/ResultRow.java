package io.aardappel.replicator.ydb.target;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos.Column;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.ValueProtos.Value;

/** One row of an answer, read by column name; a column that is absent reads as NULL. */
record ResultRow(List<Column> columns, Value row) {

    static Optional<ResultRow> first(ResultSet set) {
        return set.getRowsCount() == 0
                ? Optional.empty()
                : Optional.of(new ResultRow(set.getColumnsList(), set.getRows(0)));
    }

    static List<ResultRow> all(ResultSet set) {
        return set.getRowsList().stream()
                .map(row -> new ResultRow(set.getColumnsList(), row))
                .toList();
    }

    @Nullable
    String text(String column) {
        Value value = value(column);
        return value == null ? null : value.getTextValue();
    }

    /** The 64 bits of an unsigned number or of a timestamp. */
    @Nullable
    Long number(String column) {
        Value value = value(column);
        return value == null ? null : Long.valueOf(value.getUint64Value());
    }

    private @Nullable Value value(String column) {
        for (int index = 0; index < columns.size(); index++) {
            if (columns.get(index).getName().equals(column)) {
                Value value = row.getItems(index);
                return value.hasNullFlagValue() ? null : value;
            }
        }
        return null;
    }
}
