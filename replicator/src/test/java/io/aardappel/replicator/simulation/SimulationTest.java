package io.aardappel.replicator.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The engine under simulation")
class SimulationTest {
    private static final int SEEDS = Integer.getInteger("simulation.seeds", 300);
    private static final long FIRST = Long.getLong("simulation.first", 1);

    @Test
    @DisplayName("keeps the destination a snapshot of the source at every checkpoint, and gets to the end")
    void keepsItsInvariants() {
        int checkpoints = 0;
        int crashes = 0;
        int takeovers = 0;
        int reshapes = 0;
        int foreigners = 0;
        int decisions = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            Simulation simulation = new Simulation(seed, Fault.NONE);
            try {
                Simulation.Outcome outcome = simulation.run();
                checkpoints += outcome.checkpoints();
                crashes += outcome.crashes();
                takeovers += outcome.takeovers();
                reshapes += outcome.reshapes();
                foreigners += outcome.foreigners();
                decisions += outcome.decisions();
            } catch (RuntimeException broken) {
                fail("seed " + seed + ": " + broken.getMessage() + "\n  " + simulation.lastSteps(), broken);
            }
        }
        System.out.printf(
                "seeds %d, checkpoints %d, crashes %d, takeovers %d, splits and merges %d, other programs %d, decisions %d%n",
                SEEDS, checkpoints, crashes, takeovers, reshapes, foreigners, decisions);
        assertThat(decisions).isGreaterThan(SEEDS);
        assertThat(checkpoints).isGreaterThan(20 * SEEDS);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    @DisplayName("notices a planted fault")
    void noticesAPlantedFault(Fault fault) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                new Simulation(seed, fault).run();
            } catch (Violation caught) {
                System.out.printf("%s caught at seed %d: %s%n", fault, seed, caught.getMessage());
                return;
            }
        }
        fail(fault + " was not noticed by " + SEEDS + " seeds");
    }
}
