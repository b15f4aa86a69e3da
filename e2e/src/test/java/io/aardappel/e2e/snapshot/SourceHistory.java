package io.aardappel.e2e.snapshot;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.value.ValueEncoder;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos;

/** What the source's tables held at any point of virtual time, as the emulator kept it. */
final class SourceHistory {
    private final Database database;

    SourceHistory(YdbEmulator emulator, String path) {
        this.database = emulator.database(path);
    }

    /** The rows made by all changes below the position and none at or above it. */
    Rows before(SourceTable table, long step, long txId) {
        Rows rows = new Rows(table);
        String path = database.path() + "/" + table.name();
        List<ValueEncoder> encoders = database.describeTable(path).schema().columns().stream()
                .map(column -> ValueEncoder.of(column.resultType()))
                .toList();
        for (List<@Nullable Object> row :
                database.rowsBelow(path, new VirtualTimestamp(step, txId)).values()) {
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
