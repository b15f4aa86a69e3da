package io.aardappel.replicator.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tech.ydb.proto.ValueProtos.PgType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.ValueProtos.Value;

@DisplayName("A value of a changefeed")
class CellReaderTest {
    private static YdbType type(String name) {
        if (name.startsWith("DECIMAL_")) {
            String[] parts = name.split("_", -1);
            return YdbType.decimal(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
        }
        return YdbType.of(PrimitiveTypeId.valueOf(name));
    }

    private static StreamRecord record(YdbType type, boolean notNull, String json) {
        TableShape shape = new TableShape(
                "/local/t",
                List.of(
                        new TableShape.Column("id", YdbType.of(PrimitiveTypeId.UINT64), true, false),
                        new TableShape.Column("c", type, notNull, false)),
                List.of("id"));
        return new ChangeDecoder(shape, FeedImages.WRITTEN_COLUMNS)
                .decode(("{\"update\":{\"c\":" + json + "},\"key\":[1],\"ts\":[1,1]}").getBytes(UTF_8));
    }

    private static @Nullable Object cell(YdbType type, String json) {
        StreamRecord record = record(type, false, json);
        assertThat(record).isInstanceOf(Change.class);
        return ((Change) record).columns().values()[0];
    }

    private static Value value(String type, String json) {
        return Cells.toValue(type(type), cell(type(type), json));
    }

    private static String reason(YdbType type, String json) {
        StreamRecord record = record(type, false, json);
        assertThat(record).isInstanceOf(Unfit.class);
        return ((Unfit) record).reason();
    }

    @Nested
    @DisplayName("that is an integer")
    class Integers {
        @ParameterizedTest
        @CsvSource({
            "INT8,-128,127",
            "UINT8,0,255",
            "INT16,-32768,32767",
            "UINT16,0,65535",
            "INT32,-2147483648,2147483647",
            "UINT32,0,4294967295",
            "INT64,-9223372036854775808,9223372036854775807",
            "UINT64,0,18446744073709551615",
            "INTERVAL,-4291747199999999,4291747199999999",
            "DATE32,-53375809,53375807",
            "DATETIME64,-4611669897600,4611669811199",
            "TIMESTAMP64,-4611669897600000000,4611669811199999999",
            "INTERVAL64,-9223339708799999999,9223339708799999999"
        })
        void fitsExactlyFromTheLowestToTheHighest(String name, BigInteger lowest, BigInteger highest) {
            YdbType type = type(name);
            assertThat(cell(type, lowest.toString())).isEqualTo(lowest.longValue());
            assertThat(cell(type, highest.toString())).isEqualTo(highest.longValue());
            assertThat(reason(type, lowest.subtract(BigInteger.ONE).toString()))
                    .contains("outside the range of " + type);
            assertThat(reason(type, highest.add(BigInteger.ONE).toString())).contains("outside the range of " + type);
        }

        @ParameterizedTest
        @CsvSource({"INT32,1.0", "INT64,1e3", "UINT8,'\"1\"'", "INT16,true", "DATE32,'[1]'", "UINT64,'{\"a\":1}'"})
        void isSpelledAsAnIntegerAndNoOtherWay(String name, String json) {
            assertThat(reason(type(name), json)).contains("is no value of " + type(name));
        }

        @Test
        void hasNoBoundOnItsDigits() {
            assertThat(reason(type("UINT64"), "9".repeat(5000))).contains("outside the range");
            assertThat(reason(type("INT8"), "-" + "9".repeat(5000))).contains("outside the range");
        }
    }

    @Nested
    @DisplayName("that is a floating-point number")
    class Floats {
        @ParameterizedTest
        @CsvSource({"1.5,1.5", "-0.1,-0.1", "3,3", "1e10,1e10", "3.4028234663852886e+38,3.4028235e38"})
        void isTheNearestFloat(String json, float expected) {
            assertThat(value("FLOAT", json).getFloatValue()).isEqualTo(expected);
        }

        @ParameterizedTest
        @CsvSource({"0.1,0.1", "-2.5e-300,-2.5e-300", "9007199254740993,9007199254740992"})
        void isTheNearestDouble(String json, double expected) {
            assertThat(value("DOUBLE", json).getDoubleValue()).isEqualTo(expected);
        }

        @ParameterizedTest
        @CsvSource({"nan,NaN", "inf,Infinity", "-inf,-Infinity"})
        void isSpecialAsText(String text, String expected) {
            String json = "\"" + text + "\"";
            assertThat(value("FLOAT", json).getFloatValue()).isEqualTo(Float.valueOf(expected));
            assertThat(value("DOUBLE", json).getDoubleValue()).isEqualTo(Double.valueOf(expected));
        }

        @ParameterizedTest
        @CsvSource({"FLOAT,1e39", "FLOAT,1e-60", "DOUBLE,1e400"})
        void isNeverRoundedToZeroOrInfinity(String name, String json) {
            assertThat(reason(type(name), json)).contains("outside the range");
        }

        @Test
        void isNotAnyOtherText() {
            assertThat(reason(type("DOUBLE"), "\"Infinity\"")).contains("not spelled");
        }
    }

    @Nested
    @DisplayName("that is a date")
    class Dates {
        @ParameterizedTest
        @CsvSource({
            "DATE,1970-01-01T00:00:00.000000Z,0",
            "DATE,2024-02-29T00:00:00.000000Z,19782",
            "DATE,2024-03-01T00:00:00.000000Z,19783",
            "DATE,2100-03-01T00:00:00.000000Z,47541",
            "DATE,2105-12-31T00:00:00.000000Z,49672",
            "DATETIME,2024-02-29T23:59:59.000000Z,1709251199",
            "DATETIME,2105-12-31T23:59:59.000000Z,4291747199",
            "TIMESTAMP,2024-02-29T23:59:59.123456Z,1709251199123456",
            "TIMESTAMP,2105-12-31T23:59:59.999999Z,4291747199999999"
        })
        void countsFrom1970(String name, String text, long expected) {
            assertThat(cell(type(name), "\"" + text + "\"")).isEqualTo(expected);
        }

        @ParameterizedTest
        @CsvSource({
            "2023-02-29T00:00:00.000000Z",
            "2100-02-29T00:00:00.000000Z",
            "2024-13-01T00:00:00.000000Z",
            "2024-00-01T00:00:00.000000Z",
            "2024-01-00T00:00:00.000000Z",
            "2024-01-01T24:00:00.000000Z",
            "2024-01-01T00:60:00.000000Z",
            "2024-01-01T00:00:60.000000Z",
            "2024-01-01T00:00:00Z",
            "2024-01-01T00:00:00.000Z",
            "2024-01-01 00:00:00.000000Z",
            "2024-01-01",
            "''"
        })
        void hasOneSpelling(String text) {
            assertThat(reason(type("TIMESTAMP"), "\"" + text + "\""))
                    .contains("not spelled as the feed spells Timestamp");
        }

        @ParameterizedTest
        @CsvSource({"1969-12-31T23:59:59.999999Z", "2106-01-01T00:00:00.000000Z"})
        void hasARange(String text) {
            assertThat(reason(type("TIMESTAMP"), "\"" + text + "\"")).contains("outside the range");
        }

        @ParameterizedTest
        @CsvSource({"DATE,2024-01-01T00:00:01.000000Z", "DATETIME,2024-01-01T00:00:01.000001Z"})
        void isNeverCutShort(String name, String text) {
            assertThat(reason(type(name), "\"" + text + "\"")).contains("more digits");
        }

        @ParameterizedTest
        @EnumSource(
                value = PrimitiveTypeId.class,
                names = {"DATE", "DATETIME", "TIMESTAMP"})
        void isNoNumber(PrimitiveTypeId id) {
            assertThat(reason(YdbType.of(id), "19782")).contains("a JSON integer is no value of");
        }
    }

    @Nested
    @DisplayName("that is a decimal")
    class Decimals {
        @ParameterizedTest
        @CsvSource({
            "DECIMAL_22_9,1.5,1500000000",
            "DECIMAL_22_9,7,7000000000",
            "DECIMAL_22_9,0,0",
            "DECIMAL_22_9,-0.25,-250000000",
            "DECIMAL_22_9,-9999999999999.999999999,-9999999999999999999999",
            "DECIMAL_22_9,9999999999999.999999999,9999999999999999999999",
            "DECIMAL_35_0,99999999999999999999999999999999999,99999999999999999999999999999999999",
            "DECIMAL_35_35,-0.00000000000000000000000000000000001,-1",
            "DECIMAL_5_2,000123.40,12340",
            "DECIMAL_22_9,nan,100000000000000000000000000000000001",
            "DECIMAL_22_9,inf,100000000000000000000000000000000000",
            "DECIMAL_22_9,-inf,-100000000000000000000000000000000000"
        })
        void isTheNumberTimesTenToTheScale(String name, String text, BigInteger expected) {
            assertThat(cell(type(name), "\"" + text + "\""))
                    .asInstanceOf(InstanceOfAssertFactories.type(Int128.class))
                    .extracting(Int128::toBigInteger)
                    .isEqualTo(expected);
        }

        @Test
        void travelsAsTwoHalves() {
            Value minusOne = value("DECIMAL_22_0", "\"-1\"");
            assertThat(minusOne.getLow128()).isEqualTo(-1);
            assertThat(minusOne.getHigh128()).isEqualTo(-1);
            Value big = value("DECIMAL_35_0", "\"18446744073709551616\"");
            assertThat(big.getLow128()).isZero();
            assertThat(big.getHigh128()).isEqualTo(1);
        }

        @ParameterizedTest
        @CsvSource({
            "DECIMAL_5_2,1000,outside the range of Decimal(5",
            "DECIMAL_5_2,0.001,more digits than Decimal(5",
            "DECIMAL_5_2,1e2,not spelled",
            "DECIMAL_5_2,.5,not spelled",
            "DECIMAL_5_2,-,not spelled",
            "DECIMAL_5_2,'',not spelled",
            "DECIMAL_5_2,1.2.3,not spelled"
        })
        void isNeverRounded(String name, String text, String why) {
            assertThat(reason(type(name), "\"" + text + "\"")).contains(why);
        }
    }

    @Nested
    @DisplayName("that is a DyNumber")
    class DyNumbers {
        @ParameterizedTest
        @CsvSource({
            ".125e2,.125e2",
            "12.5,.125e2",
            "1250e-2,.125e2",
            "+12.50,.125e2",
            "0012.5E0,.125e2",
            ".5,.5",
            "-.45e1,-.45e1",
            "-4.5,-.45e1",
            "10,.1e2",
            "0.001,.1e-2",
            "0,0",
            "-0.00e5,0",
            "1e125,.1e126",
            "1e-130,.1e-129"
        })
        void hasOneSpellingHowEverItCame(String text, String canonical) {
            assertThat(cell(type("DYNUMBER"), "\"" + text + "\"")).isEqualTo(canonical);
        }

        @ParameterizedTest
        @CsvSource({
            "1e126,outside",
            "1e-131,outside",
            "1e99999999999,outside",
            "x,not spelled",
            "1e,not spelled",
            ".,not spelled",
            "123456789012345678901234567890123456789,more digits"
        })
        void hasARange(String text, String why) {
            assertThat(reason(type("DYNUMBER"), "\"" + text + "\"")).contains(why);
        }
    }

    @Nested
    @DisplayName("that is text or bytes")
    class Texts {
        @Test
        void stringIsBase64() {
            assertThat(value("STRING", "\"AAH/gA==\"").getBytesValue())
                    .isEqualTo(ByteString.copyFrom(new byte[] {0, 1, -1, -128}));
            assertThat(value("STRING", "\"\"").getBytesValue()).isEqualTo(ByteString.EMPTY);
        }

        @ParameterizedTest
        @CsvSource({"AAH_gA==", "AAH/gA", "A", "AAAA AAA", "===="})
        void anythingElseIsNot(String text) {
            assertThat(reason(type("STRING"), "\"" + text + "\"")).contains("not spelled");
        }

        @Test
        void utf8IsText() {
            assertThat(value("UTF8", "\"a\\u0000\\\"\\n \u20ac\ud83d\ude00\\ud83d\\ude00\"")
                            .getTextValue())
                    .isEqualTo("a\u0000\"\n \u20ac\ud83d\ude00\ud83d\ude00");
        }

        @Test
        void aLoneSurrogateIsNoText() {
            assertThat(reason(type("UTF8"), "\"a\\ud83d\"")).contains("not spelled");
            assertThat(reason(type("YSON"), "{\"\\udc00\":1}")).contains("outside");
        }

        @Test
        void uuidTravelsInMixedEndian() {
            Value uuid = value("UUID", "\"00112233-4455-6677-8899-aabbccddeeff\"");
            assertThat(Long.toHexString(uuid.getLow128())).isEqualTo("6677445500112233");
            assertThat(Long.toHexString(uuid.getHigh128())).isEqualTo("ffeeddccbbaa9988");
        }

        @ParameterizedTest
        @CsvSource({"1-1-1-1-1", "00112233-4455-6677-8899-aabbccddeef", "00112233-4455-6677-8899-aabbccddeegg"})
        void uuidHasOneSpelling(String text) {
            assertThat(reason(type("UUID"), "\"" + text + "\"")).contains("not spelled");
        }
    }

    @Nested
    @DisplayName("that is a document")
    class Documents {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{}",
                    "[]",
                    "{\"a\":{\"b\":[1,2,{\"c\":null}]}}",
                    "18446744073709551615",
                    "-0.10e+05",
                    "\"text \\u00e9 \\ud800\"",
                    "true",
                    "[ 1 , 2 ]",
                    "\"€\""
                })
        void isKeptByteForByte(String document) {
            for (String name : List.of("JSON", "JSON_DOCUMENT")) {
                assertThat(value(name, document).getTextValue()).isEqualTo(document);
            }
        }

