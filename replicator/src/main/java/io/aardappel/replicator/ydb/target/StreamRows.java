package io.aardappel.replicator.ydb.target;

import io.aardappel.contract.Membership;
import io.aardappel.contract.StreamTable;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;

/** Our stream rows to parameters and back. */
final class StreamRows {
    private static final RowForm FORM = new RowForm(
            List.of(
                    StreamTable.ID,
                    StreamTable.TOPIC,
                    StreamTable.CONSUMER,
                    StreamTable.DST_TABLE,
                    StreamTable.STATE,
                    StreamTable.OFFSETS),
            List.of(StreamTable.CREATED_AT, StreamTable.TABLE_CREATED_STEP, StreamTable.TABLE_CREATED_TX),
            StreamTable.UPDATED_AT);

    private StreamRows() {}

    static String upsert(String table, String parameter) {
        return FORM.upsert(table, parameter);
    }

    static TypedValue parameter(String instanceId, List<StreamRow> rows) {
        return FORM.parameter(rows.stream()
                .map(row -> Value.newBuilder()
                        .addItems(Params.text(instanceId))
                        .addItems(Params.text(row.topic()))
                        .addItems(Params.text(row.consumer()))
                        .addItems(Params.text(row.table()))
                        .addItems(Params.text(
                                Membership.valueOf(row.state().name()).word()))
                        .addItems(Params.text(offsets(row.committed())))
                        .addItems(Params.number(row.topicCreatedAt()))
                        .addItems(Params.number(row.tableCreated().step()))
                        .addItems(Params.number(row.tableCreated().txId()))
                        .build())
                .toList());
    }

    /**
     * @throws IllegalArgumentException when the row is not one that we can have written; the message names the column
     */
    static StreamRow read(ResultRow row) {
        Long createdAt = row.number(StreamTable.CREATED_AT);
        Position tableCreated = Proof.position(row, StreamTable.TABLE_CREATED_STEP, StreamTable.TABLE_CREATED_TX);
        return new StreamRow(
                required(row, StreamTable.TOPIC),
                required(row, StreamTable.CONSUMER),
                required(row, StreamTable.DST_TABLE),
                createdAt == null ? 0 : createdAt,
                StreamState.valueOf(
                        Membership.ofWord(required(row, StreamTable.STATE)).name()),
                offsets(row.text(StreamTable.OFFSETS)),
                tableCreated == null ? Position.ZERO : tableCreated);
    }

    private static String required(ResultRow row, String column) {
        String text = row.text(column);
        if (text == null) {
            throw new IllegalArgumentException("column " + column + " is NULL");
        }
        return text;
    }

    private static String offsets(Map<Long, Long> committed) {
        return new TreeMap<>(committed)
                .entrySet().stream()
                        .map(offset -> offset.getKey() + ":" + offset.getValue())
                        .collect(Collectors.joining(","));
    }

    private static Map<Long, Long> offsets(@Nullable String text) {
        Map<Long, Long> offsets = new LinkedHashMap<>();
        if (text == null || text.isBlank()) {
            return offsets;
        }
        for (String pair : text.split(",", -1)) {
            int colon = pair.indexOf(':');
            try {
                offsets.put(
                        Long.parseLong(pair, 0, Math.max(colon, 0), 10),
                        Long.parseLong(pair, colon + 1, pair.length(), 10));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "column " + StreamTable.OFFSETS + " must hold partition:offset pairs, not '" + pair + "'", e);
            }
        }
        return offsets;
    }
}
