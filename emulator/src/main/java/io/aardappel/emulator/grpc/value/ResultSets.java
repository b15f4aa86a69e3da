package io.aardappel.emulator.grpc.value;

import io.aardappel.emulator.model.value.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.ValueProtos.Value;

/** Writes rows of one set of columns. Thread-safe. */
public final class ResultSets {
    private final List<ValueProtos.Column> columns;
    private final ValueEncoder[] encoders;

    public ResultSets(List<Type.Member> columns) {
        this.columns = columns.stream()
                .map(column -> ValueProtos.Column.newBuilder()
                        .setName(column.name())
                        .setType(TypeCodec.encode(column.type()))
                        .build())
                .toList();
        this.encoders =
                columns.stream().map(column -> ValueEncoder.of(column.type())).toArray(ValueEncoder[]::new);
    }

    /** A result set that has the columns and no row yet. */
    public ValueProtos.ResultSet.Builder empty() {
        return ValueProtos.ResultSet.newBuilder().addAllColumns(columns);
    }

    /** One row; its values stand in the order of the columns. */
    public Value row(List<? extends @Nullable Object> values) {
        Value.Builder row = Value.newBuilder();
        for (int i = 0; i < encoders.length; i++) {
            row.addItems(encoders[i].encode(values.get(i)));
        }
        return row.build();
    }
}
