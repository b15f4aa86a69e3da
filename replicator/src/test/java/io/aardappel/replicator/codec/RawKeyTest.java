package io.aardappel.replicator.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The bytes of a blocked key")
class RawKeyTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[1]                   | 1",
                "[1,23]                | 123",
                "[12,3]                | 123",
                "[ 1 , 2.50 , true ]   | 12.50true",
                "[\"a\\u0062\",\"ü\"]  | \"a\\u0062\"\"ü\"",
                "[\" , \",null]        | \" , \"null",
                "[\"]\",18446744073709551615] | \"]\"18446744073709551615",
                "[{\"x\": [1, 2]},3]   | {\"x\": [1, 2]}3",
                "[]                    | ``",
            })
    @DisplayName("are a one, the table, then the elements as they stand in the message, nothing between them")
    void areTheElementsB31(String key, String elements) {
        String message = "{\"update\":{\"v\":\"€\"},\"key\":" + key + ",\"ts\":[1,2]}";

        assertThat(RawKey.of("/dst/t", message.getBytes(UTF_8)))
                .hasValueSatisfying(
                        bytes -> assertThat(new String(bytes, UTF_8)).isEqualTo("\u0001/dst/t" + elements));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"resolved\":[1,2]}", "{\"key\":7}", "{\"key\":[1,", "", "[1]", "nonsense"})
    @DisplayName("are none where the message has no key")
    void areNone(String message) {
        assertThat(RawKey.of("/dst/t", message.getBytes(UTF_8))).isEmpty();
    }

    @Test
    @DisplayName("are found whatever stands before the key")
    void areFoundBehindAnything() {
        String message = "{\"ts\":[1,2],\"erase\":{},\"user\":{\"key\":[9]},\"key\":[1]}";

        assertThat(RawKey.of("t", message.getBytes(UTF_8)))
                .hasValueSatisfying(
                        bytes -> assertThat(new String(bytes, UTF_8)).isEqualTo("\u0001t1"));
    }
}
