package io.aardappel.replicator.simulation;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The simulation notices a planted fault")
class PlantedFaultsTest {
    /** As many schedules as are run by default without a fault. */
    private static final long SEEDS = Long.getLong("simulation.seeds", 2_000);

    private static final AtomicInteger CAUGHT = new AtomicInteger();

    @BeforeAll
    static void quiet() {
        EngineLog.off();
    }

    @AfterAll
    static void count() {
        EngineLog.on();
        System.out.printf("caught %d of %d%n", CAUGHT.get(), Fault.values().length - 1);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void isCaught(Fault fault) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Run run = Run.of(seed, fault);
            if (run.failure().isPresent()) {
                CAUGHT.incrementAndGet();
                System.out.printf("%s caught after %d schedules, by %s%n", fault, seed, run.notice());
                return;
            }
        }
        fail(fault + " was not noticed by " + SEEDS + " schedules");
    }
}
