package io.aardappel.replicator.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The members of a JSON object")
class RawMembersTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "-0.10",
                "18446744073709551615",
                "1e400",
                "\"\"",
                "\"tea \\u003c \\\"ü\\\"\"",
                "null",
                "true",
                "[]",
                "[1, [2 ,\"]\"]]",
                "{\"a\" : {\"b\":1.0}, \"c\":\"}\"}"
            })
    @DisplayName("keep the spelling of their values, wherever they stand")
    void keepTheirSpelling(String value) {
        assertThat(RawMembers.of(("{\"x\":" + value + ", \"y\" : " + value + " }").getBytes(UTF_8)))
                .contains(Map.of("x", value, "y", value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "1", "[]", "{", "{\"x\":1", "{\"x\":1}}", "{\"x\":1} 2", "{x:1}", "hello"})
    @DisplayName("are none of a text that is no object")
    void areNone(String text) {
        assertThat(RawMembers.of(text.getBytes(UTF_8))).isEmpty();
    }

    @Test
    @DisplayName("are read as text when they are strings")
    void areReadAsText() {
        assertThat(RawMembers.text("\"a\\n\\u003c\"")).contains("a\n<");
        assertThat(RawMembers.text("7")).isEmpty();
        assertThat(RawMembers.text("")).isEmpty();
    }
}
