package io.aardappel.e2e.snapshot;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.value.ValueEncoder;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.PastTable;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos;

/** What the source's tables held at any point of virtual time, in the columns of then, as the emulator kept it. */
final class SourceHistory {
    private final Database database;
    private final TableColumns columns;

    SourceHistory(YdbEmulator emulator, String path, TableColumns columns) {
        this.database = emulator.database(path);
        this.columns = columns;
    }

    /** The rows made by all changes below the position and none at or above it. */
    Rows before(SourceTable table, long step, long txId) {
        String path = database.path() + "/" + table.name();
        PastTable past = database.tableBelow(path, new VirtualTimestamp(step, txId));
        List<ValueEncoder> encoders = past.schema().columns().stream()
                .map(column -> ValueEncoder.of(column.resultType()))
                .toList();
        List<ValueProtos.Value> cameWith = new ArrayList<>();
        for (int i = 0; i < encoders.size(); i++) {
            Object byDefault = past.schema().columns().get(i).defaultValue();
            cameWith.add(byDefault == null ? ValueEncoder.NULL : encoders.get(i).encode(byDefault));
        }
        Rows rows = new Rows(
                table,
                past.schema().columns().stream()
                        .map(column -> columns.named(table, column.name()))
                        .toList(),
                cameWith);
        for (List<@Nullable Object> row : past.rows().values()) {
            List<ValueProtos.Value> values = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                values.add(encoders.get(i).encode(row.get(i)));
            }
            rows.add(values);
        }
        return rows;
    }

    /** The step of a commit made now. */
    long now() {
        return database.now().step();
    }
}
