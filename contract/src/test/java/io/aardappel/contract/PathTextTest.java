package io.aardappel.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A path as a person wrote it")
class PathTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "goods",
                "goods/feed",
                "/Root/shop/goods",
                "a-b_c.d",
                "it's",
                "\u0442\u043e\u0432\u0430\u0440/feed"
            })
    void isGood(String path) {
        assertThat(PathText.fault(path)).isEmpty();
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of("", "is empty"),
                Arguments.of("/", "is empty"),
                Arguments.of("a//b", "has an empty part between slashes"),
                Arguments.of("//a", "has an empty part between slashes"),
                Arguments.of("a/", "has an empty part between slashes"),
                Arguments.of("`a/feed`", "holds a back-quote, which no name may hold, as character 1"),
                Arguments.of("a\\b", "holds a backslash, which no name may hold, as character 2"),
                Arguments.of("a b", "holds a blank, which no name may hold, as character 2"),
                Arguments.of("ab\n", "holds a blank, which no name may hold, as character 3"),
                Arguments.of("a\u00a0", "holds a blank, which no name may hold, as character 2"),
                Arguments.of("a\0", "holds a control character, which no name may hold, as character 2"),
                Arguments.of("x".repeat(1_025), "has 1025 characters, more than 1024"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFaulty(String path, String fault) {
        assertThat(PathText.fault(path)).contains(fault);
    }

    @Test
    void mayBeAsLongAsTheBound() {
        assertThat(PathText.fault("x".repeat(PathText.LONGEST))).isEmpty();
    }

    @Test
    void mayHaveAConsumerOfSlashesButOfNoBlank() {
        assertThat(PathText.consumerFault("shared/copy")).isEmpty();
        assertThat(PathText.consumerFault("my copy")).contains("holds a blank, which no name may hold, as character 3");
        assertThat(PathText.consumerFault("x".repeat(257))).contains("has 257 characters, more than 256");
    }
}
