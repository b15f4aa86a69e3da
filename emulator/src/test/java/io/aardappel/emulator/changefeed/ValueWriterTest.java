package io.aardappel.emulator.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A value in a record")
class ValueWriterTest {
    private static String written(Type type, @Nullable Object value) {
        JsonBytes out = new JsonBytes();
        ValueWriter.of(type).writeNullable(out, value);
        return new String(out.toBytes(), StandardCharsets.UTF_8);
    }

    private static Bytes bytes(String text) {
        return new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of(Primitive.BOOL, true, "true"),
                Arguments.of(Primitive.INT8, -128L, "-128"),
                Arguments.of(Primitive.INT64, Long.MIN_VALUE, "-9223372036854775808"),
                Arguments.of(Primitive.UINT64, -1L, "18446744073709551615"),
                Arguments.of(Primitive.FLOAT, 0.375f, "0.375"),
                Arguments.of(Primitive.DOUBLE, -1234.0625, "-1234.0625"),
                Arguments.of(Primitive.DOUBLE, Double.NaN, "\"nan\""),
                Arguments.of(Primitive.DOUBLE, Double.POSITIVE_INFINITY, "\"inf\""),
                Arguments.of(Primitive.FLOAT, Float.NEGATIVE_INFINITY, "\"-inf\""),
                Arguments.of(Primitive.DATE, 19_782L, "\"2024-02-29T00:00:00.000000Z\""),
                Arguments.of(Primitive.INTERVAL, -5L, "-5"),
                Arguments.of(Primitive.DATE32, -2L, "-2"),
                Arguments.of(Primitive.DATETIME64, -10L, "-10"),
                Arguments.of(Primitive.TIMESTAMP64, -7L, "-7"),
                Arguments.of(Primitive.INTERVAL64, 172_800_000_000L, "172800000000"),
                Arguments.of(new Type.Decimal(22, 9), BigInteger.valueOf(40_500_000_000L), "\"40.5\""),
                Arguments.of(Primitive.DYNUMBER, new BigDecimal("12.5"), "\".125e2\""),
                Arguments.of(Primitive.STRING, bytes("bin"), "\"Ymlu\""),
                Arguments.of(Primitive.UTF8, "dépôt \"7\"\n\u0001é", "\"dépôt \\\"7\\\"\\n\\u0001é\""),
                Arguments.of(Primitive.UTF8, "a\"é\"\uD83D\uDE00", "\"a\\\"é\\\"\uD83D\uDE00\""),
                Arguments.of(Primitive.JSON, "{ \"p\" : [1, \"q q\"] }", "{\"p\":[1,\"q q\"]}"),
                Arguments.of(Primitive.JSON, "null", "null"),
                Arguments.of(Primitive.JSON_DOCUMENT, "{\"m\":{}}", "{\"m\":{}}"));
    }

    @ParameterizedTest(name = "{0} {2}")
    @MethodSource("values")
    void hasTheFormOfItsType(Type type, Object value, String json) {
        assertThat(written(type, value)).isEqualTo(json);
    }

    @Test
    void isNullWhenItIsNull() {
        assertThat(written(Primitive.JSON, null)).isEqualTo("null");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`{a=1;b=[2;%true;\"c\"]}` | `{\"a\":1,\"b\":[2,true,\"c\"]}`",
                "`[-1;2u;3.5;#;%nan;word;\"x\\ty\"]` | `[-1,2,3.5,null,\"nan\",\"word\",\"x\\ty\"]`",
                "`<a=1>2` | `{\"$attributes\":{\"a\":1},\"$value\":2}`",
                "` { \"k k\" = { } ; } ` | `{\"k k\":{}}`",
                "`[[];]` | `[[]]`",
                "`{broken` | `\"{broken\"`"
            })
    void ofYsonBecomesJson(String yson, String json) {
        assertThat(written(Primitive.YSON, bytes(yson))).isEqualTo(json);
    }

    @Test
    void ofBinaryYsonBecomesJson() {
        byte[] yson = {
            '[', 0x01, 4, 'a', 'b', ';', 0x02, 5, ';', 0x05, ';', 0x06, 7, ';', 0x03, 0, 0, 0, 0, 0, 0, 0x24, 0x40, ']'
        };
        assertThat(written(Primitive.YSON, new Bytes(yson))).isEqualTo("[\"ab\",-3,true,7,10.0]");
    }
}
