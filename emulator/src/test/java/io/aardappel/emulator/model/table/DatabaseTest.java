package io.aardappel.emulator.model.table;

import static io.aardappel.emulator.model.table.TableBench.TABLE;
import static io.aardappel.emulator.model.table.TableBench.key;
import static io.aardappel.emulator.model.table.TableBench.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.value.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A database")
class DatabaseTest {
    private final TableBench bench = new TableBench();

    private static void assertRefused(Status status, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        YdbException refused = catchThrowableOfType(YdbException.class, call);
        assertThat(refused).as("a refusal").isNotNull();
        assertThat(refused.status()).isEqualTo(status);
    }

    @Nested
    @DisplayName("keeps a tree of paths")
    class Tree {
        private TableSpec at(String path) {
            return new TableSpec(
                    path,
                    List.of(Column.nullable("k", Type.Primitive.INT64)),
                    List.of("k"),
                    TableSpec.Partitioning.ONE,
                    List.of(),
                    Map.of());
        }

        @Test
        void withDirectoriesMadeOnTheWay() {
            bench.database.createTable(at("/local/a/b/t"), false);
            assertThat(bench.database.list("/local"))
                    .extracting(SchemeEntry::name)
                    .containsExactly("a");
            assertThat(bench.database.list("/local/a/b"))
                    .extracting(SchemeEntry::kind)
                    .containsExactly(SchemeEntry.Kind.TABLE);
        }

        @Test
        void listingChildrenOnly() {
            bench.database.makeDirectory("/local/a/b");
            bench.database.makeDirectory("/local/a-b");
            bench.database.makeDirectory("/local/a0");
            assertThat(bench.database.list("/local"))
                    .extracting(SchemeEntry::name)
                    .containsExactly("a", "a-b", "a0");
        }

        @Test
        void whereAPathIsTakenOnce() {
            bench.database.createTable(at(TABLE), false);
            assertRefused(Status.SCHEME_ERROR, () -> bench.database.createTable(at(TABLE), false));
            bench.database.createTable(at(TABLE), true);
        }

        @Test
        void whereNothingStandsBelowATable() {
            bench.database.createTable(at(TABLE), false);
            assertRefused(Status.SCHEME_ERROR, () -> bench.database.createTable(at(TABLE + "/u"), false));
        }

        @Test
        void whereNothingStandsOutside() {
            assertRefused(Status.SCHEME_ERROR, () -> bench.database.createTable(at("/other/t"), false));
        }

        @Test
        void whereOnlyEmptyDirectoriesAreRemoved() {
            bench.database.makeDirectory("/local/a/b");
            assertRefused(Status.SCHEME_ERROR, () -> bench.database.removeDirectory("/local/a"));
            bench.database.removeDirectory("/local/a/b");
            bench.database.removeDirectory("/local/a");
            assertThat(bench.database.list("/local")).isEmpty();
        }

        @Test
        void whereAMissingPathIsASchemeError() {
            assertRefused(Status.SCHEME_ERROR, () -> bench.database.list("/local/none"));
            assertRefused(Status.SCHEME_ERROR, () -> bench.database.describeTable("/local/none"));
            assertRefused(Status.SCHEME_ERROR, () -> bench.database.dropTable("/local/none", false));
            bench.database.dropTable("/local/none", true);
        }

        @Test
        void withBoundedDepthAndNames() {
            assertRefused(Status.SCHEME_ERROR, () -> bench.database.makeDirectory("/local" + "/d".repeat(33)));
            assertRefused(Status.SCHEME_ERROR, () -> bench.database.makeDirectory("/local/" + "d".repeat(256)));
        }
    }

    @Nested
    @DisplayName("refuses a table")
    class RefusesATable {
        private void assertTableRefused(Status status, List<String> key, Column... columns) {
            assertRefused(status, () -> bench.table(key, columns));
        }

        @ParameterizedTest
        @EnumSource(names = {"FLOAT", "DOUBLE", "JSON", "JSON_DOCUMENT", "YSON"})
        void withAKeyOfSuchAType(Type.Primitive type) {
            assertTableRefused(Status.BAD_REQUEST, List.of("k"), Column.nullable("k", type));
        }

        @Test
        void withoutAKey() {
            assertTableRefused(Status.BAD_REQUEST, List.of(), Column.nullable("k", Type.Primitive.INT64));
        }

        @Test
        void withAKeyThatIsNoColumn() {
            assertTableRefused(Status.SCHEME_ERROR, List.of("x"), Column.nullable("k", Type.Primitive.INT64));
        }

        @Test
        void withTwoColumnsOfOneName() {
            Column column = Column.nullable("k", Type.Primitive.INT64);
            assertTableRefused(Status.BAD_REQUEST, List.of("k"), column, column);
        }

