package io.aardappel.replicator.ydb.target;

import io.aardappel.contract.DecisionTable;
import io.aardappel.replicator.core.DecisionRow;
import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.Position;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;

/** Our decision rows to parameters and back. */
final class DecisionRows {
    private static final RowForm FORM = new RowForm(
            List.of(
                    DecisionTable.ID,
                    DecisionTable.TOPIC,
                    DecisionTable.CONSUMER,
                    DecisionTable.ACTION,
                    DecisionTable.DECIDED_BY,
                    DecisionTable.REASON),
            List.of(DecisionTable.PARTITION, DecisionTable.OFFSET, DecisionTable.STEP_ID, DecisionTable.TX_ID),
            DecisionTable.DECIDED_AT);

    private DecisionRows() {}

    static String upsert(String table, String parameter) {
        return FORM.upsert(table, parameter);
    }

    static TypedValue parameter(String instanceId, List<DecisionRow> rows) {
        return FORM.parameter(rows.stream()
                .map(row -> Value.newBuilder()
                        .addItems(Params.text(instanceId))
                        .addItems(Params.text(row.topic()))
                        .addItems(Params.text(row.consumer()))
                        .addItems(Params.text(word(row.action())))
                        .addItems(Params.text(word(row.decidedBy())))
                        .addItems(Params.text(row.reason()))
                        .addItems(Params.number(row.partition()))
                        .addItems(Params.number(row.offset()))
                        .addItems(Params.number(row.position().step()))
                        .addItems(Params.number(row.position().txId()))
                        .build())
                .toList());
    }

    /** All columns of the instance's rows, in key order. */
    static String page(String table, String after, int rows) {
        String key = String.join(", ", DecisionTable.KEY.subList(1, DecisionTable.KEY.size()));
        return "SELECT " + FORM.columns() + " FROM " + table + " WHERE " + DecisionTable.ID + " = $id" + after
                + " ORDER BY " + key + " LIMIT " + rows + ";\n";
    }

    /** A condition on rows that follow the one given by {@code $topic}, {@code $consumer}, {@code $partition}, {@code $offset}. */
    static String following() {
        return " AND (" + DecisionTable.TOPIC + " > $topic OR (" + DecisionTable.TOPIC + " = $topic AND ("
                + DecisionTable.CONSUMER + " > $consumer OR (" + DecisionTable.CONSUMER + " = $consumer AND ("
                + DecisionTable.PARTITION + " > $partition OR (" + DecisionTable.PARTITION + " = $partition AND "
                + DecisionTable.OFFSET + " > $offset))))))";
    }

    /**
     * @throws IllegalArgumentException when the row is not one that we can have written; the message names the column
     */
    static DecisionRow read(ResultRow row) {
        return new DecisionRow(
                required(row.text(DecisionTable.TOPIC), DecisionTable.TOPIC),
                required(row.text(DecisionTable.CONSUMER), DecisionTable.CONSUMER),
                required(row.number(DecisionTable.PARTITION), DecisionTable.PARTITION),
                required(row.number(DecisionTable.OFFSET), DecisionTable.OFFSET),
                Action.valueOf(upper(row, DecisionTable.ACTION)),
                DecidedBy.valueOf(upper(row, DecisionTable.DECIDED_BY)),
                position(row),
                orEmpty(row.text(DecisionTable.REASON)));
    }

    private static Position position(ResultRow row) {
        Position position = Proof.position(row, DecisionTable.STEP_ID, DecisionTable.TX_ID);
        return position == null ? Position.ZERO : position;
    }

    private static String upper(ResultRow row, String column) {
        return required(row.text(column), column).toUpperCase(Locale.ROOT);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static <T> T required(@Nullable T value, String column) {
        if (value == null) {
            throw new IllegalArgumentException("column " + column + " is NULL");
        }
        return value;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
