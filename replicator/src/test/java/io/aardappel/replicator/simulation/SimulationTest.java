package io.aardappel.replicator.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The engine under simulation")
class SimulationTest {
    private static final long SEEDS = Long.getLong("simulation.seeds", 2_000);
    private static final long FIRST = Long.getLong("simulation.first", 1);

    @BeforeAll
    static void quiet() {
        EngineLog.off();
    }

    @AfterAll
    static void loud() {
        EngineLog.on();
    }

    @Test
    @DisplayName("keeps its invariants at every step, and gets to the end")
    void keepsItsInvariants() {
        long began = System.nanoTime();
        AtomicLong broken = new AtomicLong(Long.MAX_VALUE);
        Simulation.Outcome outcome = LongStream.range(FIRST, FIRST + SEEDS)
                .parallel()
                .filter(seed -> seed < broken.get())
                .mapToObj(seed -> Run.of(seed, Fault.NONE))
                .peek(run -> run.failure().ifPresent(told -> broken.accumulateAndGet(run.seed(), Math::min)))
                .flatMap(run -> run.outcome().stream())
                .reduce(Simulation.Outcome.NOTHING, Simulation.Outcome::plus);
        if (broken.get() != Long.MAX_VALUE) {
            // the same seed goes the same way
            fail(Run.of(broken.get(), Fault.NONE).failure().orElse("seed " + broken + " fails not always"));
        }
        System.out.printf("%d schedules in %d s: %s%n", SEEDS, (System.nanoTime() - began) / 1_000_000_000, outcome);
        assertThat(outcome.checkpoints()).as("compared checkpoints").isGreaterThan(10 * SEEDS);
    }

    @Test
    @DisplayName("runs a seed again step by step as it ran before")
    void replays() {
        for (long seed = FIRST; seed < FIRST + Math.min(SEEDS, 20); seed++) {
            assertThat(Run.of(seed, Fault.NONE)).isEqualTo(Run.of(seed, Fault.NONE));
        }
    }

    @Test
    @DisplayName("tells the seed and the last 50 steps of a run in which something does not hold")
    void tellsSeedAndSteps() {
        Run run = LongStream.rangeClosed(1, 100)
                .mapToObj(seed -> Run.of(seed, Fault.CUT_INSIDE_A_POSITION))
                .filter(one -> one.failure().isPresent())
                .findFirst()
                .orElseThrow();

        String told = run.failure().orElseThrow();
        assertThat(told).startsWith("seed " + run.seed() + ": I1").hasSizeLessThan(20_000);
        assertThat(told.lines().filter(line -> line.contains(" ms  "))).hasSizeBetween(10, Schedule.REMEMBERED);
    }
}
