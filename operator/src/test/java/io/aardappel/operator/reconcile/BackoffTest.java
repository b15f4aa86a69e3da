package io.aardappel.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.retry.RetryExecution;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Waits between failures")
class BackoffTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @DisplayName("double up to a minute, without end, and are drawn from the upper half of that")
    void doubleUpToAMinute(long seed) {
        RetryExecution failures =
                new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), new Random(seed)).initExecution();
        List<Long> wholes = List.of(1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L);
        for (long whole : wholes) {
            assertThat(failures.nextDelay().orElseThrow()).isBetween(whole / 2, whole);
        }
        assertThat(failures.getAttemptCount()).isEqualTo(wholes.size());
        assertThat(failures.isLastAttempt()).isFalse();
        List<Long> later = IntStream.range(0, 100)
                .mapToObj(i -> failures.nextDelay().orElseThrow())
                .toList();
        assertThat(later).allSatisfy(delay -> assertThat(delay).isBetween(30_000L, 60_000L));
        assertThat(later.stream().distinct().count()).as("drawn").isGreaterThan(50);
    }
}