        @Test
        void mayBeDeepAndLong() {
            String deep = "[".repeat(3000) + "]".repeat(3000);
            String digits = "1".repeat(20_000);
            assertThat(value("JSON", deep).getTextValue()).isEqualTo(deep);
            assertThat(value("JSON", digits).getTextValue()).isEqualTo(digits);
        }

        @Test
        void thatIsNullIsTakenForNullWhereTheColumnAllowsIt() {
            assertThat(cell(type("JSON"), "null")).isNull();
        }

        @Test
        void thatIsNullIsTheDocumentWhereTheColumnRefusesNull() {
            Change change = (Change) record(type("JSON_DOCUMENT"), true, "null");
            assertThat(Cells.toValue(type("JSON_DOCUMENT"), change.columns().values()[0])
                            .getTextValue())
                    .isEqualTo("null");
        }
    }

    @Nested
    @DisplayName("that is Yson")
    class Ysons {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "null in a list: [null] | [#;]",
                    "map: {\"a\":1,\"b c\":-2} | {\"a\"=1;\"b c\"=-2;}",
                    "list: [1.5,true,false,[],{}] | [1.5;%true;%false;[];{};]",
                    "unsigned: 18446744073709551615 | 18446744073709551615u",
                    "text: \"q\\\"\\\\\\n\\u0001é\" | \"q\\\"\\\\\\x0A\\x01é\"",
                    "number: 1e3 | 1e3"
                })
        void isWrittenAsYsonText(String json, String expected) {
            String document = json.substring(json.indexOf(": ") + 2);
            assertThat(value("YSON", document).getBytesValue().toStringUtf8()).isEqualTo(expected);
        }

        @Test
        void anIntegerBeyondBothKindsIsUnfit() {
            assertThat(reason(type("YSON"), "[18446744073709551616]")).contains("outside the range of Yson");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = PrimitiveTypeId.class,
            names = {"TZ_DATE", "TZ_DATETIME", "TZ_TIMESTAMP"})
    void ofATypeThatTablesDoNotHoldIsRefused(PrimitiveTypeId id) {
        assertThat(reason(YdbType.of(id), "\"x\"")).contains("no value of a changefeed converts to " + id.name());
    }

    @Test
    void ofAPgTypeIsRefusedByItsName() {
        YdbType pg = YdbType.of(Type.newBuilder()
                .setPgType(PgType.newBuilder().setTypeName("pgtext").setOid(25))
                .build());
        assertThat(reason(pg, "\"x\"")).contains("converts to pgtext");
    }

    @Test
    void thatIsNullBecomesNull() {
        assertThat(value("INT32", "null")).isEqualTo(Cells.NULL);
    }

    @Test
    void thatIsNullDoesNotFitAColumnThatRefusesItB08() {
        StreamRecord record = record(type("INT32"), true, "null");
        assertThat(((Unfit) record).reason().toLowerCase(Locale.ROOT)).contains("null", "int32 not null");
    }
}
