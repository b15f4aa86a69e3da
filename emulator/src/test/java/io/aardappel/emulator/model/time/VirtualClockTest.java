package io.aardappel.emulator.model.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A virtual clock")
class VirtualClockTest {
    private long wall = 5_000;
    private final VirtualClock clock = new VirtualClock(() -> wall, 100);

    @Test
    void givesImmediateWritesOfOneStepTheSamePair() {
        assertThat(clock.immediate()).isEqualTo(clock.immediate()).isEqualTo(new VirtualTimestamp(5_000, -1L));
    }

    @Test
    void givesPlannedTransactionsPairsOfTheirOwn() {
        assertThat(clock.planned()).isEqualTo(new VirtualTimestamp(5_000, 100));
        assertThat(clock.planned()).isEqualTo(new VirtualTimestamp(5_000, 101));
    }

    @Test
    void plansBehindAnImmediateWrite() {
        VirtualTimestamp immediate = clock.immediate();
        assertThat(clock.planned()).isGreaterThan(immediate);
    }

    @Test
    void standsStillWhenTheWallGoesBack() {
        clock.now();
        wall = 4_000;
        assertThat(clock.now()).isEqualTo(5_000);
    }

    @Test
    void jumps() {
        clock.jump(60_000);
        assertThat(clock.planned().step()).isEqualTo(65_000);
    }

    @Test
    void hasStepsOfItsResolution() {
        clock.setResolution(700);
        assertThat(clock.immediate().step()).isEqualTo(4_900);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void neverDecreasesNorBreaksAPromiseNorRunsAway(long seed) {
        Random random = new Random(seed);
        VirtualTimestamp last = VirtualTimestamp.ZERO;
        long highest = wall;
        for (int i = 0; i < 20_000; i++) {
            wall += random.nextInt(20) == 0 ? random.nextInt(9) - 3 : 0;
            highest = Math.max(highest, wall);
            long promised = clock.now();
            boolean planned = random.nextBoolean();
            VirtualTimestamp next = planned ? clock.planned() : clock.immediate();
            assertThat(next.step()).as("seed " + seed).isGreaterThanOrEqualTo(promised);
            assertThat(next.compareTo(last)).as("seed " + seed).isGreaterThanOrEqualTo(planned ? 1 : 0);
            assertThat(next.step() - highest)
                    .as("ahead of the wall, seed " + seed)
                    .isLessThan(50);
            last = next;
        }
    }
}
