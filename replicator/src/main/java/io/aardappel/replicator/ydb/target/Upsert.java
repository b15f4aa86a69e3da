package io.aardappel.replicator.ydb.target;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import tech.ydb.proto.ValueProtos.TypedValue;

/** An UPSERT of one row in the making: columns in the order they are set, values as parameters or expressions. */
final class Upsert {
    private final String table;
    private final Map<String, String> expressions = new LinkedHashMap<>();
    private final Map<String, TypedValue> parameters = new TreeMap<>();

    Upsert(String table) {
        this.table = table;
    }

    /** The parameter is named after the column, so one call gives a name to one value only. */
    Upsert set(String column, TypedValue value) {
        expressions.put(column, "$" + column);
        parameters.put("$" + column, value);
        return this;
    }

    Upsert setExpression(String column, String expression) {
        expressions.put(column, expression);
        return this;
    }

    String text() {
        return "UPSERT INTO " + table + " (" + String.join(", ", expressions.keySet()) + ") VALUES ("
                + String.join(", ", expressions.values()) + ");\n";
    }

    Map<String, TypedValue> parameters() {
        return parameters;
    }
}
