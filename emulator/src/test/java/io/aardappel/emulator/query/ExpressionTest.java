package io.aardappel.emulator.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.QueryEngine.ResultSet;
import io.aardappel.emulator.query.value.TextForm;
import io.aardappel.emulator.query.value.Types;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An expression")
class ExpressionTest {
    private final YqlBench yql = new YqlBench();

    private String shown(String expression) {
        ResultSet result = yql.run("SELECT " + expression + " AS x").get(0);
        Type type = result.columns().get(0).type();
        Object value = result.rows().get(0).get(0);
        return Types.show(type) + " " + text(type.unwrapped(), value);
    }

    private static String text(Type type, @Nullable Object value) {
        if (value == null) {
            return "null";
        }
        return type instanceof Primitive || type instanceof Type.Decimal
                ? TextForm.print(type, value)
                : value.toString();
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '\0',
            value = {
                "1 → Int32 1",
                "2147483648 → Int64 2147483648",
                "9223372036854775808 → Uint64 9223372036854775808",
                "-2147483648 → Int32 -2147483648",
                "-9223372036854775808 → Int64 -9223372036854775808",
                "18446744073709551615ul → Uint64 18446744073709551615",
                "5u → Uint32 5",
                "5ut → Uint8 5",
                "5us → Uint16 5",
                "-5t → Int8 -5",
                "5s → Int16 5",
                "5l → Int64 5",
                "0xFF → Int32 255",
                "0o17 → Int32 15",
                "0b101u → Uint32 5",
                "1.5 → Double 1.5",
                "1.5f → Float 1.5",
                "-2e3 → Double -2000",
                "true → Bool true",
                "NULL → Null null",
                "'x' → String x",
                "\"it's\" → String it's",
                "'é'u → Utf8 é",
                "'\\x41\\u00e9\\\\\\'' → String Aé\\'",
                "@@raw\\n'\"@@ → String raw\\n'\"",
                "@@a@@@@b@@ → String a@@b",
                "'[1]'j → Json [1]",
                "'{a=1}'y → Yson {a=1}",
            })
    void ofALiteral(String expression, String shown) {
        assertThat(shown(expression)).isEqualTo(shown);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '\0',
            value = {
                "Date('2024-02-29') → Date 2024-02-29",
                "Datetime('2024-02-29T23:59:59Z') → Datetime 2024-02-29T23:59:59Z",
                "Datetime('2024-02-29T23:59:59+01:00') → Datetime 2024-02-29T22:59:59Z",
                "Timestamp('2024-02-29T23:59:59.5Z') → Timestamp 2024-02-29T23:59:59.500000Z",
                "Interval('P1DT2H3M4.000005S') → Interval P1DT2H3M4.000005S",
                "Interval('-PT1S') → Interval -PT1S",
                "Date32('-1-12-31') → Date32 -001-12-31",
                "Date32('998-06-02') → Date32 0998-06-02",
                "Interval64('P2D') → Interval64 P2D",
                "Decimal('-1.250', 22, 9) → Decimal(22,9) -1.25",
                "Decimal('9.6', 1, 0) → Decimal(1,0) inf",
                "Decimal('nan', 35, 10) → Decimal(35,10) nan",
                "Decimal('0.5', 3, 0) → Decimal(3,0) 0",
                "Decimal('1.5', 3, 0) → Decimal(3,0) 2",
                "DyNumber('12.50') → DyNumber .125e2",
                "DyNumber('-4.5') → DyNumber -.45e1",
                "DyNumber('0.000') → DyNumber 0",
                "Uuid('6E73B41C-4EDE-4D08-9CFB-B7462D9E498B') → Uuid 6e73b41c-4ede-4d08-9cfb-b7462d9e498b",
                "Json('{\"a\":[1,2]}') → Json {\"a\":[1,2]}",
                "JsonDocument('[]') → JsonDocument []",
                "Yson(@@[1]@@) → Yson [1]",
                "Uint64('7') → Uint64 7",
                "Bool('true') → Bool true",
            })
    void ofALiteralWithAConstructor(String expression, String shown) {
        assertThat(shown(expression)).isEqualTo(shown);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "Date('2023-02-29')",
                "Date('2106-01-01')",
                "Datetime('2024-01-01')",
                "Timestamp('2024-01-01T24:00:00Z')",
                "Interval('P')",
                "Interval('1 day')",
                "Decimal('x', 22, 9)",
                "Decimal('1', 36, 0)",
                "Uuid('6e73b41c')",
                "Json('{')",
                "'{]'j",
                "Uint8('256')",
                "300ut",
                "18446744073709551616",
                "'\\xZZ'"
            })
    void ofABadLiteralIsRefused(String expression) {
        assertThat(yql.status("SELECT " + expression)).isEqualTo(Status.GENERIC_ERROR);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '\0',
            value = {
                "1 + 2 * 3 → Int32 7",
                "(1 + 2) * 3 → Int32 9",
                "1 + 2u → Uint32 3",
                "1 + 2l → Int64 3",
                "7 / 2 → Optional<Int32> 3",
                "7 / 0 → Optional<Int32> null",
                "7 % 4 → Optional<Int32> 3",
                "7.0 / 2 → Double 3.5",
                "2147483647 + 1 → Int32 -2147483648",
                "250ut + 10ut → Uint8 4",
                "0ul - 1ul → Uint64 18446744073709551615",
                "- - 5 → Int32 5",
                "~0u → Uint32 4294967295",
                "6 & 3 → Int32 2",
                "6 | 3 → Int32 7",
                "1 << 4 → Int32 16",
                "16 >> 2 → Int32 4",
                "'a' || 'b' → String ab",
                "'a'u || 'b'u → Utf8 ab",
                "'a'u || 'b' → String ab",
                "Timestamp('2024-01-01T00:00:00Z') + Interval('PT1S') → Optional<Timestamp> 2024-01-01T00:00:01Z",
                "Date('2024-01-02') - Date('2024-01-01') → Interval P1D",
                "Date('2024-01-01') - Interval('P1D') → Optional<Date> 2023-12-31",
                "Interval('PT1H') * 2 → Optional<Interval> PT2H",
                "Decimal('1.5', 10, 2) + Decimal('2', 10, 2) → Decimal(10,2) 3.5",
                "Decimal('1.5', 10, 2) * 2 → Decimal(10,2) 3",
                "Decimal('1', 10, 2) / Decimal('3', 10, 2) → Decimal(10,2) 0.33",
                "1 + NULL → Null null",
            })
    void calculates(String expression, String shown) {
        assertThat(shown(expression)).isEqualTo(shown);
    }

    @Nested
    @DisplayName("of logic")
    class Logic {
        @ParameterizedTest(name = "{0} is {1}")
        @CsvSource(
                delimiter = '→',
                quoteCharacter = '\0',
                value = {
                    "true AND false → Bool false",
                    "false AND Nothing(Bool?) → Optional<Bool> false",
                    "true AND Nothing(Bool?) → Optional<Bool> null",
                    "true OR Nothing(Bool?) → Optional<Bool> true",
                    "false OR Nothing(Bool?) → Optional<Bool> null",
                    "NOT Nothing(Bool?) → Optional<Bool> null",
                    "true XOR true → Bool false",
                    "1 = 1 → Bool true",
                    "1 == 1 → Bool true",
                    "1 != 2 → Bool true",
                    "1 <> 1 → Bool false",
                    "1 = NULL → Optional<Bool> null",
                    "1 = 1.0 → Bool true",
                    "-1 < 18446744073709551615ul → Bool true",
                    "'a' < 'b'u → Bool true",
                    "Date('2024-01-01') < Timestamp('2024-01-01T00:00:01Z') → Bool true",
                    "Decimal('1.5', 5, 2) > 1 → Bool true",
                    "CAST('nan' AS Double) = CAST('nan' AS Double) → Optional<Bool> false",
                    "2 BETWEEN 1 AND 3 → Bool true",
                    "2 NOT BETWEEN 1 AND 3 → Bool false",
                    "1 IS NULL → Bool false",
                    "NULL IS NULL → Bool true",
                    "1 IS NOT NULL → Bool true",
                    "2 IN (1, 2) → Bool true",
                    "2 IN (1) → Bool false",
                    "2 NOT IN (1, 3) → Bool true",
                    "2 IN (1, NULL) → Optional<Bool> null",
                    "2 IN AsList(1, 2) → Bool true",
                    "2 IN [3] → Bool false",
                    "(1, 2) = (1, 2) → Bool true",
                    "(1, 2) < (1, 3) → Bool true",
                    "(1, 2) >= (2, 0) → Bool false",
                    "(1, 'a') IN ((2, 'a'), (1, 'a')) → Bool true",
                    "(1, NULL) = (2, 1) → Optional<Bool> false",
                    "'abc' LIKE 'a%' → Bool true",
                    "'abc' LIKE '_b_' → Bool true",
                    "'a%c' LIKE 'a!%c' ESCAPE '!' → Bool true",
                    "'abc' LIKE 'a!%c' ESCAPE '!' → Bool false",
                    "'ABC' ILIKE 'a%' → Bool true",
                    "'abc' NOT LIKE 'b%' → Bool true",
                    "NULL IS DISTINCT FROM 1 → Bool true",
                    "1 IS NOT DISTINCT FROM 1 → Bool true"
                })
        void hasThreeValues(String expression, String shown) {
            assertThat(shown(expression)).isEqualTo(shown);
        }

        @Test
        void letsCoalescingBindTighterThanComparison() {
            assertThat(shown("3 >= Nothing(Int32?) ?? 3")).isEqualTo("Bool true");
        }
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '\0',
            value = {
                "Just(1) ?? 2 → Int32 1",
                "Nothing(Int32?) ?? 2 → Int32 2",
                "NULL ?? 2 → Int32 2",
                "Coalesce(NULL, Nothing(Int64?), 7) → Int64 7",
                "IF(true, 1, 2) → Int32 1",
                "IF(false, 1) → Optional<Int32> null",
                "IF(NULL, 1, 2) → Int32 2",
                "IF(true, 'a', 'b'u) → String a",
                "CASE WHEN false THEN 1 WHEN true THEN 2 ELSE 3 END → Int32 2",
                "CASE 5 WHEN 4 THEN 'four' WHEN 5 THEN 'five' END → Optional<String> five",
                "Unwrap(Just(5)) → Int32 5",
                "Length('héé'u) → Uint32 5",
                "AsTuple(1, 2).1 → Int32 2",
                "AsStruct(1 AS a, 'x' AS b).b → String x",
                "<|a: 1, `b c`: 2|>.a → Int32 1",
                "[10, 20][1] → Optional<Int32> 20",
                "{'a': 1}['a'] → Optional<Int32> 1",
                "ListLength(ListFilter([1, 2, 3], ($x) -> { RETURN $x > 1; })) → Uint64 2",
                "ListMap([1, 2], ($x) -> ($x * 10))[1] → Optional<Int32> 20",
                "MAX_OF(1, 3, 2) → Int32 3",
                "MIN_OF(4, 3u) → Uint32 3",
                "Abs(-3) → Int32 3",
                "StartsWith('abc', 'ab') → Bool true",
                "Substring('hello', 1, 3) → String ell",
                "DateTime::ToSeconds(Timestamp('1970-01-01T00:00:09Z')) → Uint32 9",
                "DateTime::IntervalFromDays(2) → Optional<Interval> P2D",
                "CurrentUtcTimeStamp() → Timestamp 2026-01-02T03:04:05.678901Z",
                "CurrentUtcDatetime() → Datetime 2026-01-02T03:04:05Z",
                "currentutcdate() → Date 2026-01-02",
            })
    void callsAFunction(String expression, String shown) {
        assertThat(shown(expression)).isEqualTo(shown);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '\0',
            value = {
                "CAST(5 AS Text) → Utf8 5",
                "CAST(5 AS Int64) → Int64 5",
                "CAST(300 AS Uint8) → Optional<Uint8> null",
                "CAST(-1 AS Uint32) → Uint32 4294967295",
                "CAST('5' AS Int32) → Optional<Int32> 5",
                "CAST('x' AS Int32) → Optional<Int32> null",
                "CAST(1.9 AS Int32) → Optional<Int32> 1",
                "CAST(0.375 AS Float) → Float 0.375",
                "CAST('inf' AS Float) → Optional<Float> inf",
                "CAST(3 AS Decimal(22,9)) → Decimal(22,9) 3",
                "CAST('2024-01-01' AS Date) → Optional<Date> 2024-01-01",
                "CAST(Timestamp('2024-01-01T12:00:00Z') AS Date) → Date 2024-01-01",
                "CAST(Date('2024-01-01') AS Timestamp) → Timestamp 2024-01-01T00:00:00Z",
                "CAST(1000000ul AS Timestamp) → Optional<Timestamp> 1970-01-01T00:00:01Z",
                "CAST(Timestamp('1970-01-01T00:00:01Z') AS Uint64) → Optional<Uint64> 1000000",
                "CAST('a'u AS String) → String a",
                "CAST('a' AS Utf8) → Optional<Utf8> a",
                "CAST(true AS Int32) → Int32 1",
                "CAST(Just(5) AS Text) → Optional<Utf8> 5",
                "CAST('{}' AS Json) → Optional<Json> {}",
                "CAST(DyNumber('2.5') AS Double) → Optional<Double> 2.5",
            })
    void casts(String expression, String shown) {
        assertThat(shown(expression)).isEqualTo(shown);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "1 + 'a'",
                "1 = 'a'",
                "NOT 5",
                "1 AND true",
                "Json('1') = Json('1')",
                "CAST(Date('2024-01-01') AS Uuid)",
                "IF(1, 2, 3)",
                "IF(true, 1, 'a')",
                "Unwrap(5)",
                "NoSuchFunction(1)",
                "No::Such(1)",
                "x",
                "$unknown",
                "COUNT(COUNT(*))",
                "(SELECT 1, 2)",
                "{1}",
                "1 REGEXP 'a'"
            })
    void withoutMeaningIsRefusedWithAPlace(String expression) {
        var refusal = yql.refusal("SELECT " + expression);
        assertThat(refusal.status()).isEqualTo(Status.GENERIC_ERROR);
        assertThat(refusal.issues().get(0).row()).isEqualTo(1);
        assertThat(refusal.issues().get(0).column()).isGreaterThan(1);
    }

    @Test
    void thatUnwrapsNothingFailsThePrecondition() {
        assertThat(yql.status("SELECT Unwrap(Nothing(Int32?))")).isEqualTo(Status.PRECONDITION_FAILED);
    }

    @Test
    void ofTheCurrentTimeIsTheSameAllThroughATransaction() {
        var transaction = yql.begin();
        var compiled =
                yql.engine.compile(YqlBench.DATABASE, "SELECT CurrentUtcTimestamp(), CurrentUtcTimestamp() AS b");
        var first = compiled.execute(transaction, Map.of()).get(0).rows();
        var second = compiled.execute(transaction, Map.of()).get(0).rows();
        assertThat(first).isEqualTo(second).containsExactly(List.of(YqlBench.NOW, YqlBench.NOW));
        transaction.rollback();
        assertThat(yql.eval("CurrentUtcTimestamp()")).isEqualTo(YqlBench.NOW + 1);
    }
}
