package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.at;
import static io.aardappel.replicator.core.Given.p;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The quorum")
class QuorumTest {
    private final Quorum quorum = new Quorum(Comparator.naturalOrder());

    @Test
    @DisplayName("of no partition is nothing")
    void ofNoPartitionIsNothing() {
        assertThat(quorum.position()).isEmpty();
    }

    @Nested
    @DisplayName("of two partitions")
    class OfTwoPartitions {
        @BeforeEach
        void enter() {
            quorum.enter(p(0));
            quorum.enter(p(1));
        }

        @Test
        @DisplayName("is absent while one of them is silent")
        void isAbsentWhileOneIsSilent() {
            quorum.set(p(0), at(10));

            assertThat(quorum.position()).isEmpty();
            assertThat(quorum.holder()).isEqualTo(p(1));
        }

        @Test
        @DisplayName("is the slower of both")
        void isTheSlowerOfBoth() {
            quorum.set(p(0), at(10));
            quorum.set(p(1), at(8));

            assertThat(quorum.position()).contains(at(8));
            assertThat(quorum.holder()).isEqualTo(p(1));
        }

        @Test
        @DisplayName("no longer waits for one that left")
        void noLongerWaitsForOneThatLeft() {
            quorum.set(p(0), at(10));
            quorum.leave(p(1));

            assertThat(quorum.position()).contains(at(10));
        }

        @Test
        @DisplayName("is absent again when one of them must be read again from before its barrier")
        void isAbsentWhenOneIsUnset() {
            quorum.set(p(0), at(10));
            quorum.set(p(1), at(8));
            quorum.unset(p(1));

            assertThat(quorum.position()).isEmpty();
        }

        @Test
        @DisplayName("compares steps and transaction ids as unsigned numbers")
        void comparesUnsigned() {
            quorum.set(p(0), at(-1));
            quorum.set(p(1), at(5, -1));

            assertThat(quorum.position()).contains(at(5, -1));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @DisplayName("equals the minimum over a plain map after any sequence of steps")
    void equalsThePlainMinimum(long seed) {
        Random random = new Random(seed);
        Map<PartitionId, Optional<Position>> plain = new HashMap<>();
        for (int step = 0; step < 2_000; step++) {
            PartitionId partition = p(random.nextInt(40));
            boolean live = plain.containsKey(partition);
            switch (random.nextInt(live ? 8 : 1)) {
                case 0 -> {
                    quorum.enter(partition);
                    plain.putIfAbsent(partition, Optional.empty());
                }
                case 1 -> {
                    quorum.leave(partition);
                    plain.remove(partition);
                }
                case 2 -> {
                    quorum.unset(partition);
                    plain.put(partition, Optional.empty());
                }
                default -> {
                    Position position = at(random.nextInt(1_000));
                    quorum.set(partition, position);
                    plain.put(partition, Optional.of(position));
                }
            }
            assertThat(quorum.position()).isEqualTo(minimum(plain));
        }
    }

    private static Optional<Position> minimum(Map<PartitionId, Optional<Position>> plain) {
        return plain.values().stream().allMatch(Optional::isPresent)
                ? plain.values().stream().map(Optional::orElseThrow).min(Comparator.naturalOrder())
                : Optional.empty();
    }
}
