package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.model.fault.Fault;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("Whatever clocks and barriers do, the replica comes to equal the source")
class ClockTest {
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private Scene scene;
    private int written;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        scene.table("t", "k Uint32 NOT NULL, v Uint32, PRIMARY KEY (k)", " WITH (UNIFORM_PARTITIONS = 3)", "UPDATES");
        scene.start();
        write();
        scene.settle();
    }

    private void write() {
        for (int i = 0; i < 30; i++) {
            scene.write("UPSERT INTO t (k, v) VALUES (" + (i * 140_000_000L) + "u, " + written++ + "u);");
        }
    }

    private void equal() {
        scene.assertCopied("SELECT * FROM t;");
    }

    private void writesArrive() {
        write();
        scene.settle();
        equal();
    }

    @Test
    @DisplayName("the source jumps an hour ahead, and again")
    void sourceAhead() {
        for (int i = 0; i < 2; i++) {
            scene.emulator.database(Scene.SOURCE).jumpClock(HOUR);
            writesArrive();
        }
    }

    @Test
    @DisplayName("the source's steps stand still for five seconds")
    void sourceBack() {
        write();
        scene.emulator.database(Scene.SOURCE).jumpClock(-5_000);
        writesArrive();
    }

    @Test
    @DisplayName("the destination jumps an hour ahead, so that the lock has run out")
    void destinationAhead() {
        scene.start();
        scene.emulator.database(Scene.DESTINATION).jumpClock(HOUR);
        writesArrive();
    }

    @Test
    @DisplayName("the destination jumps an hour back while the lock is held")
    void destinationBack() {
        scene.start();
        scene.emulator.database(Scene.DESTINATION).jumpClock(-HOUR);
        writesArrive();
    }

    @Test
    @DisplayName("barriers go back and are left out")
    void barriers() {
        scene.emulator
                .faults()
                .add(FaultRule.of(Fault.BARRIER_BACK).withProbability(0.3).withAmount(3_000));
        scene.emulator.faults().add(FaultRule.of(Fault.BARRIER_LOST).withProbability(0.3));
        for (int i = 0; i < 4; i++) {
            writesArrive();
        }
        assertThat(scene.emulator.faults().fired(Fault.BARRIER_BACK)).isPositive();
        assertThat(scene.emulator.faults().fired(Fault.BARRIER_LOST)).isPositive();
    }
}
