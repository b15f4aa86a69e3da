package io.aardappel.emulator.model.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("JSON text")
class JsonTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "-0.5e+10",
                "0",
                "\"a\\u00e9\\n\"",
                "[]",
                "{}",
                "[1,[true,{\"a\":[]}]]",
                "18446744073709551615",
                "1e400"
            })
    void isValidAndStaysAsItIs(String text) {
        assertThat(JsonText.compact(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "01",
                "+1",
                "1.",
                ".5",
                "tru",
                "[1,]",
                "{\"a\"}",
                "{\"a\":1,}",
                "\"",
                "\"\\x\"",
                "\"\\u12g4\"",
                "1 2",
                "[1",
                "{1:2}",
                "nan",
                "\"a\nb\""
            })
    void isRefusedWhenMalformed(String text) {
        assertThat(JsonText.isValid(text)).isFalse();
    }

    @Test
    void isRefusedWhenNestedTooDeeply() {
        assertThat(JsonText.isValid("[".repeat(100_000))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"` { \"b\" : 1 , \"a\" : [ 1 , 2 ] } `| `{\"b\":1,\"a\":[1,2]}`", "` \"a b\" `| `\"a b\"`"})
    void losesWhiteSpace(String text, String compact) {
        assertThat(JsonText.compact(text)).isEqualTo(compact);
    }
}
