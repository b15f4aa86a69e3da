package io.aardappel.e2e.world;

import java.util.TreeMap;
import tech.ydb.table.result.ResultSetReader;

/**
 * A row as read.
 *
 * @param values printed values by column name, so that the order in which columns come does not matter
 */
public record Row(TreeMap<String, String> values) {
    /** The row on which the reader stands. */
    public static Row of(ResultSetReader reader) {
        TreeMap<String, String> values = new TreeMap<>();
        for (int i = 0; i < reader.getColumnCount(); i++) {
            values.put(reader.getColumnName(i), reader.getColumn(i).getValue().toString());
        }
        return new Row(values);
    }

    /** The printed value of a column, empty text where there is no such column. */
    public String text(String column) {
        return values.getOrDefault(column, "");
    }
}
