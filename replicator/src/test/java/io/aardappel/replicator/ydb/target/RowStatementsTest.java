package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.codec.TableShape.Column;
import io.aardappel.replicator.codec.YdbType;
import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.TableWrites;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.ValueProtos.StructMember;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;

@DisplayName("The writes of one table become")
class RowStatementsTest {
    private static final TargetSettings SETTINGS = TargetSettings.of(Duration.ofSeconds(10));

    /** Key k; nullable a and b; n NOT NULL; d NOT NULL with a default; e nullable with a default. */
    private static final TableShape SHAPE = new TableShape(
            "/Root/t",
            List.of(
                    column("a", PrimitiveTypeId.UTF8, false, false),
                    column("k", PrimitiveTypeId.UINT64, true, false),
                    column("b", PrimitiveTypeId.INT32, false, false),
                    column("n", PrimitiveTypeId.INT32, true, false),
                    column("d", PrimitiveTypeId.INT32, true, true),
                    column("e", PrimitiveTypeId.INT32, false, true)),
            List.of("k"));

    private static final int A = 0;
    private static final int B = 2;
    private static final int N = 3;
    private static final int D = 4;
    private static final int E = 5;

    private static Column column(String name, PrimitiveTypeId type, boolean notNull, boolean hasDefault) {
        return new Column(name, YdbType.of(type), notNull, hasDefault);
    }

    private static RowWrite write(Operation operation, long key, int[] ordinals, @Nullable Object... cells) {
        return new RowWrite(
                new Key(key), operation, new Columns(ordinals, cells), new PartitionId(0, 7), new Position(5, 6));
    }

    private static RowWrite erase(long key) {
        return write(Operation.ERASE, key, new int[0]);
    }

    private static List<String> texts(TableWrites writes) {
        return statements(writes, SETTINGS).stream()
                .map(statement -> statement.text("$p"))
                .toList();
    }

    private static List<Statement> statements(TableWrites writes, TargetSettings settings) {
        RowStatements.Outcome made = RowStatements.of(writes, SHAPE, settings);
        assertThat(made.refusal()).isEmpty();
        return made.statements();
    }

    /** As a server reads them. */
    private static List<Value> rows(Statement statement) {
        try {
            return TypedValue.parseFrom(statement.rows().toByteString())
                    .getValue()
                    .getItemsList();
        } catch (InvalidProtocolBufferException malformed) {
            throw new IllegalStateException("no server would read the parameter", malformed);
        }
    }

    private static TableWrites writes(RowWrite... rows) {
        return new TableWrites("t", List.of(), List.of(rows));
    }

    @Nested
    @DisplayName("one statement for each kind and set of columns:")
    class Texts {
        @Test
        void deletesByKeyBeforeAnythingIsWritten() {
            TableWrites both = new TableWrites(
                    "t", List.of(erase(1)), List.of(write(Operation.UPDATE, 2, new int[] {A, N}, "x", 1L)));

            assertThat(texts(both))
                    .containsExactly(
                            "DELETE FROM `/Root/t` ON SELECT `k` FROM AS_TABLE($p);\n",
                            "UPSERT INTO `/Root/t` (`k`, `a`, `n`) SELECT `k`, `a`, `n` FROM AS_TABLE($p);\n");
        }

        @Test
        void upsertsNameTheCarriedColumnsOnly() {
            assertThat(texts(writes(write(Operation.UPDATE, 1, new int[] {N, D}, 1L, 2L))))
                    .containsExactly("UPSERT INTO `/Root/t` (`k`, `n`, `d`) SELECT `k`, `n`, `d` FROM AS_TABLE($p);\n");
        }

        @Test
        void updatesThatLackAColumnWhichANewRowNeedsMustMeetARow() {
            assertThat(texts(writes(write(Operation.UPDATE, 1, new int[] {A}, "x"))))
                    .containsExactly("UPDATE `/Root/t` ON SELECT `k`, `a` FROM AS_TABLE($p) RETURNING `k`;\n");
        }

        @Test
        void replacesNameEveryNullableColumnWithoutDefaultAndLeaveDefaultsToTheTable() {
            assertThat(texts(writes(write(Operation.REPLACE, 1, new int[] {N}, 1L))))
                    .containsExactly(
                            "REPLACE INTO `/Root/t` (`k`, `a`, `b`, `n`) SELECT `k`, `a`, `b`, `n` FROM AS_TABLE($p);\n");
        }

        @Test
        void replacesNameAColumnWithADefaultThatIsCarriedAlsoAsNull() {
            assertThat(texts(writes(write(Operation.REPLACE, 1, new int[] {N, E}, 1L, null))))
                    .containsExactly("REPLACE INTO `/Root/t` (`k`, `a`, `b`, `n`, `e`) SELECT `k`, `a`, `b`, `n`, `e`"
                            + " FROM AS_TABLE($p);\n");
        }

        @Test
        void comeInTheSameOrderWhateverTheOrderOfRows() {
            RowWrite one = write(Operation.UPDATE, 1, new int[] {A, N}, "x", 1L);
            RowWrite other = write(Operation.UPDATE, 2, new int[] {B, N}, 2L, 1L);
            RowWrite third = write(Operation.REPLACE, 3, new int[] {N}, 1L);

            assertThat(texts(writes(one, other, third)))
                    .isEqualTo(texts(writes(third, other, one)))
                    .hasSize(3);
        }

