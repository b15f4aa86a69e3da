package io.aardappel.operator.act;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The note of an Event")
class AnnouncerTest {
    private static final int BYTES_MAX = 1_000;

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Test
    void isWholeAsLongAsTheApiServerTakesIt() {
        assertThat(Announcer.cut("x".repeat(BYTES_MAX))).isEqualTo("x".repeat(BYTES_MAX));
        assertThat(Announcer.cut("ж".repeat(BYTES_MAX / 2))).isEqualTo("ж".repeat(BYTES_MAX / 2));
    }

    @Test
    void isCutBetweenCharactersWhereItIsLonger() {
        for (String letter : new String[] {"x", "ж", "€", "𝄞"}) {
            String cut = Announcer.cut(letter.repeat(2 * BYTES_MAX));
            assertThat(bytes(cut)).isBetween(BYTES_MAX - 3, BYTES_MAX);
            assertThat(cut).endsWith("…").matches("(" + letter + ")+…");
        }
    }
}
