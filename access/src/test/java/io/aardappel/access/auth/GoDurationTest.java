package io.aardappel.access.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A duration as Go writes it")
class GoDurationTest {
    @ParameterizedTest
    @CsvSource({
        "1h30m, PT1H30M",
        "1.5s, PT1.5S",
        ".5m, PT30S",
        "1.s, PT1S",
        "300ms, PT0.3S",
        "7us, PT0.000007S",
        "7µs, PT0.000007S",
        "1ns, PT0.000000001S",
        "0h1m0s, PT1M",
        "2562047h, PT2562047H"
    })
    void isRead(String text, Duration meant) {
        assertThat(GoDuration.parse(text)).contains(meant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0s", "5", "-1s", "1d", "1h 30m", "h", ".s", "1s2", "2562048h"})
    void isNone(String text) {
        assertThat(GoDuration.parse(text)).isEmpty();
    }
}
