package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.active;
import static io.aardappel.replicator.core.Given.child;
import static io.aardappel.replicator.core.Given.done;
import static io.aardappel.replicator.core.Given.inactive;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.PartitionGraph.Entry;
import io.aardappel.replicator.core.PartitionGraph.Handover;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The graph of a topic's partitions")
class PartitionGraphTest {
    private final PartitionGraph graph = new PartitionGraph();

    @Test
    @DisplayName("begins with the original partitions")
    void beginsWithTheOriginals() {
        assertThat(graph.described(List.of(active(0), active(1))))
                .containsExactly(new Handover(Set.of(), List.of(original(0), original(1))));
    }

    @Test
    @DisplayName("keeps a split partition live, and its children waiting, until it is committed to its end")
    void keepsASplitPartitionUntilItsEnd() {
        assertThat(graph.described(List.of(inactive(0, List.of(), 1L, 2L), child(1, 0L), child(2, 0L))))
                .containsExactly(new Handover(Set.of(), List.of(original(0))));
    }

    @Test
    @DisplayName("passes over partitions that were committed to their end before")
    void passesOverFinishedOnes() {
        assertThat(graph.described(List.of(done(0, List.of(), 1L, 2L), child(1, 0L), child(2, 0L))))
                .endsWith(new Handover(Set.of(0L), List.of(new Entry(1, Set.of(0L), 1), new Entry(2, Set.of(0L), 1))));
    }

    @Test
    @DisplayName("takes a partition whose parents are no longer known for an original one")
    void takesOrphansForOriginals() {
        assertThat(graph.described(List.of(child(7, 3L))))
                .containsExactly(new Handover(Set.of(), List.of(original(7))));
    }

    @Nested
    @DisplayName("when a partition splits")
    class WhenAPartitionSplits {
        @Test
        @DisplayName("hands over to both children in one step once it was read to its end")
        void handsOverToBothChildren() {
            graph.described(List.of(inactive(0, List.of(), 1L, 2L), child(1, 0L), child(2, 0L)));

            assertThat(graph.readToEnd(0))
                    .containsExactly(new Handover(
                            Set.of(0L), List.of(new Entry(1, Set.of(0L), 1), new Entry(2, Set.of(0L), 1))));
        }

        @Test
        @DisplayName("waits for a description when the children are not known yet")
        void waitsForADescription() {
            graph.described(List.of(active(0)));

            assertThat(graph.readToEnd(0)).isEmpty();
            assertThat(graph.awaitsDescription(0)).isTrue();
            assertThat(graph.described(List.of(inactive(0, List.of(), 1L, 2L), child(1, 0L), child(2, 0L))))
                    .singleElement()
                    .extracting(Handover::leaving)
                    .isEqualTo(Set.of(0L));
        }
    }

    @Nested
    @DisplayName("when two partitions merge")
    class WhenTwoMerge {
        @Test
        @DisplayName("keeps the first that ended until the other has ended too, since keys of both go to the child")
        void keepsTheFirstUntilBothEnded() {
            graph.described(List.of(inactive(0, List.of(), 2L), inactive(1, List.of(), 2L), child(2, 0L, 1L)));

            assertThat(graph.readToEnd(0)).isEmpty();
            assertThat(graph.readToEnd(1))
                    .containsExactly(new Handover(Set.of(0L, 1L), List.of(new Entry(2, Set.of(0L, 1L), 1))));
        }

        @Test
        @DisplayName("names what delays their children, through partitions that are not live yet")
        void namesWhatDelaysTheirChildren() {
            graph.described(List.of(
                    inactive(0, List.of(), 3L),
                    inactive(1, List.of(), 2L),
                    inactive(2, List.of(1L), 3L),
                    child(3, 0L, 2L)));
            graph.readToEnd(0);

            assertThat(graph.delaysChildrenOf(0)).containsExactly(1L);
            graph.readToEnd(1);
            assertThat(graph.delaysChildrenOf(0)).containsExactly(2L);
        }

        @Test
        @DisplayName("counts depth along the longest way")
        void countsDepthAlongTheLongestWay() {
            graph.described(List.of(
                    done(0, List.of(), 1L, 2L),
                    done(1, List.of(0L), 3L),
                    inactive(2, List.of(0L), 4L, 5L),
                    inactive(3, List.of(1L, 2L)),
                    child(4, 2L),
                    child(5, 2L)));

            assertThat(graph.readToEnd(2))
                    .flatExtracting(Handover::entering)
                    .extracting(Entry::depth)
                    .containsOnly(2);
        }
    }

    private static Entry original(long id) {
        return new Entry(id, Set.of(), 0);
    }
}
