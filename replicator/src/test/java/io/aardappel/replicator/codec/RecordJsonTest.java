package io.aardappel.replicator.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.StreamRecord.Change;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tech.ydb.proto.ValueProtos.DecimalType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;

@DisplayName("A key as JSON")
class RecordJsonTest {
    private static TableShape keyed(Type type) {
        return new TableShape("/t", List.of(TableShape.Column.described("k", type, false)), List.of("k"));
    }

    private static String readAndWritten(Type type, String element) {
        TableShape shape = keyed(type);
        String message = "{\"erase\":{},\"key\":[" + element + "],\"ts\":[1,2]}";
        Change change = (Change) new ChangeDecoder(shape, FeedImages.WRITTEN_COLUMNS)
                .decode(message.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(change.key()).hasToString(RecordJson.key(change.key(), shape));
        return change.key().toString();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "BOOL,true",
                "INT8,-128",
                "INT64,-9223372036854775808",
                "UINT64,18446744073709551615",
                "DATE,\"2024-02-29T00:00:00.000000Z\"",
                "DATETIME,\"2024-02-29T23:59:58.000000Z\"",
                "TIMESTAMP,\"1970-01-01T00:00:00.000001Z\"",
                "TIMESTAMP64,-1",
                "INTERVAL,-7",
                "STRING,\"AP8=\"",
                "UTF8,\"tea\\n\\\"ü\\\"\\u0001\"",
                "UUID,\"00112233-4455-6677-8899-aabbccddeeff\"",
            })
    @DisplayName("is spelled as the feed spells it")
    void isSpelledAsTheFeedDoes(PrimitiveTypeId type, String element) {
        assertThat(readAndWritten(Type.newBuilder().setTypeId(type).build(), element))
                .isEqualTo("[" + element + "]");
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "-12.5", "1234567890123.000000001", "nan", "inf", "-inf"})
    @DisplayName("has decimals as plain digits")
    void hasDecimals(String digits) {
        Type type = Type.newBuilder()
                .setDecimalType(DecimalType.newBuilder().setPrecision(22).setScale(9))
                .build();

        assertThat(readAndWritten(type, "\"" + digits + "\"")).isEqualTo("[\"" + digits + "\"]");
    }

    @Test
    @DisplayName("is the same with other blanks and escapes, not with other numbers")
    void isTheSame() {
        assertThat(RecordJson.same("[\"a<\", 1]", "[\"\\u0061\\u003c\",1]")).isTrue();
        assertThat(RecordJson.same("[1]", "[1.0]")).isFalse();
        assertThat(RecordJson.same("[1]", "[1,2]")).isFalse();
        assertThat(RecordJson.same("[1", "[1")).isFalse();
    }
}