        @Test
        void withMoreColumnsThanTheLimit() {
            List<Column> columns = new ArrayList<>();
            for (int i = 0; i < 201; i++) {
                columns.add(Column.nullable("c" + i, Type.Primitive.INT64));
            }
            assertTableRefused(Status.GENERIC_ERROR, List.of("c0"), columns.toArray(Column[]::new));
        }

        @Test
        void withTimeZonesInColumns() {
            assertTableRefused(
                    Status.BAD_REQUEST,
                    List.of("k"),
                    Column.nullable("k", Type.Primitive.INT64),
                    Column.nullable("v", Type.Primitive.TZ_DATE));
        }
    }

    @Nested
    @DisplayName("cuts tables into shards")
    class CutsIntoShards {
        private final Column unsigned = Column.nullable("k", Type.Primitive.UINT64);

        private void create(TableSpec.Partitioning partitioning) {
            bench.database.createTable(TableBench.spec(List.of("k"), partitioning, unsigned), false);
        }

        private List<@Nullable List<@Nullable Object>> borders() {
            return bench.database.describeTable(TABLE).shards().stream()
                    .<@Nullable List<@Nullable Object>>map(Shard::from)
                    .toList();
        }

        @Test
        void ofEqualRanges() {
            create(new TableSpec.Partitioning(4, List.of(), null, null, 0, 0, 0));
            assertThat(borders()).containsExactly(null, key(1L << 62), key(1L << 63), key(3L << 62));
        }

        @Test
        void atKeys() {
            create(new TableSpec.Partitioning(1, List.of(key(10L), key(20L)), null, null, 0, 0, 0));
            assertThat(borders()).containsExactly(null, key(10L), key(20L));
        }

        @Test
        void refusingKeysThatDoNotRise() {
            assertRefused(
                    Status.BAD_REQUEST,
                    () -> create(new TableSpec.Partitioning(1, List.of(key(20L), key(10L)), null, null, 0, 0, 0)));
        }

        @Test
        void withNewIdsAfterASplitOrMerge() {
            create(TableSpec.Partitioning.ONE);
            List<Long> seen = new ArrayList<>();
            collectIds(seen);
            assertThat(bench.database.splitShard(TABLE, key(5L))).isTrue();
            assertThat(bench.database.splitShard(TABLE, key(5L))).isFalse();
            collectIds(seen);
            bench.database.mergeShards(TABLE, 0);
            collectIds(seen);
            assertThat(seen).hasSize(4).doesNotHaveDuplicates();
            assertThat(borders()).isEqualTo(Collections.singletonList(null));
        }

        @Test
        void countingRowsOfEach() {
            create(new TableSpec.Partitioning(1, List.of(key(10L)), null, null, 0, 0, 0));
            for (long k : new long[] {1, 2, 10}) {
                bench.commit(new RowWrite(RowWrite.Kind.UPSERT, key(k), new int[0], new Object[0]));
            }
            assertThat(bench.database.describeTable(TABLE).shardRows()).containsExactly(2L, 1L);
        }

        private void collectIds(List<Long> seen) {
            bench.database.describeTable(TABLE).shards().forEach(shard -> seen.add(shard.tabletId()));
        }
    }

    @Nested
    @DisplayName("changes columns")
    class ChangesColumns {
        private void alter(TableSpec.Change... changes) {
            bench.database.alterTable(TABLE, List.of(changes));
        }

        @Test
        void addingOneThatOldRowsDoNotHave() {
            bench.table().commit(upsert(1, 1L, "a"));
            alter(new TableSpec.Change.AddColumn(Column.nullable("x", Type.Primitive.BOOL)));
            assertThat(bench.rows().get(0)).containsExactly(1L, 1L, "a", null);
        }

        @Test
        void addingOneWithADefaultThatOldRowsGet() {
            bench.table().commit(upsert(1, 1L, "a"));
            alter(new TableSpec.Change.AddColumn(new Column("x", Type.Primitive.INT64, true, 9L, false)));
            assertThat(bench.rows().get(0)).containsExactly(1L, 1L, "a", 9L);
        }

        @Test
        void forgettingWhatADroppedOneHeld() {
            bench.table().commit(upsert(1, 1L, "a"));
            alter(new TableSpec.Change.DropColumn("w"));
            alter(new TableSpec.Change.AddColumn(Column.nullable("w", Type.Primitive.UTF8)));
            assertThat(bench.rows().get(0)).containsExactly(1L, 1L, null);
        }

