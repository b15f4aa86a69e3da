package io.aardappel.replicator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Of a lock that cannot be asked for, somebody hears")
class LockPaceTest {
    private final LockPace lock = new LockPace(Duration.ofSeconds(20), new Random(1), 0);

    private boolean unknown(long second, String why) {
        return lock.unknown(TimeUnit.SECONDS.toNanos(second), why);
    }

    @Test
    void atOnceAndThenOnceAMinute() {
        assertThat(unknown(0, "refused")).isTrue();
        assertThat(unknown(1, "refused")).isFalse();
        assertThat(unknown(59, "refused")).isFalse();
        assertThat(unknown(60, "refused")).isTrue();
    }

    @Test
    void whenItTurnsIntoSomethingElse() {
        unknown(0, "refused");
        assertThat(unknown(1, "unavailable")).isTrue();
    }

    @Test
    void againAfterAnAnswerInBetween() {
        unknown(0, "refused");
        lock.lost(TimeUnit.SECONDS.toNanos(1));
        assertThat(unknown(2, "refused")).isTrue();
    }
}
