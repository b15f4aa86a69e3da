package io.aardappel.emulator.model.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The ranges that a reader commits")
class CommitRangesTest {
    private final CommitRanges ranges = new CommitRanges(10, 0);

    @Test
    void moveTheOffsetWhenTheyFollowIt() {
        assertThat(ranges.add(10, 15)).isTrue();
        assertThat(ranges.committed()).isEqualTo(15);
    }

    @Test
    void areHeldBehindAGap() {
        assertThat(ranges.add(12, 15)).isTrue();
        assertThat(ranges.committed()).isEqualTo(10);
        assertThat(ranges.heldCount()).isEqualTo(1);
    }

    @Test
    void areRefusedBelowTheCommittedOffset() {
        assertThat(ranges.add(9, 15)).isFalse();
    }

    @Test
    void areRefusedWhenEmpty() {
        assertThat(ranges.add(12, 12)).isFalse();
    }

    @Test
    void areForgottenWhenSomebodyElseCommitsPastThem() {
        ranges.add(12, 15);
        ranges.advance(20);
        assertThat(ranges.committed()).isEqualTo(20);
        assertThat(ranges.heldCount()).isZero();
    }

    @Test
    void countWhenTheGapBeforeThemIsGone() {
        ranges.add(12, 15);
        ranges.trimmed(12);
        assertThat(ranges.committed()).isEqualTo(15);
    }

    @Test
    void areStillHeldWhenPartOfTheGapIsLeft() {
        ranges.add(12, 15);
        ranges.trimmed(11);
        assertThat(ranges.committed()).isEqualTo(10);
    }

    @Nested
    @DisplayName("of a partition whose oldest messages are gone")
    class WithMessagesGone {
        private final CommitRanges behind = new CommitRanges(10, 30);

        @Test
        void mayBeginAtTheOldestMessage() {
            assertThat(behind.add(30, 35)).isTrue();
            assertThat(behind.committed()).isEqualTo(35);
        }

        @Test
        void mayBeginAtTheCommittedOffset() {
            assertThat(behind.add(10, 35)).isTrue();
            assertThat(behind.committed()).isEqualTo(35);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @DisplayName("reach the same offset as a set of single offsets, whatever their order")
    void agreeWithASetOfOffsets(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CommitRanges clever = new CommitRanges(0, 0);
        BitSet plain = new BitSet();
        for (int step = 0; step < 2_000; step++) {
            int start = random.nextInt(0, 400);
            int end = start + random.nextInt(0, 12);
            int committed = plain.nextClearBit(0);
            boolean fits =
                    start < end && start >= committed && plain.get(start, end).isEmpty();
            assertThat(clever.add(start, end)).as("seed %d step %d", seed, step).isEqualTo(fits);
            if (fits) {
                plain.set(start, end);
            }
            assertThat(clever.committed()).as("seed %d step %d", seed, step).isEqualTo(plain.nextClearBit(0));
        }
    }
}