        @Test
        void leaveTheColumnsOutWhereTheirNamesWouldNotFitACall() {
            List<Column> columns = IntStream.range(0, 190)
                    .mapToObj(i -> column("a_rather_long_name_of_a_column_" + i, PrimitiveTypeId.UTF8, i == 0, false))
                    .toList();
            TableShape wide = new TableShape("/Root/wide", columns, List.of("a_rather_long_name_of_a_column_0"));
            int[] ordinals = IntStream.range(1, 190).toArray();
            RowWrite row = new RowWrite(
                    new Key("k"),
                    Operation.UPDATE,
                    new Columns(ordinals, new @Nullable Object[189]),
                    new PartitionId(0, 0),
                    Position.ZERO);

            List<Statement> made = RowStatements.of(writes(row), wide, SETTINGS).statements();

            assertThat(made)
                    .singleElement()
                    .satisfies(statement -> assertThat(statement.text("$p"))
                            .isEqualTo("UPSERT INTO `/Root/wide` SELECT * FROM AS_TABLE($p);\n"));
        }
    }

    @Nested
    @DisplayName("parameters")
    class Parameters {
        @Test
        void ofExactlyTheColumnsTypesOptionalWhereTheColumnIsNullable() {
            Statement statement = statements(writes(write(Operation.UPDATE, 1, new int[] {A, N}, null, 3L)), SETTINGS)
                    .get(0);

            List<StructMember> members = statement
                    .rows()
                    .getType()
                    .getListType()
                    .getItem()
                    .getStructType()
                    .getMembersList();
            assertThat(members).extracting(StructMember::getName).containsExactly("k", "a", "n");
            assertThat(members.get(0).getType().getTypeId()).isEqualTo(PrimitiveTypeId.UINT64);
            assertThat(members.get(1).getType().getOptionalType().getItem().getTypeId())
                    .isEqualTo(PrimitiveTypeId.UTF8);
            assertThat(members.get(2).getType().getTypeId()).isEqualTo(PrimitiveTypeId.INT32);
        }

        @Test
        void withExplicitNullsWhereAReplaceCarriesNothing() {
            Statement statement = statements(writes(write(Operation.REPLACE, 9, new int[] {B, N}, 4L, 3L)), SETTINGS)
                    .get(0);

            List<Value> row = rows(statement).get(0).getItemsList();
            assertThat(row.get(0).getUint64Value()).isEqualTo(9);
            assertThat(row.get(1).hasNullFlagValue()).isTrue();
            assertThat(row.get(2).getInt32Value()).isEqualTo(4);
            assertThat(row.get(3).getInt32Value()).isEqualTo(3);
        }

        @Test
        void thatAreSplitWhereACallCouldNotCarryThem() {
            TargetSettings small = settings(100, 1_000);
            RowWrite[] rows = LongStream.range(0, 50)
                    .mapToObj(key -> write(Operation.UPDATE, key, new int[] {A, N}, "text of some length", key))
                    .toArray(RowWrite[]::new);

            List<Statement> made = statements(writes(rows), small);

            assertThat(made)
                    .allSatisfy(statement -> assertThat(statement.bytes()).isLessThanOrEqualTo(100));
            assertThat(made.stream()
                            .flatMap(statement -> rows(statement).stream())
                            .map(row -> row.getItems(0).getUint64Value()))
                    .containsExactlyElementsOf(LongStream.range(0, 50).boxed().toList());
        }

        @Test
        void ofNoMoreRowsThanAnAnswerCanGiveBackWhereRowsAreChecked() {
            TargetSettings few = settings(1 << 20, 3);
            RowWrite[] rows = LongStream.range(0, 7)
                    .mapToObj(key -> write(Operation.UPDATE, key, new int[] {A}, "x"))
                    .toArray(RowWrite[]::new);

            assertThat(statements(writes(rows), few))
                    .extracting(
                            statement -> statement.check().orElseThrow().rows().size())
                    .containsExactly(3, 3, 1);
        }

        private TargetSettings settings(int parameterBytes, int returnedRows) {
            return new TargetSettings(
                    SETTINGS.lockTtl(),
                    SETTINGS.callTimeout(),
                    SETTINGS.commitTimeout(),
                    SETTINGS.resolveTimeout(),
                    SETTINGS.pauseMin(),
                    SETTINGS.pauseMax(),
                    SETTINGS.callTries(),
                    SETTINGS.callTextBytes(),
                    parameterBytes,
                    returnedRows);
        }
    }

    @Test
    @DisplayName("a problem that names table, column and place, when a whole row lacks a column that it needs")
    void problem() {
        RowStatements.Outcome made =
                RowStatements.of(writes(write(Operation.REPLACE, 1, new int[] {A}, "secret")), SHAPE, SETTINGS);

        assertThat(made.refusal()).hasValueSatisfying(refusal -> {
            assertThat(refusal.row().key()).isEqualTo(new Key(1L));
            assertThat(refusal.outdated()).isFalse();
            assertThat(refusal.problem().reason()).isEqualTo(Problem.Reason.UNFIT_RECORD);
            assertThat(refusal.problem().what()).contains("/Root/t", "NOT NULL column n");
            assertThat(refusal.problem().text()).doesNotContain("secret");
        });
    }

    @Test
    @DisplayName("a problem that names table, column and row, when the row carries a column that was dropped")
    void dropped() {
        List<Column> left = new ArrayList<>(SHAPE.columns());
        left.remove(B);
        TableShape shrunk = SHAPE.evolveTo(new TableShape("/Root/t", left, List.of("k")));

        assertThat(RowStatements.of(writes(write(Operation.UPDATE, 1, new int[] {A, B}, "secret", 2)), shrunk, SETTINGS)
                        .refusal())
                .hasValueSatisfying(refusal -> {
                    assertThat(refusal.row().key()).isEqualTo(new Key(1L));
                    assertThat(refusal.outdated()).isTrue();
                    assertThat(refusal.problem().what())
                            .contains("column " + SHAPE.column(B).name(), "/Root/t");
                });
    }
}
