package io.aardappel.emulator.grpc.topic;

import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Readers of one consumer, whatever happens in whatever order,")
class ReadSimulationTest {
    private static final int STEPS = 400;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 24);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @DisplayName("get every message in order, one reader a partition, children after parents, within their credit")
    void keepTheRules(long seed) {
        try (ReadSimulation simulation = new ReadSimulation(seed)) {
            for (int step = 0; step < STEPS; step++) {
                try {
                    simulation.step();
                } catch (AssertionError e) {
                    throw new AssertionError("seed " + seed + " step " + step + ": " + e.getMessage(), e);
                }
            }
            simulation.finish();
        }
    }
}
