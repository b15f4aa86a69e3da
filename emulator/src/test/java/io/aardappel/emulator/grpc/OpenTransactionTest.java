package io.aardappel.emulator.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A query text")
class OpenTransactionTest {
    private static boolean names(String text) {
        return OpenTransaction.mentions(text, "/local", "/local/t");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t",
                "/local/t",
                "/local/t/feed",
                "SELECT * FROM t;",
                "SELECT * FROM `t` WHERE k = 1",
                "FROM `/local/t`"
            })
    @DisplayName("names a table by its path, absolute or not, and by that of what lies below it")
    void named(String text) {
        assertThat(names(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/local/state",
                "SELECT * FROM state;",
                "FROM `t-2`",
                "FROM t_2",
                "FROM at",
                "/local/dir/t",
                "FROM `dir/t`"
            })
    @DisplayName("does not name it by a longer name that holds the same letters")
    void notNamed(String text) {
        assertThat(names(text)).isFalse();
    }
}
