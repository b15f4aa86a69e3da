package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.StatusText;
import io.aardappel.replicator.codec.TableShape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tech.ydb.core.Result;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * Single keys of one database's tables, to be looked for in another's. Changes nothing. Waits; one thread only. The transport
 * belongs to the caller.
 */
public final class KeySample implements AutoCloseable {
    private static final long MICROS_A_MILLI = 1_000;

    /**
     * The key of a row, in the order of the key.
     *
     * @param parts as the server gave them, NULLs among them
     */
    public record RowKey(List<Value> parts) {}

    /** Which row of a table. */
    public enum Edge {
        FIRST("ASC"),
        LAST("DESC");

        private final String order;

        Edge(String order) {
            this.order = order;
        }
    }

    private final TableSession session;
    private final Retries retries;

    public KeySample(GrpcTransport transport, TargetSettings settings) {
        this.session = new TableSession(new Calls(transport));
        this.retries = Retries.forAPerson(session, settings);
    }

    /** The time by the server's clock, milliseconds since the epoch. */
    public Answer<Long> time() {
        return ask(
                Call.of("SELECT CurrentUtcTimestamp() AS now;\n", Map.of()),
                "the time",
                rows -> rows.getRows(0).getItems(0).getUint64Value() / MICROS_A_MILLI);
    }

    /** The key of the first or the last row in the order of the key; nothing where the table is empty. */
    public Answer<Optional<RowKey>> edge(TableShape shape, Edge edge) {
        List<String> columns = keyColumns(shape);
        String order = columns.stream().map(column -> column + " " + edge.order).collect(Collectors.joining(", "));
        String text = "SELECT " + String.join(", ", columns) + " FROM `" + shape.path() + "` ORDER BY " + order
                + " LIMIT 1;\n";
        return ask(
                Call.of(text, Map.of()),
                "table " + shape.path(),
                rows -> rows.getRowsList().stream().findFirst().map(row -> new RowKey(row.getItemsList())));
    }

    /** Whether the table has a row of the key; its key is matched by place. */
    public Answer<Boolean> has(TableShape shape, RowKey key) {
        List<String> columns = keyColumns(shape);
        StringBuilder condition = new StringBuilder();
        Map<String, TypedValue> parameters = new LinkedHashMap<>();
        for (int part = 0; part < columns.size(); part++) {
            condition.append(part == 0 ? "" : " AND ").append(columns.get(part));
            Value value = key.parts().get(part);
            if (value.hasNullFlagValue()) {
                condition.append(" IS NULL");
            } else {
                condition.append(" = $k").append(part);
                TableShape.Column column = shape.column(shape.keyOrdinals().get(part));
                parameters.put(
                        "$k" + part,
                        TypedValue.newBuilder()
                                .setType(column.type().proto())
                                .setValue(value)
                                .build());
            }
        }
        String text = "SELECT " + columns.get(0) + " FROM `" + shape.path() + "` WHERE " + condition + ";\n";
        return ask(Call.of(text, parameters), "table " + shape.path(), rows -> rows.getRowsCount() > 0);
    }

    private <T> Answer<T> ask(Call call, String about, Function<ResultSet, T> reading) {
        Result<ExecuteQueryResult> answer = retries.run(call);
        return answer.isSuccess()
                ? new Answer.Read<>(reading.apply(answer.getValue().getResultSets(0)))
                : new Answer.Unreadable<>(about + ": " + StatusText.of(answer.getStatus()));
    }

    private static List<String> keyColumns(TableShape shape) {
        return shape.keyOrdinals().stream()
                .map(ordinal -> "`" + shape.column(ordinal).name() + "`")
                .toList();
    }

    @Override
    public void close() {
        session.close();
    }
}
