package io.aardappel.replicator.problems;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.aardappel.replicator.codec.Cells;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.ValueProtos.OptionalType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.ValueProtos.Value;

@DisplayName("A row of the source, beside what a change made of it,")
class SourceComparisonTest {
    private static final TableShape SHAPE = new TableShape(
            "/src/t",
            List.of(
                    TableShape.Column.described("k", type(PrimitiveTypeId.UINT64), false),
                    nullable("v", PrimitiveTypeId.UTF8),
                    nullable("j", PrimitiveTypeId.JSON),
                    nullable("d", PrimitiveTypeId.DOUBLE)),
            List.of("k"));

    private static Type type(PrimitiveTypeId id) {
        return Type.newBuilder().setTypeId(id).build();
    }

    private static TableShape.Column nullable(String name, PrimitiveTypeId id) {
        return TableShape.Column.described(
                name,
                Type.newBuilder()
                        .setOptionalType(OptionalType.newBuilder().setItem(type(id)))
                        .build(),
                false);
    }

    private static Change change(Operation operation, int[] ordinals, @Nullable Object... values) {
        return new Change(new Position(1, 1), operation, new Key(7L), new Columns(ordinals, values), 10);
    }

    private static Map<String, Value> row(@Nullable String v, @Nullable String j, @Nullable Double d) {
        Map<String, Value> row = new HashMap<>();
        row.put("k", Value.newBuilder().setUint64Value(7).build());
        row.put("v", v == null ? Cells.NULL : Value.newBuilder().setTextValue(v).build());
        row.put("j", j == null ? Cells.NULL : Value.newBuilder().setTextValue(j).build());
        row.put(
                "d",
                d == null ? Cells.NULL : Value.newBuilder().setDoubleValue(d).build());
        return row;
    }

    private static Optional<String> differs(Change change, @Nullable Map<String, Value> row) {
        return SourceComparison.differs(change, SHAPE, Optional.ofNullable(row));
    }

    @Nested
    @DisplayName("an update")
    class Update {
        @Test
        void isTheSameWhenTheWrittenColumnsAre() {
            assertThat(differs(change(Operation.UPDATE, new int[] {1}, "tea"), row("tea", "{}", 1.0)))
                    .isEmpty();
        }

        @Test
        void isAnotherWhenAWrittenColumnIs_andItsValueIsNotTold() {
            assertThat(differs(change(Operation.UPDATE, new int[] {1}, "tea"), row("secret", null, null)))
                    .hasValueSatisfying(
                            why -> assertThat(why).contains("column v").doesNotContain("secret", "tea"));
        }

        @Test
        void tellsNullFromAValue() {
            assertThat(differs(change(Operation.UPDATE, new int[] {1}, (Object) null), row(null, null, null)))
                    .isEmpty();
            assertThat(differs(change(Operation.UPDATE, new int[] {1}, (Object) null), row("", null, null)))
                    .isPresent();
            assertThat(differs(change(Operation.UPDATE, new int[] {1}, ""), row(null, null, null)))
                    .isPresent();
        }

        @Test
        void mindsNoBlanksInADocument() {
            Change json = change(Operation.UPDATE, new int[] {2}, ByteString.copyFromUtf8("{\"a\":[1,2]}"));

            assertThat(differs(json, row(null, "{ \"a\" : [1, 2] }", null))).isEmpty();
            assertThat(differs(json, row(null, "{\"a\":[1,3]}", null))).isPresent();
        }

        @Test
        void takesNotANumberForItself() {
            assertThat(differs(change(Operation.UPDATE, new int[] {3}, Double.NaN), row(null, null, Double.NaN)))
                    .isEmpty();
        }

        @Test
        void isAnotherWhenTheRowIsGone() {
            assertThat(differs(change(Operation.UPDATE, new int[] {1}, "tea"), null))
                    .contains("the source has no such row any more");
        }
    }

    @Nested
    @DisplayName("a replace")
    class Replace {
        @Test
        void isTheSameWhenAllOtherColumnsAreNull() {
            assertThat(differs(change(Operation.REPLACE, new int[] {1}, "tea"), row("tea", null, null)))
                    .isEmpty();
        }

        @Test
        void isAnotherWhenOneOfThemHasAValue() {
            assertThat(differs(change(Operation.REPLACE, new int[] {1}, "tea"), row("tea", null, 0.0)))
                    .hasValueSatisfying(why -> assertThat(why).contains("column d"));
        }
    }

    @Nested
    @DisplayName("an erase")
    class Erase {
        private final Change erase = change(Operation.ERASE, new int[0]);

        @Test
        void isTheSameWhenThereIsNone() {
            assertThat(differs(erase, null)).isEmpty();
        }

        @Test
        void isAnotherWhenItCameBack() {
            assertThat(differs(erase, row(null, null, null))).contains("the source has the row again");
        }
    }

    @Test
    @DisplayName("is more than the change when it has values in other columns")
    void isMore() {
        Change tea = change(Operation.UPDATE, new int[] {1}, "tea");

        assertThat(SourceComparison.isMoreThan(tea, SHAPE, row("tea", null, null)))
                .isFalse();
        assertThat(SourceComparison.isMoreThan(tea, SHAPE, row("tea", "{}", null)))
                .isTrue();
    }
}