        @Test
        void keepingRowsRightWhenOneInTheMiddleGoes() {
            bench.table().commit(upsert(1, 1L, "a"));
            alter(new TableSpec.Change.DropColumn("v"));
            assertThat(bench.rows().get(0)).containsExactly(1L, "a");
            bench.commit(new RowWrite(RowWrite.Kind.UPSERT, key(2L), new int[] {1}, new Object[] {"b"}));
            assertThat(bench.rows()).last().isEqualTo(List.of(2L, "b"));
        }

        @Test
        void allOrNone() {
            bench.table();
            assertRefused(
                    Status.SCHEME_ERROR,
                    () -> alter(new TableSpec.Change.DropColumn("w"), new TableSpec.Change.DropColumn("none")));
            assertThat(bench.schema().columns()).hasSize(3);
        }

        @Test
        void neverOfTheKey() {
            bench.table();
            assertRefused(Status.BAD_REQUEST, () -> alter(new TableSpec.Change.DropColumn("k")));
        }
    }

    @Nested
    @DisplayName("copies and moves tables")
    class CopiesAndMoves {
        private static final String OTHER = "/local/d/other";

        private List<Object> keysOf(String path) {
            List<Object> keys = new ArrayList<>();
            Transaction reader = bench.database.begin(Transaction.Mode.SNAPSHOT_READ_ONLY);
            reader.scan(reader.schema(path), KeyRange.ALL, false, row -> keys.add(String.valueOf(row[0])));
            reader.rollback();
            return keys;
        }

        @Test
        void withAllRowsAndShards() {
            bench.table().commit(upsert(1, 1L, "a"), upsert(9, 9L, "b"));
            bench.database.splitShard(TABLE, key(5L));
            bench.database.copyTable(TABLE, OTHER);
            bench.commit(upsert(2, 2L, "later"));
            assertThat(keysOf(OTHER)).containsExactly("1", "9");
            assertThat(keysOf(TABLE)).containsExactly("1", "2", "9");
            assertThat(bench.database.describeTable(OTHER).shardRows()).containsExactly(1L, 1L);
        }

        @Test
        void withColumnsDroppedBefore() {
            bench.table().commit(upsert(1, 1L, "a"));
            bench.database.alterTable(TABLE, List.of(new TableSpec.Change.DropColumn("v")));
            bench.database.copyTable(TABLE, OTHER);
            bench.database.bulkUpsert(
                    OTHER,
                    List.of(new RowWrite(RowWrite.Kind.UPSERT, key(2L), new int[] {1}, new Object[] {"b"})),
                    null);
            assertThat(keysOf(OTHER)).containsExactly("1", "2");
        }

        @Test
        void awayFromTheirOldPath() {
            bench.table().commit(upsert(1, 1L, "a"));
            bench.database.renameTable(TABLE, OTHER, false);
            assertThat(keysOf(OTHER)).containsExactly("1");
            assertRefused(Status.SCHEME_ERROR, () -> bench.database.describeTable(TABLE));
        }

        @Test
        void overAnotherOnlyWhenTold() {
            bench.table().commit(upsert(1, 1L, "a"));
            bench.database.copyTable(TABLE, OTHER);
            bench.commit(upsert(2, 2L, "b"));
            assertRefused(Status.SCHEME_ERROR, () -> bench.database.renameTable(TABLE, OTHER, false));
            bench.database.renameTable(TABLE, OTHER, true);
            assertThat(keysOf(OTHER)).containsExactly("1", "2");
        }

        @Test
        void abortingTransactionsThatBeganBefore() {
            bench.table();
            Transaction before = bench.begin();
            before.write(bench.schema(), upsert(1, 1L, null));
            bench.database.renameTable(TABLE, OTHER, false);
            assertRefused(Status.ABORTED, before::commit);
        }
    }

    @Nested
    @DisplayName("takes bulk upserts")
    class BulkUpserts {
        @Test
        void eachShardForItself() {
            bench.table();
            bench.database.splitShard(TABLE, key(5L));
            List<Commit> commits = new ArrayList<>();
            bench.database.addListener((commit, changes) -> commits.add(commit));
            bench.database.bulkUpsert(
                    TABLE, List.of(upsert(1, 1L, null), upsert(9, 9L, null), upsert(2, 2L, null)), null);
            assertThat(bench.rows()).hasSize(3);
            assertThat(commits).hasSize(2);
        }

        @Test
        void breakingLocksOfReaders() {
            bench.table();
            Transaction reader = bench.begin();
            reader.get(bench.schema(), key(1L));
            bench.database.bulkUpsert(TABLE, List.of(upsert(1, 1L, null)), null);
            reader.write(bench.schema(), upsert(2, 2L, null));
            assertRefused(Status.ABORTED, reader::commit);
        }
    }
}
