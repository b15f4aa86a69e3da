package io.aardappel.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.QueryEngine.TypedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A read whose conditions speak of the key")
class KeyReadTest {
    private final YqlBench yql = new YqlBench();

    /**
     * The clever read against the dumb one: behind a sub-select no condition reaches the key, so that all rows are read and
     * filtered.
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void findsTheRowsThatAFilterOverAllRowsFinds(long seed) {
        Random random = new Random(seed);
        yql.scheme("CREATE TABLE t (a Int32, b Utf8, c Uint8, v Int64, PRIMARY KEY (a, b, c))");
        fill(random);
        for (int i = 0; i < 300; i++) {
            String condition = condition(random, 3);
            String clever = "SELECT a, b, c, v FROM t WHERE " + condition;
            String dumb = "SELECT a, b, c, v FROM (SELECT * FROM t) WHERE " + condition;
            assertThat(yql.rows(clever, parameters(random)))
                    .as("seed %d: %s", seed, condition)
                    .isEqualTo(yql.rows(dumb, parameters(random)));
        }
    }

    private static Map<String, TypedValue> parameters(Random random) {
        return Map.of(
                "$one", new TypedValue(Primitive.INT32, 1L),
                "$none", new TypedValue(Primitive.INT32.nullable(), null),
                "$list", new TypedValue(new Type.ListOf(Primitive.INT64), List.of(2L, 1L, 2L, 1L << 40)));
    }

    private void fill(Random random) {
        for (int i = 0; i < 120; i++) {
            yql.run("UPSERT INTO t (a, b, c, v) VALUES (%s, %s, %s, %d)"
                    .formatted(
                            random.nextInt(8) == 0 ? "NULL" : random.nextInt(4),
                            random.nextInt(8) == 0 ? "NULL" : "'" + "xyz".charAt(random.nextInt(3)) + "'",
                            random.nextInt(8) == 0 ? "NULL" : random.nextInt(3),
                            i));
        }
    }

    private static String condition(Random random, int depth) {
        if (depth > 0 && random.nextInt(3) > 0) {
            String operator = random.nextInt(4) == 0 ? " OR " : " AND ";
            return "(" + condition(random, depth - 1) + operator + condition(random, depth - 1) + ")";
        }
        List<String> conditions = List.of(
                "a " + sign(random) + " " + number(random),
                number(random) + " " + sign(random) + " a",
                "b " + sign(random) + " '" + "wxyz".charAt(random.nextInt(4)) + "'",
                "c " + sign(random) + " " + number(random),
                "a IN (" + number(random) + ", " + number(random) + ")",
                "c IN (" + number(random) + ", NULL)",
                "b IN ('x', 'z')",
                "a IN $list",
                "a = $one",
                "a = $none",
                "t.a = $one",
                "a BETWEEN " + number(random) + " AND " + number(random),
                "b IS NULL",
                "a IS NOT NULL",
                "NOT (a = 1)",
                "(a, b) " + sign(random) + " (" + number(random) + ", 'y')",
                "(a, b, c) " + sign(random) + " (1, 'y', " + number(random) + ")",
                "(b, a) = ('x', 1)",
                "(a, b) IN ((1, 'x'), (2, 'y'), (1, 'x'))",
                "(a, c) IN ((1, 1), (2, 0))",
                "(a = 1 OR a = 3)",
                "v > 50",
                "a + 0 = 1",
                "a = c");
        String chosen = conditions.get(random.nextInt(conditions.size()));
        return chosen.startsWith("t.") ? "a = $one" : chosen;
    }

    private static String sign(Random random) {
        return List.of("=", "==", "<", "<=", ">", ">=", "!=").get(random.nextInt(7));
    }

    private static String number(Random random) {
        return List.of("0", "1", "2", "3", "-1", "300", "1.5", "1.0", "2ul").get(random.nextInt(9));
    }

    @Nested
    @DisplayName("locks no more than it needs")
    class Locks {
        @BeforeEach
        void table() {
            yql.scheme("CREATE TABLE l (a Uint64, b Utf8, v Int64, PRIMARY KEY (a, b))");
            yql.run("UPSERT INTO l (a, b, v) VALUES (1, 'x', 1), (1, 'y', 1), (2, 'x', 1)");
        }

        /** Whether a commit of the other statement breaks a transaction that has read. */
        private boolean conflicts(String read, String other) {
            Transaction transaction = yql.begin();
            yql.engine.compile(YqlBench.DATABASE, read).execute(transaction, Map.of());
            yql.run(other);
            try {
                yql.engine
                        .compile(YqlBench.DATABASE, "UPSERT INTO l (a, b, v) VALUES (99, 'z', 1)")
                        .execute(transaction, Map.of());
                transaction.commit();
                return false;
            } catch (YdbException e) {
                assertThat(e.status()).isEqualTo(Status.ABORTED);
                return true;
            }
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource(
                delimiter = '→',
                quoteCharacter = '\0',
                value = {
                    "SELECT v FROM l WHERE a = 1 AND b = 'x' → (1, 'x') → true",
                    "SELECT v FROM l WHERE a = 1 AND b = 'x' → (1, 'y') → false",
                    "SELECT v FROM l WHERE a = 1 AND b = 'none' → (1, 'none') → true",
                    "SELECT v FROM l WHERE a = 1 → (1, 'new') → true",
                    "SELECT v FROM l WHERE a = 1 → (2, 'x') → false",
                    "SELECT v FROM l WHERE a > 1 → (1, 'x') → false",
                    "SELECT v FROM l WHERE a > 1 → (3, 'x') → true",
                    "SELECT v FROM l WHERE a IN (1, 3) AND b = 'x' → (3, 'x') → true",
                    "SELECT v FROM l WHERE a IN (1, 3) AND b = 'x' → (2, 'x') → false",
                    "SELECT v FROM l WHERE (a, b) IN ((1, 'x'), (2, 'x')) → (1, 'y') → false",
                    "SELECT v FROM l WHERE v = 1 → (7, 'x') → true",
                    "SELECT COUNT(*) FROM l → (7, 'x') → true",
                })
        void than(String read, String key, boolean conflict) {
            String values = key.substring(0, key.length() - 1) + ", 5)";
            assertThat(conflicts(read, "UPSERT INTO l (a, b, v) VALUES " + values))
                    .isEqualTo(conflict);
        }

        @Test
        void whereAJoinIsNarrowedByAConditionOfWhere() {
            String read = "SELECT x.v FROM l AS x JOIN l AS y ON x.b = y.b WHERE x.a = 1 AND y.a = 2";
            assertThat(conflicts(read, "UPSERT INTO l (a, b, v) VALUES (3, 'x', 1)"))
                    .isFalse();
            assertThat(conflicts(read, "UPSERT INTO l (a, b, v) VALUES (2, 'q', 1)"))
                    .isTrue();
        }
    }

    @Test
    void comesInTheOrderOfTheKeyForwardsAndBackwards() {
        yql.scheme("CREATE TABLE o (k Uint64, v Int32, PRIMARY KEY (k))");
        yql.run("UPSERT INTO o (k, v) VALUES (3, 1), (1, 2), (18446744073709551615ul, 3), (2, 4)");
        assertThat(first(yql.rows("SELECT k FROM o"))).containsExactly(1L, 2L, 3L, -1L);
        assertThat(first(yql.rows("SELECT k FROM o ORDER BY k DESC LIMIT 2"))).containsExactly(-1L, 3L);
        assertThat(first(yql.rows("SELECT k FROM o WHERE k IN (3, 1, 2) ORDER BY k DESC")))
                .containsExactly(3L, 2L, 1L);
    }

    private static List<@Nullable Object> first(List<List<@Nullable Object>> rows) {
        List<@Nullable Object> values = new ArrayList<>();
        rows.forEach(row -> values.add(row.get(0)));
        return values;
    }
}
