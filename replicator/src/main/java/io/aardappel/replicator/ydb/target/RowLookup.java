package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.StatusText;
import io.aardappel.replicator.codec.Cells;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Key;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tech.ydb.core.Result;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * Looks single rows of one database up, as they are now. Changes nothing. Waits; one thread only. The transport belongs to
 * the caller.
 */
public final class RowLookup implements AutoCloseable {
    private final TableSession session;
    private final Retries retries;
    private final Descriptions descriptions;

    public RowLookup(GrpcTransport transport, TargetSettings settings) {
        Calls calls = new Calls(transport);
        this.session = new TableSession(calls);
        this.retries = Retries.forAPerson(session, settings);
        this.descriptions = new Descriptions(calls, settings.callTimeout());
    }

    /** The shape of a table, by its absolute path. */
    public Answer<TableShape> shape(String path) {
        Result<DescribeTableResult> described = descriptions.table(path);
        return described.isSuccess()
                ? new Answer.Read<>(Descriptions.shape(path, described.getValue()))
                : new Answer.Unreadable<>("table " + path + ": " + StatusText.of(described.getStatus()));
    }

    /** The row's columns by name, NULLs among them; nothing when there is no such row. */
    public Answer<Optional<Map<String, Value>>> find(TableShape shape, Key key) {
        Result<ExecuteQueryResult> answer = retries.run(select(shape, key));
        if (!answer.isSuccess()) {
            return new Answer.Unreadable<>("table " + shape.path() + ": " + StatusText.of(answer.getStatus()));
        }
        ResultSet rows = answer.getValue().getResultSets(0);
        if (rows.getRowsCount() == 0) {
            return new Answer.Read<>(Optional.empty());
        }
        Map<String, Value> row = new LinkedHashMap<>();
        for (int column = 0; column < rows.getColumnsCount(); column++) {
            row.put(rows.getColumns(column).getName(), rows.getRows(0).getItems(column));
        }
        return new Answer.Read<>(Optional.of(row));
    }

    private static Call select(TableShape shape, Key key) {
        StringBuilder text = new StringBuilder("SELECT * FROM `" + shape.path() + "` WHERE ");
        Map<String, TypedValue> parameters = new LinkedHashMap<>();
        List<Integer> ordinals = shape.keyOrdinals();
        for (int part = 0; part < ordinals.size(); part++) {
            TableShape.Column column = shape.column(ordinals.get(part));
            text.append(part == 0 ? "`" : " AND `").append(column.name()).append('`');
            Object cell = key.part(part);
            if (cell == null) {
                text.append(" IS NULL");
            } else {
                text.append(" = $k").append(part);
                parameters.put(
                        "$k" + part,
                        TypedValue.newBuilder()
                                .setType(column.type().proto())
                                .setValue(Cells.toValue(column.type(), cell))
                                .build());
            }
        }
        return Call.of(text.append(";\n").toString(), parameters);
    }

    @Override
    public void close() {
        session.close();
    }
}
