package io.aardappel.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.QueryEngine.TypedValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A statement that writes rows")
class WriteTest {
    private static final String ALL = "SELECT k, a, b FROM t";

    private final YqlBench yql = new YqlBench();

    @BeforeEach
    void table() {
        yql.scheme("CREATE TABLE t (k Uint64 NOT NULL, a Int32, b Utf8 DEFAULT 'd', PRIMARY KEY (k))");
        yql.run("UPSERT INTO t (k, a, b) VALUES (1, 10, 'one'), (2, 20, 'two')");
    }

    @Test
    void ofUpsertOverlaysTheNamedColumns() {
        yql.run("UPSERT INTO t (k, a) VALUES (1, 11), (3, 30)");
        assertThat(yql.rows(ALL))
                .containsExactly(List.of(1L, 11L, "one"), List.of(2L, 20L, "two"), List.of(3L, 30L, "d"));
    }

    @Test
    void ofReplaceResetsTheOthersToTheirDefaults() {
        yql.run("REPLACE INTO t (k, b) VALUES (1, 'new'); REPLACE INTO t (k, a) VALUES (2, 21)");
        assertThat(yql.rows(ALL)).containsExactly(Arrays.asList(1L, null, "new"), List.of(2L, 21L, "d"));
    }

    @Test
    void ofInsertRefusesAKeyThatIsThereAndWritesNothing() {
        YdbException refusal = yql.refusal("INSERT INTO t (k, a) VALUES (5, 1), (1, 1)");
        assertThat(refusal.status()).isEqualTo(Status.PRECONDITION_FAILED);
        assertThat(yql.rows(ALL)).hasSize(2);
    }

    @Test
    void ofInsertRefusesAKeyGivenTwice() {
        assertThat(yql.status("INSERT INTO t (k) VALUES (5), (5)")).isEqualTo(Status.PRECONDITION_FAILED);
    }

    @Test
    void ofUpdateComputesFromTheRowAsItWas() {
        yql.run("UPDATE t SET a = a + 1, b = b || '!'u WHERE k = 1");
        assertThat(yql.rows(ALL)).containsExactly(List.of(1L, 11L, "one!"), List.of(2L, 20L, "two"));
    }

    @Test
    void ofUpdateOnTouchesOnlyRowsThatAreThere() {
        yql.run("UPDATE t ON SELECT * FROM AS_TABLE([<|k: 1, a: 5|>, <|k: 9, a: 9|>])");
        assertThat(yql.rows(ALL)).containsExactly(List.of(1L, 5L, "one"), List.of(2L, 20L, "two"));
    }

    @Test
    void ofDeleteOnSkipsRowsThatAreNotThere() {
        yql.run("DELETE FROM t ON SELECT 1 AS k UNION ALL SELECT 9 AS k");
        assertThat(yql.rows(ALL)).containsExactly(List.of(2L, 20L, "two"));
    }

    @Test
    void ofDeleteRemovesTheRowsSelected() {
        yql.run("DELETE FROM t WHERE a > 15");
        assertThat(yql.rows(ALL)).containsExactly(List.of(1L, 10L, "one"));
        yql.run("DELETE FROM t");
        assertThat(yql.rows(ALL)).isEmpty();
    }

    @Test
    void copiesFromItsOwnTableWithoutMeetingItsOwnRows() {
        yql.run("INSERT INTO t SELECT k + 100 AS k, a, b FROM t");
        assertThat(yql.rows("SELECT k FROM t")).containsExactly(List.of(1L), List.of(2L), List.of(101L), List.of(102L));
    }

    @Test
    void isSeenByTheStatementsBehindIt() {
        assertThat(yql.rows("UPSERT INTO t (k, a) VALUES (3, 1); SELECT COUNT(*) FROM t"))
                .containsExactly(List.of(3L));
    }

    @Test
    void returnsRowsAsTheyAreAfterwardsAndDeletedOnesAsTheyWere() {
        assertThat(yql.rows("UPSERT INTO t (k, a) VALUES (1, 7) RETURNING *")).containsExactly(List.of(7L, "one", 1L));
        assertThat(yql.rows("UPDATE t SET a = a + 1 WHERE k = 1 RETURNING a, k"))
                .containsExactly(List.of(8L, 1L));
        assertThat(yql.rows("DELETE FROM t WHERE k = 2 RETURNING b")).containsExactly(List.of("two"));
    }

