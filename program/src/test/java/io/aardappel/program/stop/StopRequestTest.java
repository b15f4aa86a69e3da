package io.aardappel.program.stop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A request to stop")
class StopRequestTest {
    private final StopRequest stop = new StopRequest();
    private final List<String> done = new ArrayList<>();

    @Test
    void runsTheActionThatIsDueWhenItComes() {
        stop.whenRequested(() -> done.add("first"));
        stop.whenRequested(() -> done.add("second"));
        assertThat(done).isEmpty();
        stop.request();
        assertThat(done).containsExactly("second");
    }

    @Test
    void runsAnActionAtOnceThatComesLater() {
        stop.request();
        stop.whenRequested(() -> done.add("late"));
        assertThat(done).containsExactly("late");
    }

    @Test
    void staysAsked() {
        assertThat(stop.isRequested()).isFalse();
        assertThat(stop.isRequestedWithin(Duration.ofMillis(1))).isFalse();
        stop.request();
        assertThat(stop.isRequested()).isTrue();
        assertThat(stop.isRequestedWithin(Duration.ofHours(1))).isTrue();
    }

    @Test
    void isWhatAnInterruptCountsAs() {
        Thread.currentThread().interrupt();
        assertThat(stop.isRequestedWithin(Duration.ofHours(1))).isTrue();
        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
    }
}
