package io.aardappel.operator.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.program.http.Answer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The probes")
class ProbesTest {
    private static final Duration TOO_LONG = Probes.STUCK_AFTER.plusSeconds(1);

    private record Seen(
            boolean stopping,
            boolean watching,
            List<String> unsynced,
            List<String> stopped,
            Duration longestReconciliation,
            Duration idleWhileWaiting,
            Duration pollOverdue)
            implements Vitals {}

    private static Seen well() {
        return new Seen(false, true, List.of(), List.of(), Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    private static Seen slow(Duration reconciliation, Duration waiting, Duration poll) {
        return new Seen(false, true, List.of(), List.of(), reconciliation, waiting, poll);
    }

    @Test
    void areContentWhileAllMoves() {
        assertThat(Probes.alive(well()).ok()).isTrue();
        assertThat(Probes.ready(well()).ok()).isTrue();
        assertThat(Probes.alive(slow(Probes.STUCK_AFTER, Probes.STUCK_AFTER, Probes.STUCK_AFTER))
                        .ok())
                .isTrue();
    }

    @Test
    void sayWhatIsStuck() {
        assertThat(Probes.alive(slow(TOO_LONG, Duration.ZERO, Duration.ZERO)))
                .isEqualTo(new Answer(false, "a reconciliation has been under way for 301 s, more than 300 s"));
        assertThat(Probes.alive(slow(Duration.ZERO, TOO_LONG, Duration.ZERO)).text())
                .startsWith("resources have been waiting");
        assertThat(Probes.alive(slow(Duration.ZERO, Duration.ZERO, TOO_LONG)).text())
                .startsWith("no state table has been asked");
    }

    @Test
    void noticeAWatchThatHasEnded() {
        Seen seen = new Seen(false, true, List.of(), List.of("pods of a"), Duration.ZERO, Duration.ZERO, Duration.ZERO);
        assertThat(Probes.alive(seen)).isEqualTo(new Answer(false, "watches have ended: pods of a"));
    }

    @Test
    void areReadyOnceAllWasSeenAndUntilTheStop() {
        Seen starting = new Seen(false, false, List.of(), List.of(), Duration.ZERO, Duration.ZERO, Duration.ZERO);
        assertThat(Probes.ready(starting)).isEqualTo(new Answer(false, "starting"));
        assertThat(Probes.alive(starting).ok())
                .as("a start is no reason for another")
                .isTrue();
        Seen half = new Seen(false, true, List.of("pods of a"), List.of(), Duration.ZERO, Duration.ZERO, Duration.ZERO);
        assertThat(Probes.ready(half)).isEqualTo(new Answer(false, "not seen yet: pods of a"));
        Seen stopping = new Seen(true, false, List.of(), List.of(), Duration.ZERO, Duration.ZERO, Duration.ZERO);
        assertThat(Probes.ready(stopping)).isEqualTo(new Answer(false, "stopping"));
    }
}
