package io.aardappel.contract;

import java.util.List;
import java.util.stream.Collectors;

/** Statements that create our tables. */
final class Ddl {
    private Ddl() {}

    static String createIfAbsent(TableName table, List<Column> columns, List<String> key) {
        String body = columns.stream()
                .map(column -> "  " + column.name() + " " + column.type() + ",\n")
                .collect(Collectors.joining());
        return "CREATE TABLE IF NOT EXISTS " + table.quoted() + " (\n" + body + "  PRIMARY KEY ("
                + String.join(", ", key) + ")\n);";
    }
}
