package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.BYTES;
import static io.aardappel.replicator.core.Given.at;
import static io.aardappel.replicator.core.Given.change;
import static io.aardappel.replicator.core.Given.p;
import static io.aardappel.replicator.core.Given.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A cut")
class CutTest {
    private final Lane first = lane(0, 0, 0);
    private final Lane second = lane(1, 0, 0);
    private long offsets;

    @BeforeEach
    void order() {
        first.order();
        second.order();
    }

    @Nested
    @DisplayName("when everything below the quorum fits")
    class WhenEverythingFits {
        @Test
        @DisplayName("takes what lies strictly below the quorum and ends there")
        void takesWhatLiesBelow() {
            put(first, update(3, 1), update(5, 2));
            put(second, update(4, 3), update(7, 4));

            Cut cut = cut(5, 100);

            assertThat(steps(cut)).containsExactly(3L, 4L);
            assertThat(cut.end()).isEqualTo(at(5));
        }

        @Test
        @DisplayName("sorts what arrived out of order")
        void sorts() {
            put(first, update(8, 1), update(2, 2), update(5, 3), update(1, 4));

            assertThat(steps(cut(9, 100))).containsExactly(1L, 2L, 5L, 8L);
        }

        @Test
        @DisplayName("keeps the order of offsets among equal positions")
        void keepsTheOrderOfOffsets() {
            put(first, update(5, 1), update(4, 9), update(5, 2), update(5, 3));

            assertThat(cut(9, 100).changes())
                    .extracting(pending -> pending.change().key())
                    .containsExactly(new Key(9), new Key(1), new Key(2), new Key(3));
        }
    }

    @Nested
    @DisplayName("when there is more than a transaction's target")
    class WhenThereIsMore {
        @Test
        @DisplayName("ends at the position of the first change left out")
        void endsAtTheFirstLeftOut() {
            put(first, update(1, 1), update(2, 2), update(3, 3));

            Cut cut = cut(10, 2);

            assertThat(steps(cut)).containsExactly(1L, 2L);
            assertThat(cut.end()).isEqualTo(at(3));
        }

        @Test
        @DisplayName("never parts equal positions, even of different partitions")
        void neverPartsEqualPositions() {
            put(first, update(1, 1), update(2, 2));
            put(second, update(2, 3), update(2, 4));

            Cut cut = cut(10, 2);

            assertThat(steps(cut)).containsExactly(1L);
            assertThat(cut.end()).isEqualTo(at(2));
        }

        @Test
        @DisplayName("takes a position above the target alone")
        void takesALargePositionAlone() {
            put(first, update(1, 1), update(1, 2), update(1, 3), update(2, 4));

            Cut cut = cut(10, 2);

            assertThat(steps(cut)).containsExactly(1L, 1L, 1L);
            assertThat(cut.end()).isEqualTo(at(2));
        }

        @Test
        @DisplayName("counts bytes as well as changes")
        void countsBytes() {
            put(first, update(1, 1), update(2, 2), update(3, 3));

            Cut cut = Cut.below(
                    at(10),
                    List.of(first),
                    new TransactionBounds(100, 2 * BYTES, 1_000, 100_000),
                    Rules.STANDARD.border());

            assertThat(cut.end()).isEqualTo(at(3));
            assertThat(cut.bytes()).isEqualTo(2 * BYTES);
        }

        @Test
        @DisplayName("names a position above the hard limit and takes nothing")
        void namesAnOversizedPosition() {
            put(first, update(1, 1), update(1, 2), update(1, 3));

            Cut cut = Cut.below(
                    at(10), List.of(first), new TransactionBounds(1, 1_000, 2, 100_000), Rules.STANDARD.border());

            assertThat(cut.changes()).isEmpty();
            assertThat(cut.oversized())
                    .isNotNull()
                    .extracting(Cut.Oversized::position)
                    .isEqualTo(at(1));
        }

        @Test
        @DisplayName("still takes what lies below a position that is too large")
        void takesWhatLiesBelowATooLargePosition() {
            put(first, update(1, 9), update(2, 1), update(2, 2), update(2, 3));

            Cut cut = Cut.below(
                    at(10), List.of(first), new TransactionBounds(1, 1_000, 2, 100_000), Rules.STANDARD.border());

            assertThat(cut.oversized()).isNull();
            assertThat(cut.end()).isEqualTo(at(2));
        }
    }

    @Test
    @DisplayName("puts equal positions of a parent before those of its child, whatever their offsets")
    void putsParentsFirst() {
        Lane child = lane(2, 0, 1);
        Lane parent = lane(5, 0, 0);
        List.of(child, parent).forEach(Lane::order);
        put(child, update(4, 1));
        put(parent, update(4, 2));

        assertThat(Cut.below(at(9), List.of(child, parent), Given.ROOMY, Rules.STANDARD.border())
                        .changes())
                .extracting(pending -> pending.lane)
                .containsExactly(parent, child);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @DisplayName("one after the other, cuts give all changes once, in the order of a plain sort")
    void givesThePlainOrder(long seed) {
        Random random = new Random(seed);
        List<Lane> lanes = List.of(first, second, lane(2, 1, 0), lane(3, 0, 1));
        lanes.forEach(Lane::order);
        List<Pending> all = new ArrayList<>();
        List<Pending> taken = new ArrayList<>();
        for (int round = 0; round < 30; round++) {
            Position reached = at(10L * round);
            for (int i = random.nextInt(12); i > 0; i--) {
                Lane lane = lanes.get(random.nextInt(lanes.size()));
                lane.change(
                        change(
                                at(10L * round + random.nextInt(30), random.nextInt(3)),
                                Operation.UPDATE,
                                random.nextInt(9),
                                Columns.NONE),
                        offsets++,
                        reached);
            }
            Cut cut = Cut.below(
                    reached,
                    lanes,
                    new TransactionBounds(1 + random.nextInt(6), 1 << 20, 1_000, 1 << 20),
                    Rules.STANDARD.border());
            taken.addAll(cut.changes());
            cut.changes().forEach(pending -> all.add(new Pending(pending.change(), pending.offset, pending.lane)));
            lanes.forEach(lane -> lane.appliedBelow(cut.end()));
        }

        List<Pending> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparing(Pending::position)
                .thenComparing(pending -> pending.lane)
                .thenComparing(pending -> pending.offset));
        assertThat(all).isEqualTo(sorted);
        assertThat(taken).allMatch(Pending::applied).doesNotHaveDuplicates();
    }

    private static Lane lane(long partition, int topicRank, int depth) {
        return new Lane(p(partition), topicRank, depth, null, new Buffered(), Rules.STANDARD.shed());
    }

    private void put(Lane lane, Change... changes) {
        for (Change change : changes) {
            lane.change(change, offsets++, Position.ZERO);
        }
    }

    private Cut cut(long quorum, int rows) {
        return Cut.below(
                at(quorum),
                List.of(first, second),
                new TransactionBounds(rows, 1 << 20, 1_000, 1 << 20),
                Rules.STANDARD.border());
    }

    private static List<Long> steps(Cut cut) {
        return cut.changes().stream().map(pending -> pending.position().step()).toList();
    }
}
