package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.codec.Cells;
import io.aardappel.replicator.codec.Int128;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.engine.TargetEvent.Committed;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.ValueProtos.Value;

@WithYdb
@DisplayName("A value that is written comes back as it was:")
class TypesTest {
    private static final UUID SOME = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

    /** Types that may be part of a key. */
    static final List<Arguments> KEY_TYPES = List.of(
            type("Bool", false, true),
            type("Int8", -128L, 127L),
            type("Int16", -32768L, 32767L),
            type("Int32", (long) Integer.MIN_VALUE, (long) Integer.MAX_VALUE),
            type("Int64", Long.MIN_VALUE, Long.MAX_VALUE),
            type("Uint8", 0L, 255L),
            type("Uint16", 0L, 65535L),
            type("Uint32", 0L, 4294967295L),
            type("Uint64", 0L, -1L),
            type("Date", 0L, 19_000L),
            type("Datetime", 0L, 1_700_000_000L),
            type("Timestamp", 0L, 1_700_000_000_123_456L),
            type("Interval", -1L, 1L),
            type("Date32", -1L, 20_000L),
            type("Datetime64", -1L, 1_700_000_000L),
            type("Timestamp64", -1L, 1_700_000_000_000_000L),
            type("Interval64", -1L, 5L),
            type("String", ByteString.EMPTY, ByteString.copyFrom(new byte[] {0, -1, 7})),
            type("Utf8", "", "ünïcödé ' ` \" \\"),
            type("Uuid", SOME, new UUID(-1, -1)),
            type("Decimal(22,9)", new Int128(0, 1_500_000_000L), new Int128(-1, -1)),
            type("Decimal(35,0)", new Int128(0, 0), new Int128(542101086L, 5L)),
            type("DyNumber", ".125e2", "-.45e1"));

    static final List<Arguments> VALUE_TYPES = Stream.concat(
                    KEY_TYPES.stream(),
                    Stream.of(
                            type("Float", 1.5f, Float.NaN, Float.NEGATIVE_INFINITY),
                            type("Double", 1.5d, -0.0d, Double.POSITIVE_INFINITY),
                            type("Json", ByteString.copyFromUtf8("{\"a\":[1,null]}"), ByteString.copyFromUtf8("null")),
                            type(
                                    "JsonDocument",
                                    ByteString.copyFromUtf8("{\"a\":[1,null]}"),
                                    ByteString.copyFromUtf8("\"x\"")),
                            type("Yson", ByteString.copyFromUtf8("[1;2;3]"), ByteString.copyFromUtf8("\"x\""))))
            .toList();

    private final Destination destination;

    TypesTest(YdbEmulator ydb) {
        this.destination = new Destination(ydb);
    }

    @AfterEach
    void close() throws Exception {
        destination.close();
    }

    private static Arguments type(String name, Object... cells) {
        return Arguments.of(name, List.of(cells));
    }

    private static RowWrite row(long number, Key key, Operation operation, @Nullable Object... cells) {
        int[] ordinals = cells.length == 0 ? new int[0] : new int[] {1, 2};
        return new RowWrite(
                key, operation, new Columns(ordinals, cells), new PartitionId(0, 0), new Position(number, 0));
    }

    private List<Value> column(String name) {
        ResultSet set =
                destination.query("SELECT k, a, b FROM $TABLE ORDER BY k").getResultSets(0);
        List<String> columns =
                set.getColumnsList().stream().map(column -> column.getName()).toList();
        return set.getRowsList().stream()
                .map(row -> row.getItems(columns.indexOf(name)))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("VALUE_TYPES")
    @DisplayName("as a column, nullable or not")
    void asColumn(String type, List<Object> cells) {
        destination.createTable("k Uint64 NOT NULL, a " + type + ", b " + type + " NOT NULL, PRIMARY KEY (k)");
        DrivenTarget target = destination.target("host-1");
        target.begin();
        TableShape shape = destination.shape();
        List<RowWrite> rows = new ArrayList<>();
        for (Object cell : cells) {
            rows.add(row(rows.size(), new Key((long) rows.size()), Operation.UPDATE, cell, cell));
        }
        rows.add(row(rows.size(), new Key((long) rows.size()), Operation.REPLACE, null, cells.get(0)));

        assertThat(target.commit(destination.batch(1, 10, rows.toArray(RowWrite[]::new))))
                .isEqualTo(new Committed(1));

        List<Value> expected = new ArrayList<>(cells.stream()
                .map(cell -> Cells.toValue(shape.column(1).type(), cell))
                .toList());
        List<Value> notNull = new ArrayList<>(expected);
        expected.add(Cells.NULL);
        notNull.add(expected.get(0));
        assertThat(column("a")).isEqualTo(expected);
        assertThat(column("b")).isEqualTo(notNull);
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("KEY_TYPES")
    @DisplayName("as a key, also NULL, for writing and for deleting")
    void asKey(String type, List<Object> cells) {
        destination.createTable("k " + type + ", a Utf8, b Utf8, PRIMARY KEY (k)");
        DrivenTarget target = destination.target("host-1");
        target.begin();
        TableShape shape = destination.shape();
        RowWrite[] rows = {
            row(0, new Key((Object) null), Operation.UPDATE, "n", "n"),
            row(1, new Key(cells.get(0)), Operation.UPDATE, "0", "0"),
            row(2, new Key(cells.get(1)), Operation.UPDATE, "1", "1")
        };
        assertThat(target.commit(destination.batch(1, 10, rows))).isEqualTo(new Committed(1));
        assertThat(column("k"))
                .containsExactlyInAnyOrder(
                        Cells.NULL,
                        Cells.toValue(shape.column(0).type(), cells.get(0)),
                        Cells.toValue(shape.column(0).type(), cells.get(1)));

        RowWrite[] erases = {
            row(3, new Key((Object) null), Operation.ERASE), row(4, new Key(cells.get(0)), Operation.ERASE)
        };
        assertThat(target.commit(destination.batch(2, 11, erases))).isEqualTo(new Committed(2));
        assertThat(column("k")).containsExactly(Cells.toValue(shape.column(0).type(), cells.get(1)));
    }
}
