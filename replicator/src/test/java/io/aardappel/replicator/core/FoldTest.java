package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.at;
import static io.aardappel.replicator.core.Given.change;
import static io.aardappel.replicator.core.Given.columns;
import static io.aardappel.replicator.core.Given.p;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Folding changes")
class FoldTest {
    private static final int COLUMNS = 4;
    private final Lane lane = new Lane(p(0), 0, 0, null, new Buffered(), Rules.STANDARD.shed());
    private final Fold fold = new Fold(Rules.STANDARD.fold(), List.of(new StreamSpec("topic", "consumer", "table")));

    @Nested
    @DisplayName("of one row")
    class OfOneRow {
        @Test
        @DisplayName("overlays the columns of later updates")
        void overlaysUpdates() {
            RowWrite row = only(
                    change(at(1), Operation.UPDATE, 1, columns(0, "a", 2, "c")),
                    change(at(2), Operation.UPDATE, 1, columns(1, "b", 2, "C")));

            assertThat(row.operation()).isEqualTo(Operation.UPDATE);
            assertThat(row.columns().ordinals()).containsExactly(0, 1, 2);
            assertThat(row.columns().values()).containsExactly("a", "b", "C");
        }

        @Test
        @DisplayName("keeps an explicit NULL as a value")
        void keepsExplicitNull() {
            RowWrite row = only(
                    change(at(1), Operation.UPDATE, 1, columns(0, "a")),
                    change(at(2), Operation.UPDATE, 1, columns(0, null)));

            assertThat(row.columns().values()).containsExactly((Object) null);
        }

        @Test
        @DisplayName("ends with the erase whatever came before it")
        void endsWithTheErase() {
            RowWrite row = only(
                    change(at(1), Operation.UPDATE, 1, columns(0, "a")),
                    change(at(2), Operation.ERASE, 1, Columns.NONE));

            assertThat(row.operation()).isEqualTo(Operation.ERASE);
        }

        @Test
        @DisplayName("replaces the row when an update follows an erase, so that nothing older shines through")
        void replacesAfterEraseB01() {
            RowWrite row = only(
                    change(at(1), Operation.ERASE, 1, Columns.NONE),
                    change(at(2), Operation.UPDATE, 1, columns(1, "b")));

            assertThat(row.operation()).isEqualTo(Operation.REPLACE);
            assertThat(row.columns().ordinals()).containsExactly(1);
        }

        @Test
        @DisplayName("keeps a replace a replace when an update follows")
        void keepsAReplace() {
            RowWrite row = only(
                    change(at(1), Operation.REPLACE, 1, columns(0, "a", 1, "b")),
                    change(at(2), Operation.UPDATE, 1, columns(1, "B")));

            assertThat(row.operation()).isEqualTo(Operation.REPLACE);
            assertThat(row.columns().values()).containsExactly("a", "B");
        }

        @Test
        @DisplayName("forgets everything before a replace")
        void forgetsBeforeAReplace() {
            RowWrite row = only(
                    change(at(1), Operation.UPDATE, 1, columns(0, "a")),
                    change(at(2), Operation.REPLACE, 1, columns(1, "b")));

            assertThat(row.columns().ordinals()).containsExactly(1);
        }
    }

    @Test
    @DisplayName("writes each key once, erases apart from writes")
    void writesEachKeyOnce() {
        List<TableWrites> tables = fold.fold(pending(List.of(
                change(at(1), Operation.UPDATE, 1, columns(0, "a")),
                change(at(1), Operation.ERASE, 2, Columns.NONE),
                change(at(2), Operation.UPDATE, 1, columns(0, "A")))));

        assertThat(tables).singleElement().satisfies(table -> {
            assertThat(table.erases()).extracting(RowWrite::key).containsExactly(new Key(2));
            assertThat(table.writes()).extracting(RowWrite::key).containsExactly(new Key(1));
        });
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @DisplayName("has the effect of the changes one by one, on any table")
    void hasTheEffectOfTheChangesOneByOne(long seed) {
        Random random = new Random(seed);
        Map<Key, @Nullable Object[]> before = new HashMap<>();
        for (int key = 0; key < 6; key++) {
            if (random.nextBoolean()) {
                before.put(new Key(key), new @Nullable Object[] {"old", "old", null, "old"});
            }
        }
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            changes.add(randomChange(random, i));
        }

        Map<Key, @Nullable Object[]> oneByOne = new HashMap<>(before);
        changes.forEach(change -> apply(oneByOne, change.operation(), change.key(), change.columns()));
        Map<Key, @Nullable Object[]> folded = new HashMap<>(before);
        for (TableWrites table : fold.fold(pending(changes))) {
            table.erases().forEach(row -> apply(folded, row.operation(), row.key(), row.columns()));
            table.writes().forEach(row -> apply(folded, row.operation(), row.key(), row.columns()));
        }

        assertThat(folded).usingRecursiveComparison().isEqualTo(oneByOne);
    }

    private static Change randomChange(Random random, int step) {
        Operation operation = Operation.values()[random.nextInt(3)];
        List<@Nullable Object> pairs = new ArrayList<>();
        for (int column = 0; operation != Operation.ERASE && column < COLUMNS; column++) {
            if (random.nextBoolean()) {
                pairs.add(column);
                pairs.add(random.nextInt(5) == 0 ? null : step);
            }
        }
        return change(at(step), operation, random.nextInt(6), columns(pairs.toArray()));
    }

    private static void apply(Map<Key, @Nullable Object[]> table, Operation operation, Key key, Columns columns) {
        if (operation == Operation.ERASE) {
            table.remove(key);
            return;
        }
        @Nullable Object[] old = operation == Operation.UPDATE ? table.get(key) : null;
        @Nullable Object[] row = old == null ? new @Nullable Object[COLUMNS] : old.clone();
        for (int i = 0; i < columns.ordinals().length; i++) {
            row[columns.ordinals()[i]] = columns.values()[i];
        }
        table.put(key, row);
    }

    private RowWrite only(Change... changes) {
        TableWrites table = fold.fold(pending(List.of(changes))).get(0);
        List<RowWrite> rows = new ArrayList<>(table.erases());
        rows.addAll(table.writes());
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private List<Pending> pending(List<Change> changes) {
        List<Pending> pending = new ArrayList<>();
        changes.forEach(change -> pending.add(new Pending(change, pending.size(), lane)));
        return pending;
    }
}
