package io.aardappel.replicator.ydb.target;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tech.ydb.proto.ValueProtos.StructMember;
import tech.ydb.proto.ValueProtos.StructType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;

/**
 * How rows of one of our tables are written: text, numbers, and when it was by the server's clock.
 *
 * @param texts names of the Utf8 columns
 * @param numbers names of the Uint64 columns
 * @param time name of the Timestamp column
 */
record RowForm(List<String> texts, List<String> numbers, String time) {
    /** Behind the parameter of {@link #upsertHead}. */
    static final String UPSERT_TAIL = ");\n";

    /** Names of all columns but the time, in the order of a row's values. */
    String columns() {
        return Stream.of(texts, numbers).flatMap(List::stream).collect(Collectors.joining(", "));
    }

    String upsert(String table, String parameter) {
        return upsertHead(table) + parameter + UPSERT_TAIL;
    }

    /** The statement up to its parameter. */
    String upsertHead(String table) {
        return "UPSERT INTO " + table + " (" + columns() + ", " + time + ") SELECT " + columns()
                + ", CurrentUtcTimestamp() AS " + time + " FROM AS_TABLE(";
    }

    /** @param rows a value for each column, in the order of {@link #columns} */
    TypedValue parameter(List<Value> rows) {
        StructType.Builder row = StructType.newBuilder();
        texts.forEach(name -> row.addMembers(member(name, Params.UTF8)));
        numbers.forEach(name -> row.addMembers(member(name, Params.UINT64)));
        return Params.rows(row, rows);
    }

    static StructMember member(String name, Type type) {
        return StructMember.newBuilder().setName(name).setType(type).build();
    }
}
