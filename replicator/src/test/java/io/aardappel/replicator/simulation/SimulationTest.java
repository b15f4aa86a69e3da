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
                .mapToObj(seed -> seed > broken.get() ? Simulation.Outcome.NOTHING : run(seed, broken))
                .reduce(Simulation.Outcome.NOTHING, Simulation.Outcome::plus);
        if (broken.get() != Long.MAX_VALUE) {
            tell(broken.get());
        }
        System.out.printf("%d schedules in %d s: %s%n", SEEDS, (System.nanoTime() - began) / 1_000_000_000, outcome);
        assertThat(outcome.checkpoints()).as("compared checkpoints").isGreaterThan(10 * SEEDS);
    }

    private static Simulation.Outcome run(long seed, AtomicLong broken) {
        try {
            return new Simulation(seed, Fault.NONE).run();
        } catch (RuntimeException e) {
            broken.accumulateAndGet(seed, Math::min);
            return Simulation.Outcome.NOTHING;
        }
    }

    /** Runs it once more, which goes the same way, for its last steps. */
    private static void tell(long seed) {
        Simulation simulation = new Simulation(seed, Fault.NONE);
        try {
            simulation.run();
        } catch (RuntimeException e) {
            fail("seed " + seed + ": " + e.getMessage() + "\nthe last steps were:" + simulation.lastSteps(), e);
        }
        fail("seed " + seed
                + " broke an invariant, but not when it was run again: the run depends on more than its seed");
    }

    @Test
    @DisplayName("runs a seed again step by step as it ran before")
    void replays() {
        for (long seed = FIRST; seed < FIRST + Math.min(SEEDS, 20); seed++) {
            Simulation.Outcome once = new Simulation(seed, Fault.NONE).run();
            assertThat(new Simulation(seed, Fault.NONE).run())
                    .as("seed %d", seed)
                    .isEqualTo(once);
        }
    }
}
