package io.aardappel.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.QueryEngine.TypedValue;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever arrives, the answer is a status: an exception of another kind would be a defect. */
@DisplayName("A text with words lost, doubled, exchanged or borrowed from another")
class MutilatedTextTest {
    private static final List<String> TEXTS = List.of(
            "SELECT a, b AS c, COUNT(*) AS n FROM t WHERE k = 1 AND a IN (1, 2) GROUP BY a, b HAVING COUNT(*) > 0 ORDER BY n LIMIT 3",
            "SELECT x.a, y.b FROM t AS x JOIN t AS y ON x.k = y.k WHERE x.a BETWEEN 1 AND 5 ORDER BY x.a DESC",
            "SELECT SUM(a), MIN(b), MAX(ts), AVG(a), SOME(b) FROM t WHERE (k, a) > (1, 2) OR b IS NULL",
            "UPSERT INTO t (k, a, b, ts) VALUES (1, 2, 'x', CurrentUtcTimestamp()), (2, NULL, 'y'u, Timestamp('2024-01-01T00:00:00Z'))",
            "UPSERT INTO t (k, a) SELECT k, a FROM AS_TABLE([<|k: 1, a: 2|>, <|k: 3, a: 4|>])",
            "INSERT INTO t SELECT * FROM AS_TABLE(ListMap(ListFromRange(1, 5), ($x) -> { RETURN <|k: $x, a: $x|>; })) RETURNING k",
            "UPDATE t SET a = a + 1, b = b || 'z'u WHERE k IN (1, 2) RETURNING *",
            "DELETE FROM t ON SELECT k FROM t WHERE a > $p; DELETE FROM t WHERE k >= 7",
            "$m = (SELECT MAX(k) FROM t); SELECT IF($m > 1, 'a', 'b'), CASE WHEN $m IS NULL THEN 1 ELSE 2 END, CAST($m AS Utf8)",
            "DECLARE $p AS Int32; SELECT $p ?? 5, -$p, NOT ($p > 1), Just($p), Unwrap(Just($p)), AsTuple(1, 'x').1, [1, 2][0]",
            "SELECT Date('2024-01-01') + Interval('P1D'), Decimal('1.5', 10, 2) * 2, 7 / 0, 'abc' LIKE 'a%', Nothing(Int32?), ts - ts FROM t",
            "CREATE TABLE u (k Uint64 NOT NULL, v Text DEFAULT 'x', PRIMARY KEY (k)) WITH (UNIFORM_PARTITIONS = 4, TTL = Interval('PT1H') ON v)",
            "ALTER TABLE t ADD COLUMN z Int32, ADD INDEX i GLOBAL ON (a), SET (AUTO_PARTITIONING_BY_SIZE = ENABLED)",
            "CREATE TOPIC p (CONSUMER c WITH (important = true)) WITH (min_active_partitions = 2, retention_period = Interval('PT1H'))");

    private final YqlBench yql = new YqlBench();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13, 14})
    void getsAStatus(long seed) {
        Random random = new Random(seed);
        yql.scheme("CREATE TABLE t (k Uint64, a Int32, b Utf8, ts Timestamp, PRIMARY KEY (k))");
        Map<Status, Integer> answers = new EnumMap<>(Status.class);
        for (int i = 0; i < 1_500; i++) {
            String text = mutilated(random);
            answers.merge(status(seed, text), 1, Integer::sum);
        }
        assertThat(answers).containsKeys(Status.SUCCESS, Status.GENERIC_ERROR).doesNotContainKey(Status.INTERNAL_ERROR);
    }

    private Status status(long seed, String text) {
        try {
            QueryEngine.Compiled compiled = yql.engine.compile(YqlBench.DATABASE, text);
            if (!compiled.isScheme()) {
                yql.run(text, Map.of("$p", new TypedValue(Primitive.INT32, 3L)));
            }
            return Status.SUCCESS;
        } catch (YdbException e) {
            assertThat(e.issues()).as("seed %d: %s", seed, text).isNotEmpty();
            return e.status();
        } catch (RuntimeException | StackOverflowError e) {
            return fail("seed %d: %s".formatted(seed, text), e);
        }
    }

    private static String mutilated(Random random) {
        List<String> words = words(TEXTS.get(random.nextInt(TEXTS.size())));
        List<String> others = words(TEXTS.get(random.nextInt(TEXTS.size())));
        for (int i = random.nextInt(3); i > 0 && !words.isEmpty(); i--) {
            int at = random.nextInt(words.size());
            switch (random.nextInt(4)) {
                case 0 -> words.remove(at);
                case 1 -> words.add(at, words.get(at));
                case 2 -> words.set(at, words.get(random.nextInt(words.size())));
                default -> words.set(at, others.get(random.nextInt(others.size())));
            }
        }
        return String.join(" ", words);
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        for (Token token : new YqlLexer(CharStreams.fromString(text)).getAllTokens()) {
            words.add(token.getText());
        }
        return words;
    }
}
