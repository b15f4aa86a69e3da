package io.aardappel.replicator.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.program.http.Answer;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.engine.EngineStatus.Blocking;
import io.aardappel.replicator.engine.EngineStatus.Blocking.Reason;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A process is")
class ProbesTest {
    @Test
    void notReadyBeforeItHasCheckedBothDatabases() {
        assertThat(Probes.ready(Optional.empty()).ok()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"STANDBY", "LOADING", "ACTIVE"})
    void readyWhenItReplicatesOrStandsBy(Mode mode) {
        assertThat(Probes.ready(Optional.of(Snapshots.status(mode, Stage.RUN))).ok())
                .isTrue();
    }

    @Test
    @DisplayName("ready when it replicates, and says what it waits for meanwhile")
    void readyAndSaysWhatItWaitsFor() {
        assertThat(Probes.ready(Optional.of(Snapshots.active())))
                .isEqualTo(new Answer(true, "replicating, waits for barrier_stale: no heartbeat for 7 s"));
    }

    @Test
    @DisplayName("ready when it stands by, and says what it waits for where that is not what a standby is there for")
    void readyAndSaysWhatAStandbyWaitsFor() {
        assertThat(Probes.ready(Optional.of(Snapshots.standby(
                        new Blocking(Reason.DESTINATION, "", -1, 0, "the lock cannot be asked for: UNAVAILABLE")))))
                .isEqualTo(new Answer(
                        true, "standing by, waits for destination: the lock cannot be asked for: UNAVAILABLE"));
        assertThat(Probes.ready(Optional.of(
                        Snapshots.standby(new Blocking(Reason.LOCK, "", -1, 0, "the lock is held by lock_other")))))
                .isEqualTo(new Answer(true, "standing by"));
    }

    @ParameterizedTest
    @EnumSource(names = {"STARTING", "STOPPING", "ENDED"})
    void notReadyBeforeAndAfterB40(Mode mode) {
        assertThat(Probes.ready(Optional.of(Snapshots.status(mode, Stage.RUN))).ok())
                .isFalse();
    }

    @Test
    void aliveWhileItsLoopTurns() {
        assertThat(Probes.live(1_000, Duration.ofSeconds(1)).ok()).isTrue();
    }

    @Test
    void deadWhenItsLoopHasNotTurnedB40() {
        assertThat(Probes.live(1_001, Duration.ofSeconds(1)))
                .isEqualTo(new Answer(false, "the engine has not turned for 1001 ms, more than 1000 ms"));
    }
}
