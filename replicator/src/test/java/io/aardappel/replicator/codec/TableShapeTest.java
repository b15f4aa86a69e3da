package io.aardappel.replicator.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.ValueProtos.OptionalType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;

@DisplayName("The shape of a table with columns id, a, b")
class TableShapeTest {
    private static final Type INT =
            Type.newBuilder().setTypeId(PrimitiveTypeId.INT32).build();
    private static final Type OPTIONAL_INT = Type.newBuilder()
            .setOptionalType(OptionalType.newBuilder().setItem(INT))
            .build();

    private final TableShape shape = shape(column("id"), column("a"), column("b"));

    private static TableShape.Column column(String name) {
        return TableShape.Column.described(name, OPTIONAL_INT, false);
    }

    private static TableShape shape(TableShape.Column... columns) {
        return new TableShape("/local/t", List.of(columns), List.of("id"));
    }

    @Test
    void takesNullabilityFromTheDescribedType() {
        assertThat(TableShape.Column.described("c", INT, true))
                .isEqualTo(new TableShape.Column("c", YdbType.of(INT), true, true));
        assertThat(column("c").notNull()).isFalse();
    }

    @Test
    void givesParametersTheDescribedType() {
        assertThat(column("c").parameterType()).isEqualTo(OPTIONAL_INT);
        assertThat(TableShape.Column.described("c", INT, false).parameterType()).isEqualTo(INT);
    }

    @Test
    void refusesAKeyThatIsNoColumn() {
        assertThatThrownBy(() -> new TableShape("/local/t", List.of(column("a")), List.of("id")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("/local/t: key column id is not a column");
    }

    @Nested
    @DisplayName("described anew")
    class Evolved {
        @Test
        void isTheSameWhenNothingChanged() {
            assertThat(shape.evolveTo(shape(column("id"), column("a"), column("b"))))
                    .isEqualTo(shape);
        }

        @Test
        void keepsOrdinalsWhereverAColumnNowStands() {
            TableShape evolved = shape.evolveTo(shape(column("new"), column("b"), column("a"), column("id")));
            assertThat(List.of("id", "a", "b", "new"))
                    .extracting(evolved::ordinal)
                    .containsExactly(0, 1, 2, 3);
            assertThat(evolved.keyOrdinals()).containsExactly(0);
        }

        @Test
        void takesTheNewTypeOfAColumn() {
            TableShape.Column widened = new TableShape.Column("a", YdbType.of(PrimitiveTypeId.INT64), false, false);
            TableShape evolved = shape.evolveTo(shape(column("id"), widened, column("b")));
            assertThat(evolved.column(1)).isEqualTo(widened);
        }

        @Test
        void doesNotFindADroppedColumnThoughItKeepsItsPlace() {
            TableShape evolved = shape.evolveTo(shape(column("id"), column("b")));
            assertThat(evolved.ordinal("a")).isEqualTo(-1);
            assertThat(evolved.isDropped(1)).isTrue();
            assertThat(evolved.ordinal("b")).isEqualTo(2);
        }

        @Test
        void givesAColumnThatCameBackAnOrdinalOfItsOwn() {
            TableShape without = shape.evolveTo(shape(column("id"), column("b")));
            TableShape again = without.evolveTo(shape(column("id"), column("a"), column("b")));
            assertThat(again.ordinal("a")).isEqualTo(3);
            assertThat(again.isDropped(1)).isTrue();
        }
    }
}
