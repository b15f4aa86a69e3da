package io.aardappel.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.QueryEngine.ResultSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("SELECT")
class SelectTest {
    private final YqlBench yql = new YqlBench();

    @BeforeEach
    void tables() {
        yql.scheme("CREATE TABLE people (id Int32 NOT NULL, name Utf8, team Utf8, age Uint32, PRIMARY KEY (id))");
        yql.run("UPSERT INTO people (id, name, team, age) VALUES (1, 'ann', 'red', 30), (2, 'bob', 'red', 20),"
                + " (3, 'cat', 'blue', 40), (4, 'dan', NULL, NULL)");
        yql.scheme("CREATE TABLE teams (team Utf8 NOT NULL, city Utf8, PRIMARY KEY (team))");
        yql.run("UPSERT INTO teams (team, city) VALUES ('red', 'Oslo'), ('green', 'Rome')");
    }

    @ParameterizedTest(name = "{0} gives {1}")
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '\0',
            value = {
                "SELECT * FROM people WHERE id = 1 → [[30, 1, ann, red]]",
                "SELECT p.* FROM people AS p WHERE p.id = 1 → [[30, 1, ann, red]]",
                "SELECT name AS n, id + 1 FROM people WHERE id = 1 → [[ann, 2]]",
                "FROM people WHERE id = 1 SELECT name → [[ann]]",
                "SELECT id FROM people WHERE age > 25 → [[1], [3]]",
                "SELECT id FROM people WHERE NOT (age > 25) → [[2]]",
                "SELECT id FROM people WHERE team IS NULL → [[4]]",
                "SELECT id FROM people ORDER BY age DESC, id → [[3], [1], [2], [4]]",
                "SELECT id, age AS years FROM people ORDER BY years → [[4, null], [2, 20], [1, 30], [3, 40]]",
                "SELECT name FROM people ORDER BY age, name DESC LIMIT 2 → [[dan], [bob]]",
                "SELECT id FROM people ORDER BY id LIMIT 2 OFFSET 1 → [[2], [3]]",
                "SELECT id FROM people ORDER BY id LIMIT 1, 2 → [[2], [3]]",
                "SELECT id FROM people LIMIT 0 → []",
                "SELECT DISTINCT team FROM people ORDER BY team → [[null], [blue], [red]]",
                "SELECT COUNT(*), COUNT(age), COUNT(DISTINCT team), MIN(age), MAX(age), SUM(age), AVG(age) FROM people → [[4, 3, 2, 20, 40, 90, 30.0]]",
                "SELECT COUNT(*), SUM(age) FROM people WHERE id > 100 → [[0, null]]",
                "SELECT team, COUNT(*) AS n FROM people GROUP BY team ORDER BY n DESC, team → [[red, 2], [null, 1], [blue, 1]]",
                "SELECT team FROM people GROUP BY team HAVING COUNT(*) > 1 → [[red]]",
                "SELECT d, COUNT(*) FROM people GROUP BY age / 20u AS d ORDER BY d → [[null, 1], [1, 2], [2, 1]]",
                "SELECT MAX(age) - MIN(age) AS spread FROM people → [[20]]",
                "SELECT COUNT_IF(age > 25) FROM people → [[2]]",
                "SELECT SOME(team) FROM people WHERE id = 3 → [[blue]]",
                "SELECT id FROM people WHERE id = 1 UNION ALL SELECT id FROM people WHERE id = 3 ORDER BY id DESC → [[3], [1]]",
                "SELECT 1 AS a UNION ALL SELECT 2 AS b → [[1, null], [null, 2]]",
                "SELECT x.id FROM (SELECT id, age FROM people WHERE id < 3) AS x WHERE x.age = 20 → [[2]]",
                "SELECT a, b FROM AS_TABLE([<|a: 1, b: 'x'|>, <|a: 2, b: 'y'|>]) WHERE a = 2 → [[2, Bytes[array=y]]]",
                "SELECT p.name, t.city FROM people AS p JOIN teams AS t ON p.team = t.team ORDER BY name → [[ann, Oslo], [bob, Oslo]]",
                "SELECT p.name, t.city FROM people AS p JOIN teams AS t USING (team) ORDER BY name → [[ann, Oslo], [bob, Oslo]]",
                "SELECT p.id, t.city FROM people AS p LEFT JOIN teams AS t ON p.team = t.team ORDER BY id → [[1, Oslo], [2, Oslo], [3, null], [4, null]]",
                "SELECT p.id, t.team FROM people AS p RIGHT JOIN teams AS t ON p.team = t.team ORDER BY id, team → [[null, green], [1, red], [2, red]]",
                "SELECT COUNT(*) FROM people AS p FULL JOIN teams AS t ON p.team = t.team → [[5]]",
                "SELECT COUNT(*) FROM people CROSS JOIN teams → [[8]]",
                "SELECT (SELECT MAX(age) FROM people) AS m → [[40]]",
                "SELECT (SELECT age FROM people WHERE id = 100) IS NULL AS m → [[true]]",
                "SELECT EXISTS (SELECT * FROM people WHERE id = 1) AS e → [[true]]",
                "SELECT id FROM people WHERE team IN (SELECT team FROM teams) → [[1], [2]]",
                "$min = 2; SELECT id FROM people WHERE id > $min → [[3], [4]]",
                "$old = (SELECT * FROM people WHERE age > 25); SELECT id FROM $old → [[1], [3]]",
                "$old = SELECT * FROM people WHERE age > 25; SELECT COUNT(*) FROM $old AS o → [[2]]",
                "$max = (SELECT MAX(id) FROM people); SELECT name FROM people WHERE id = $max → [[dan]]",
                "$f = ($x) -> { $y = $x + 1; RETURN $y * 2; }; SELECT $f(3) AS r → [[8]]",
                "PRAGMA TablePathPrefix('/local'); SELECT id FROM people WHERE id = 1 → [[1]]",
                "PRAGMA TablePathPrefix = \"/local/\"; SELECT id FROM `people` WHERE id = 1 → [[1]]",
                "SELECT id FROM `/local/people` WHERE id = 1 -- comment → [[1]]",
                "SELECT /* a comment */ id FROM people WHERE id == 1; ; → [[1]]",
                "select Id.id from people as Id where id in (1, 2) and name like 'a%' → [[1]]",
            })
    void answers(String text, String rows) {
        assertThat(yql.rows(text)
                        .toString()
                        .replace("Bytes[array=79]", "Bytes[array=y]")
                        .replaceAll("\\b79\\b", "Bytes[array=y]"))
                .isEqualTo(rows);
    }

    @Test
    void givesOptionalTypesWhereColumnsMayBeNull() {
        ResultSet result = yql.run("SELECT id, name, COUNT(*) OVER_ FROM people GROUP BY id, name")
                .get(0);
        assertThat(result.columns())
                .containsExactly(
                        new Type.Member("id", Primitive.INT32),
                        new Type.Member("name", Primitive.UTF8.nullable()),
                        new Type.Member("OVER_", Primitive.UINT64));
    }

    @Test
    void givesColumnsEvenWithoutRows() {
        ResultSet result = yql.run("SELECT name FROM people WHERE id = 100").get(0);
        assertThat(result.rows()).isEmpty();
        assertThat(result.columns()).hasSize(1);
    }

    @Test
    void readsAnIndexThroughItsTable() {
        yql.scheme("CREATE TABLE i (id Int32, v Int32, PRIMARY KEY (id), INDEX by_v GLOBAL ON (v))");
        yql.run("UPSERT INTO i (id, v) VALUES (1, 5), (2, 6)");
        assertThat(yql.rows("SELECT id FROM i VIEW by_v WHERE v = 6")).containsExactly(List.of(2L));
        assertThat(yql.status("SELECT id FROM i VIEW nope WHERE v = 6")).isEqualTo(Status.SCHEME_ERROR);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "SELECT nope FROM people",
                "SELECT x.id FROM people AS p",
                "SELECT team FROM people AS p JOIN teams AS t ON p.team = t.team",
                "SELECT id, id FROM people",
                "SELECT * ",
                "SELECT id FROM people WHERE name",
                "SELECT id, COUNT(*) FROM people",
                "SELECT id FROM people HAVING id > 1",
                "SELECT id FROM people LIMIT 'x'",
                "SELECT id FROM AS_TABLE(5)",
                "SELECT p.id FROM people AS p LEFT SEMI JOIN teams AS t ON p.team = t.team",
                "SELECT 1 WHERE true",
                "SELECT id FROM people ORDER BY Json('1')",
                "SELEC 1",
                "SELECT 1 FROM",
                "SELECT 'open",
                "SELECT 1 ~~",
                "GRANT ALL ON people TO x",
                "COMMIT",
                "PRAGMA NoSuchThing = '1'; SELECT 1",
                "SELECT 1 INTO RESULT x"
            })
    void ofWhatItDoesNotUnderstandIsRefusedWithAPlace(String text) {
        var refusal = yql.refusal(text);
        assertThat(refusal.status()).isEqualTo(Status.GENERIC_ERROR);
        assertThat(refusal.issues().get(0).row()).isEqualTo(1);
        assertThat(refusal.issues().get(0).column()).isPositive();
    }

    @Test
    void namesTheLineAndColumnOfAMistake() {
        var issue =
                yql.refusal("SELECT id\nFROM people\n  WHERE nope = 1").issues().get(0);
        assertThat(issue.message()).isEqualTo("Member not found: nope");
        assertThat(List.of(issue.row(), issue.column())).isEqualTo(List.of(3, 9));
    }

    @Test
    void survivesAbsurdNesting() {
        String deep = "(".repeat(3_000) + "1" + ")".repeat(3_000);
        assertThat(yql.status("SELECT " + deep)).isEqualTo(Status.GENERIC_ERROR);
        assertThat(yql.eval("1" + " + 1".repeat(500))).isEqualTo(501L);
    }
}