    @Test
    void takesAStructsMembersInAnyOrder() {
        List<Type.Member> members = List.of(
                new Type.Member("b", Primitive.UTF8.nullable()),
                new Type.Member("k", Primitive.UINT64),
                new Type.Member("a", Primitive.INT32));
        TypedValue rows = YqlBench.structs(members, List.of(Arrays.asList(null, 1L, 1L), List.of("x", 7L, 7L)));
        yql.run("UPSERT INTO t SELECT * FROM AS_TABLE($rows)", Map.of("$rows", rows));
        assertThat(yql.rows(ALL))
                .containsExactly(Arrays.asList(1L, 1L, null), List.of(2L, 20L, "two"), List.of(7L, 7L, "x"));
    }

    @ParameterizedTest(name = "{0} gets {1}")
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '\0',
            value = {
                "UPSERT INTO t (a) VALUES (1) → PRECONDITION_FAILED → Missing key column in input: k",
                "UPSERT INTO t (k, a) VALUES (NULL, 1) → BAD_REQUEST → Can't set NULL or optional value to not null column: k",
                "UPSERT INTO t (k, a) VALUES (Just(1ul), 1) → BAD_REQUEST → Can't set NULL or optional value",
                "UPSERT INTO t (k, a) VALUES (1, 'x') → BAD_REQUEST → Failed to convert 'a': String to Optional<Int32>",
                "UPSERT INTO t (k, a) VALUES (-1, 1) → BAD_REQUEST → Failed to convert 'k': Int32 to Uint64",
                "UPSERT INTO t (k, a) VALUES (1, 2147483648) → BAD_REQUEST → Failed to convert 'a': Int64",
                "UPSERT INTO t (k, nope) VALUES (1, 1) → GENERIC_ERROR → No such column: nope",
                "UPSERT INTO t (k, k) VALUES (1, 1) → GENERIC_ERROR → Duplicated column: k",
                "UPSERT INTO t (k, a) VALUES (1) → GENERIC_ERROR → VALUES have 1 columns, INTO expects 2",
                "UPSERT INTO t VALUES (1, 2, 'x') → GENERIC_ERROR → needs the names of the columns",
                "UPSERT INTO t (k, a) SELECT a, k FROM t → GENERIC_ERROR → don't match column specification",
                "UPSERT INTO t (k, a) SELECT 1ul AS k, 2 AS a, 3 AS b → GENERIC_ERROR → don't match column specification",
                "UPDATE t SET k = 5 WHERE k = 1 → BAD_REQUEST → Cannot update primary key column: k",
                "UPDATE t SET a = 'x' → BAD_REQUEST → Failed to convert 'a'",
                "DELETE FROM t ON SELECT 1 AS a → PRECONDITION_FAILED → Missing key column in input: k",
                "UPSERT INTO missing (k) VALUES (1) → SCHEME_ERROR → missing",
                "UPSERT INTO t (k, a) SELECT Unwrap(a) AS k, a FROM t WHERE a IS NULL; UPSERT INTO t (k, a) VALUES (1, 'x') → BAD_REQUEST → Failed"
            })
    void thatCannotBeIsRefused(String text, Status status, String message) {
        YdbException refusal = yql.refusal(text);
        assertThat(refusal.status()).isEqualTo(status);
        assertThat(refusal.toString()).contains(message);
        assertThat(yql.rows("SELECT COUNT(*) FROM t")).containsExactly(List.of(2L));
    }

    @ParameterizedTest(name = "{0} does {1}")
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '\0',
            value = {
                "INSERT INTO t (k, a) VALUES (7, 1) → [INSERT [1, 2]]",
                "UPSERT INTO t (k, a) VALUES (1, 1) → [UPSERT [1]]",
                "REPLACE INTO t (k, a) VALUES (1, 1) → [REPLACE [1, 2]]",
                "UPDATE t SET b = 'x' WHERE k = 1 → [UPDATE [2]]",
                "UPDATE t ON (k, a) VALUES (1, 1), (9, 1) → [UPDATE [1]]",
                "DELETE FROM t WHERE a = 10 → [DELETE []]",
                "DELETE FROM t WHERE k = 9 → []",
                "DELETE FROM t ON (k) VALUES (9) → [DELETE []]",
                "DELETE FROM t ON SELECT * FROM AS_TABLE([<|k: 1ul|>]) → [DELETE []]"
            })
    void isToldToChangefeedsByItsOwnKind(String text, String kinds) {
        List<String> told = new ArrayList<>();
        yql.database.addListener((commit, changes) ->
                changes.forEach(change -> told.add(change.kind() + " " + Arrays.toString(change.written()))));
        yql.run(text);
        assertThat(told).hasToString(kinds);
    }

    @Nested
    @DisplayName("over NOT NULL columns")
    class NotNull {
        @BeforeEach
        void table() {
            yql.scheme("CREATE TABLE n (k Int32, v Int32 NOT NULL, w Int32 NOT NULL DEFAULT 9, PRIMARY KEY (k))");
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource({"UPSERT", "INSERT", "REPLACE"})
        void mustNameThoseWithoutADefault(String verb) {
            YdbException refusal = yql.refusal(verb + " INTO n (k) VALUES (1)");
            assertThat(refusal.status()).isEqualTo(Status.BAD_REQUEST);
            assertThat(refusal.issues().get(0).message())
                    .isEqualTo("Missing not null column in input: v. All not null columns should be initialized");
        }

        @Test
        void mayLeaveThemOutWhereRowsAreThereAlready() {
            yql.run("UPSERT INTO n (k, v) VALUES (1, 1); UPDATE n ON (k, w) VALUES (1, 5), (2, 5)");
            assertThat(yql.rows("SELECT k, v, w FROM n")).containsExactly(List.of(1L, 1L, 5L));
        }

        @Test
        void mayHaveANullKey() {
            yql.run("UPSERT INTO n (k, v) VALUES (NULL, 1), (-5, 2)");
            assertThat(yql.rows("SELECT k, v FROM n")).containsExactly(Arrays.asList(null, 1L), List.of(-5L, 2L));
        }
    }

    @Nested
    @DisplayName("with parameters")
    class Parameters {
        private static final String TEXT =
                "DECLARE $k AS Uint64; DECLARE $a AS Int32?; UPSERT INTO t (k, a) VALUES ($k, $a)";

        @Test
        void acceptsThemInTheDeclaredTypes() {
            yql.run(
                    TEXT,
                    Map.of(
                            "$k",
                            new TypedValue(Primitive.UINT64, 1L),
                            "a",
                            new TypedValue(Primitive.INT32.nullable(), null)));
            assertThat(yql.rows("SELECT a FROM t WHERE k = 1")).containsExactly(Arrays.asList((Object) null));
        }

        @Test
        void refusesAnotherTypeByName() {
            YdbException refusal = yql.refusal(TEXT, Map.of("$k", new TypedValue(Primitive.INT32, 1L)));
            assertThat(refusal.status()).isEqualTo(Status.BAD_REQUEST);
            assertThat(refusal.toString()).contains("$k").contains("expected: Uint64, actual: Int32");
        }

        @Test
        void refusesAMissingOneByName() {
            YdbException refusal = yql.refusal(TEXT);
            assertThat(refusal.status()).isEqualTo(Status.BAD_REQUEST);
            assertThat(refusal.toString()).contains("Missing value for parameter: $k");
        }

        @Test
        void tellsWhatItDeclares() {
            assertThat(yql.engine.compile(YqlBench.DATABASE, TEXT).declaredParameters())
                    .containsExactly(Map.entry("$k", Primitive.UINT64), Map.entry("$a", Primitive.INT32.nullable()));
        }

        @Test
        void ordersMembersOfStructsByName() {
            Type.Struct declared = new Type.Struct(
                    List.of(new Type.Member("k", Primitive.UINT64), new Type.Member("a", Primitive.INT32)));
            Type.Struct sent = new Type.Struct(
                    List.of(new Type.Member("a", Primitive.INT32), new Type.Member("k", Primitive.UINT64)));
            assertThat(yql.rows(
                            "DECLARE $l AS List<Struct<k:Uint64,'a':Int32>>; SELECT $l AS l",
                            Map.of("$l", new TypedValue(new Type.ListOf(sent), List.of(List.of(5L, 6L))))))
                    .containsExactly(List.of(List.of(List.of(6L, 5L))));
            assertThat(declared.members()).hasSize(2);
        }
    }
}
