package io.aardappel.emulator.grpc;

import io.aardappel.emulator.grpc.value.ResultSets;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.ValueProtos.Value;

/** Cuts the rows of one result set into parts of a limited size, at least one. */
final class PartWriter {
    private final ResultSets writer;
    private final long rowsMax;
    private final long bytesMax;
    private final Consumer<ValueProtos.ResultSet> parts;
    private ValueProtos.ResultSet.Builder part;
    private long bytes;
    private boolean sent;
    private boolean repeatColumns = true;

    PartWriter(ResultSets writer, long rowsMax, long bytesMax, Consumer<ValueProtos.ResultSet> parts) {
        this.writer = writer;
        this.rowsMax = rowsMax;
        this.bytesMax = bytesMax;
        this.parts = parts;
        this.part = writer.empty();
    }

    /** Only the first part has the columns; otherwise each has them. */
    void columnsOnce() {
        repeatColumns = false;
    }

    void add(List<? extends @Nullable Object> row) {
        Value wire = writer.row(row);
        part.addRows(wire);
        bytes += wire.getSerializedSize();
        if (part.getRowsCount() >= rowsMax || bytes >= bytesMax) {
            send();
        }
    }

    /** Sends what is left, and the columns alone when there was no row. */
    void finish() {
        if (!sent || part.getRowsCount() > 0) {
            send();
        }
    }

    private void send() {
        parts.accept(part.build());
        part = repeatColumns ? writer.empty() : ValueProtos.ResultSet.newBuilder();
        bytes = 0;
        sent = true;
    }
}
