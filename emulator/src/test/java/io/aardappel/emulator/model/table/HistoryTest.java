package io.aardappel.emulator.model.table;

import static io.aardappel.emulator.model.table.TableBench.TABLE;
import static io.aardappel.emulator.model.table.TableBench.key;
import static io.aardappel.emulator.model.table.TableBench.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.value.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The past of a table")
class HistoryTest {
    private final TableBench bench = new TableBench().table();

    @BeforeEach
    void retain() {
        bench.database.retainHistory();
    }

    /** A position above all until now and below all that comes. */
    private VirtualTimestamp now() {
        return bench.database.plannedNow();
    }

    private void alter(TableSpec.Change... changes) {
        bench.database.alterTable(TABLE, List.of(changes));
    }

    private static TableSpec.Change add(String name, @Nullable Long byDefault) {
        return new TableSpec.Change.AddColumn(new Column(name, Type.Primitive.INT64, false, byDefault, false));
    }

    private static TableSpec.Change drop(String name) {
        return new TableSpec.Change.DropColumn(name);
    }

    private List<String> columnsBelow(VirtualTimestamp bound) {
        return bench.database.tableBelow(TABLE, bound).schema().columns().stream()
                .map(Column::name)
                .toList();
    }

    private List<@Nullable Object> rowBelow(VirtualTimestamp bound, long key) {
        return bench.database.rowsBelow(TABLE, bound).get(key(key));
    }

    private void set(String column, long key, long value) {
        bench.commit(new RowWrite(
                RowWrite.Kind.UPSERT, key(key), new int[] {bench.schema().indexOf(column)}, new @Nullable Object[] {
                    value
                }));
    }

    @Nested
    @DisplayName("has the columns of then:")
    class Columns {
        @Test
        void oneThatWasAddedLaterIsNotThere() {
            bench.commit(upsert(1, 10L, "a"));
            VirtualTimestamp before = now();
            alter(add("x", null));
            set("x", 1, 5);

            assertThat(columnsBelow(before)).containsExactly("k", "v", "w");
            assertThat(rowBelow(before, 1)).containsExactly(1L, 10L, "a");
            assertThat(columnsBelow(now())).containsExactly("k", "v", "w", "x");
            assertThat(rowBelow(now(), 1)).containsExactly(1L, 10L, "a", 5L);
        }

        @Test
        void oneThatWasDroppedLaterIsThereWithItsValues() {
            bench.commit(upsert(1, 10L, "a"));
            VirtualTimestamp before = now();
            alter(drop("v"));
            bench.commit(new RowWrite(
                    RowWrite.Kind.UPSERT, key(1L), new int[] {1}, new @Nullable Object[] {"behind the drop"}));

            assertThat(columnsBelow(before)).containsExactly("k", "v", "w");
            assertThat(rowBelow(before, 1)).containsExactly(1L, 10L, "a");
            assertThat(columnsBelow(now())).containsExactly("k", "w");
            assertThat(rowBelow(now(), 1)).containsExactly(1L, "behind the drop");
        }

        @Test
        void oneThatWasDroppedAndAddedAnewIsAnother() {
            bench.commit(upsert(1, 10L, "a"));
            VirtualTimestamp first = now();
            alter(drop("v"));
            VirtualTimestamp between = now();
            alter(add("v", 7L));

            assertThat(rowBelow(first, 1)).containsExactly(1L, 10L, "a");
            assertThat(rowBelow(between, 1)).containsExactly(1L, "a");
            assertThat(columnsBelow(now())).containsExactly("k", "w", "v");
            assertThat(rowBelow(now(), 1)).containsExactly(1L, "a", 7L);
        }

        @Test
        void atTheSchemaChangeItselfTheyAreStillThoseBeforeIt() {
            VirtualTimestamp before = now();
            alter(add("x", null));
            VirtualTimestamp change = bench.database.now();

            assertThat(change).isGreaterThan(before);
            assertThat(columnsBelow(change)).doesNotContain("x");
            assertThat(columnsBelow(new VirtualTimestamp(change.step(), change.txId() + 1)))
                    .contains("x");
        }

        @Test
        void beforeTheTableWasMadeTheyAreTheFirstOnes() {
            alter(drop("w"));

            PastTable past = bench.database.tableBelow(TABLE, VirtualTimestamp.ZERO);

            assertThat(past.schema().version()).isEqualTo(1);
            assertThat(past.rows()).isEmpty();
        }

        @Test
        void underTheNameOfNowWhenItWasRenamed() {
            bench.commit(upsert(1, 10L, "a"));
            VirtualTimestamp before = now();
            bench.database.renameTable(TABLE, "/local/other", false);
            bench.database.alterTable("/local/other", List.of(drop("v")));

            assertThat(bench.database.rowsBelow("/local/other", before)).containsEntry(key(1L), key(1L, 10L, "a"));
        }
    }

    @Nested
    @DisplayName("has the values of then:")
    class Values {
        @Test
        void aColumnWithADefaultHasItInRowsThatWereThereBeforeIt() {
            bench.commit(upsert(1, 10L, "a"));
            alter(add("x", 7L));
            VirtualTimestamp added = now();
            set("x", 1, 8);

            assertThat(rowBelow(added, 1)).containsExactly(1L, 10L, "a", 7L);
            assertThat(rowBelow(now(), 1)).containsExactly(1L, 10L, "a", 8L);
        }

        @Test
        void aRowThatWasRemovedLaterIsThere() {
            bench.commit(upsert(1, 10L, "a"));
            VirtualTimestamp before = now();
            bench.commit(TableBench.write(RowWrite.Kind.DELETE, 1, 0));

            assertThat(rowBelow(before, 1)).containsExactly(1L, 10L, "a");
            assertThat(bench.database.rowsBelow(TABLE, now())).isEmpty();
        }
    }

    @Test
    @DisplayName("cannot be read where it is not kept")
    void notKept() {
        Database forgetful = new TableBench().table().database;

        assertThatThrownBy(() -> forgetful.tableBelow(TABLE, VirtualTimestamp.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("retainHistory()");
    }

    @Test
    @DisplayName("begins with the columns of when it was first kept")
    void keptLater() {
        TableBench late = new TableBench().table();
        late.database.alterTable(TABLE, List.of(drop("v")));
        late.database.retainHistory();

        assertThat(late.database
                        .tableBelow(TABLE, VirtualTimestamp.ZERO)
                        .schema()
                        .columns())
                .extracting(Column::name)
                .containsExactly("k", "w");
    }
}
