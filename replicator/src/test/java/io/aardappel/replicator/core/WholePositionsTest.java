package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.at;
import static io.aardappel.replicator.core.Given.barrier;
import static io.aardappel.replicator.core.Given.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.Problem.Reason;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A position that exceeds a transaction")
class WholePositionsTest {
    private static final TransactionBounds TWO = new TransactionBounds(1, 1 << 20, 2, 1 << 20);

    private final PickyDestination destination = new PickyDestination(Stage.RUN, TWO, List.of());

    private static void threeAtSeven(PickyDestination destination) {
        destination.says(update(6, 0), update(7, 1), update(7, 2), update(7, 3), update(8, 4), barrier(9));
    }

    @Test
    @DisplayName("is asked about with all its changes, once everything below it is applied")
    void isAskedAbout() {
        threeAtSeven(destination);

        destination.work();

        assertThat(destination.questions()).singleElement().satisfies(ask -> {
            assertThat(ask.offset()).isEqualTo(1);
            assertThat(ask.companions()).extracting(Command.Companion::offset).containsExactly(2L, 3L);
            assertThat(ask.problem().reason()).isEqualTo(Reason.OVERSIZED_POSITION);
        });
        assertThat(destination.replication.checkpoint()).isEqualTo(at(7));
        assertThat(destination.replication.questions()).isEqualTo(1);
    }

    @Test
    @DisplayName("is left out in the transaction that moves the checkpoint past it")
    void isLeftOut() {
        threeAtSeven(destination);
        destination.work();
        destination.replication.decided(destination.questions().get(0).partition(), 1, Action.SKIP, DecidedBy.STRATEGY);

        Batch batch = destination.replication.next().orElseThrow();

        assertThat(batch.tables()).isEmpty();
        assertThat(batch.checkpoint()).contains(at(7, 1));
        assertThat(batch.decisions()).singleElement().satisfies(row -> {
            assertThat(row.action()).isEqualTo(Action.SKIP_ALL);
            assertThat(row.decidedBy()).isEqualTo(DecidedBy.STRATEGY);
            assertThat(row.offset()).isEqualTo(1);
            assertThat(row.position()).isEqualTo(at(7));
        });
        destination.work();
        assertThat(destination.rows).containsOnlyKeys(new Key(0), new Key(4));
        assertThat(destination.replication.counters().skippedByDecision()).isEqualTo(3);
        assertThat(destination.replication.bufferedChanges()).isZero();
    }

    @Test
    @DisplayName("is applied alone in one transaction where that is ordered, however large")
    void isApplied() {
        threeAtSeven(destination);
        destination.work();
        destination.replication.decided(destination.questions().get(0).partition(), 1, Action.APPLY, DecidedBy.COMMAND);

        Batch batch = destination.replication.next().orElseThrow();

        assertThat(batch.changes()).isEqualTo(3);
        assertThat(batch.checkpoint()).contains(at(7, 1));
        assertThat(batch.decisions()).extracting(DecisionRow::action).containsExactly(Action.APPLY_ALL);
        destination.work();
        assertThat(destination.rows).hasSize(5);
        assertThat(destination.replication.counters().appliedByDecision()).isEqualTo(3);
    }

    @Test
    @DisplayName("goes after a late change below it that came while it was asked about, and alone")
    void goesAfterALateChange() {
        destination.says(update(6, 0), barrier(7));
        destination.work();
        destination.says(update(8, 1), update(8, 2), update(8, 3), barrier(9));
        destination.work();
        destination.says(update(7, 9));
        destination.replication.decided(Given.p(0), 6, Action.APPLY, DecidedBy.COMMAND);
        destination.replication.decided(Given.p(0), 2, Action.APPLY, DecidedBy.COMMAND);

        Batch first = destination.replication.next().orElseThrow();

        assertThat(first.changes()).isEqualTo(1);
        assertThat(first.checkpoint()).contains(at(8));
        destination.work();
        assertThat(destination.rows).hasSize(5);
        assertThat(destination.replication.counters().appliedByDecision()).isEqualTo(4);
    }

    @Test
    @DisplayName("ends the process when the destination refuses it though a command orders to apply it")
    void cannotBeApplied() {
        threeAtSeven(destination);
        destination.refused.add(2);

        destination.workAnswering(Action.APPLY);

        assertThat(destination.failures())
                .singleElement()
                .satisfies(fail -> assertThat(fail.problem().what())
                        .contains("position [7,0]", "its 3 changes", "refuses it all the same"));
    }

    @Test
    @DisplayName("keeps a change of its own that was ordered singly")
    void keepsWhatWasOrderedSingly() {
        destination.says(update(6, 0), update(7, 1), update(7, 2), update(7, 3), barrier(8), update(7, 9), barrier(9));
        destination.replication.decided(Given.p(0), 5, Action.APPLY, DecidedBy.COMMAND);

        destination.work();
        destination.replication.decided(Given.p(0), 1, Action.SKIP, DecidedBy.STRATEGY);
        destination.work();

        assertThat(destination.rows).containsOnlyKeys(new Key(0), new Key(9));
        assertThat(destination.decisions)
                .extracting(DecisionRow::action)
                .containsExactlyInAnyOrder(Action.APPLY, Action.SKIP_ALL);
    }

    @Nested
    @DisplayName("that was decided about before a takeover which comes to it again")
    class DecidedBefore {
        private PickyDestination successor(Action action) {
            DecisionRow row =
                    new DecisionRow("topic", "consumer", 0, 1, action, DecidedBy.COMMAND, at(7), "it was too large");
            PickyDestination begun = new PickyDestination(Stage.RUN, TWO, List.of(row));
            threeAtSeven(begun);
            return begun.work();
        }

        @Test
        void isLeftOutWithoutAQuestion() {
            PickyDestination successor = successor(Action.SKIP_ALL);

            assertThat(successor.questions()).isEmpty();
            assertThat(successor.rows).containsOnlyKeys(new Key(0), new Key(4));
            assertThat(successor.decisions).isEmpty();
        }

        @Test
        void isAppliedWithoutAQuestion() {
            PickyDestination successor = successor(Action.APPLY_ALL);

            assertThat(successor.questions()).isEmpty();
            assertThat(successor.rows).hasSize(5);
        }
    }
}
