package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.at;
import static io.aardappel.replicator.core.Given.barrier;
import static io.aardappel.replicator.core.Given.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
        assertThat(batch.decisions())
                .as("named by the position, not by one of its records")
                .containsExactly(DecisionRow.ofPosition(
                        at(7),
                        Action.SKIP_ALL,
                        DecidedBy.STRATEGY,
                        destination.questions().get(0).problem().what()));
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
            DecisionRow row = DecisionRow.ofPosition(at(7), action, DecidedBy.COMMAND, "it was too large");
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

    @Nested
    @DisplayName("that was decided to be left out, when its changes are read again")
    class ReadAgain {
        private final PickyDestination roomy = new PickyDestination(Stage.RUN, Given.ROOMY, List.of());

        /** It was refused, and no row was named; later the destination takes what it refused. */
        private PickyDestination leftOutOnce() {
            roomy.refused.add(2);
            threeAtSeven(roomy);
            roomy.workAnswering(Action.SKIP);
            roomy.refused.clear();
            assertThat(roomy.decisions).extracting(DecisionRow::action).containsExactly(Action.SKIP_ALL);
            assertThat(roomy.replication.checkpoint()).isEqualTo(at(9));
            return roomy;
        }

        private static PickyDestination inAScan(DecisionRow... decisions) {
            return new PickyDestination(Stage.INITIAL_SCAN, Given.ROOMY, List.of(decisions));
        }

        private static Stream<Named<DecisionRow>> bothForms() {
            return Stream.of(
                    Named.of("the position names", all(Action.SKIP_ALL)),
                    Named.of("a record names, as earlier versions wrote it", row(0, Action.SKIP_ALL)));
        }

        private static DecisionRow all(Action action) {
            return DecisionRow.ofPosition(at(7), action, DecidedBy.COMMAND, "it was refused");
        }

        private static DecisionRow row(long offset, Action action) {
            return new DecisionRow("topic", "consumer", 0, offset, action, DecidedBy.COMMAND, at(7), "it was refused");
        }

        @Test
        @DisplayName("below a checkpoint that was set back by hand, stays left out")
        void staysLeftOutBelowACheckpointThatWasSetBack() {
            PickyDestination successor = leftOutOnce().successor(at(5));
            threeAtSeven(successor);

            successor.work();

            assertThat(successor.rows).containsOnlyKeys(new Key(0), new Key(4));
            assertThat(successor.questions()).isEmpty();
            assertThat(successor.replication.checkpoint()).isEqualTo(at(9));
            assertThat(successor.replication.counters().alreadyApplied()).isEqualTo(3);
        }

        @Test
        @DisplayName("in a scan that applies records as they come, stays left out")
        void staysLeftOutInAScan() {
            PickyDestination scan = inAScan(all(Action.SKIP_ALL));
            scan.says(update(6, 0), update(7, 1), update(7, 2), update(7, 3), update(8, 4));

            scan.work();

            assertThat(scan.replication.phase()).isEqualTo(ScanPhase.APPLYING);
            assertThat(scan.rows).containsOnlyKeys(new Key(0), new Key(4));
            assertThat(scan.replication.scanMaximum()).isEqualTo(at(8));
        }

        @Test
        @DisplayName("is applied as it comes in a scan where that was the decision")
        void isAppliedWhereThatWasTheDecision() {
            PickyDestination scan = inAScan(all(Action.APPLY_ALL));
            scan.says(update(6, 0), update(7, 1), update(7, 2), update(7, 3), update(8, 4));

            scan.work();

            assertThat(scan.rows).hasSize(5);
        }

        @Test
        @DisplayName("lets its offsets pass, for they are decided about")
        void letsItsOffsetsPass() {
            PickyDestination scan = inAScan(all(Action.SKIP_ALL));
            scan.says(update(7, 1), update(7, 2));
            scan.replication.mirrorOffsets();

            scan.work();

            assertThat(scan.rows).isEmpty();
            assertThat(scan.commands).contains(new Command.Commit(Given.p(0), 1, 0, 2));
        }

        @Test
        @DisplayName("leaves out no change that comes late, which is none of them and is asked about")
        void leavesOutNoLateChange() {
            PickyDestination successor = leftOutOnce().successor(at(5));
            successor.says(update(6, 0), update(7, 1), update(7, 2), update(7, 3), update(8, 4), barrier(9));
            successor.says(update(7, 5));

            successor.workAnswering(Action.APPLY);

            assertThat(successor.questions()).singleElement().satisfies(ask -> {
                assertThat(ask.offset()).isEqualTo(6);
                assertThat(ask.problem().reason()).isEqualTo(Reason.LATE_RECORD);
            });
            assertThat(successor.rows).containsOnlyKeys(new Key(0), new Key(4), new Key(5));
        }

        @Test
        @DisplayName("keeps what was decided about its changes singly")
        void keepsWhatWasDecidedSingly() {
            PickyDestination scan = inAScan(row(2, Action.APPLY), row(3, Action.SKIP), all(Action.SKIP_ALL));
            scan.says(update(6, 0), update(7, 1), update(7, 2), update(7, 3), update(8, 4));

            scan.work();

            assertThat(scan.rows).containsOnlyKeys(new Key(0), new Key(2), new Key(4));
            assertThat(scan.decisions).isEmpty();
        }

        @Test
        @DisplayName("gives back its first change like any other, when its letter was replayed")
        void givesBackItsFirst() {
            PickyDestination scan = inAScan(all(Action.SKIP_ALL), row(1, Action.APPLY));
            scan.says(update(6, 0), update(7, 1), update(7, 2), update(7, 3), update(8, 4));

            scan.work();

            assertThat(scan.rows).containsOnlyKeys(new Key(0), new Key(1), new Key(4));
        }

        @Test
        @DisplayName("gives back all changes of which the letters were replayed, below a checkpoint that was set back")
        void givesBackAll() {
            PickyDestination once = leftOutOnce();
            once.decisions.addAll(List.of(row(1, Action.APPLY), row(2, Action.APPLY), row(3, Action.APPLY)));
            PickyDestination successor = once.successor(at(5));
            threeAtSeven(successor);

            successor.work();

            assertThat(successor.rows).hasSize(5);
            assertThat(successor.questions()).isEmpty();
            assertThat(successor.replication.checkpoint()).isEqualTo(at(9));
        }

        @ParameterizedTest(name = "by a row that {0}")
        @MethodSource("bothForms")
        @DisplayName("is left out of every stream")
        void isLeftOutOfEveryStream(DecisionRow decision) {
            List<StreamSpec> streams = List.of(
                    new StreamSpec("topic", "consumer", "table"), new StreamSpec("other", "consumer", "table2"));
            List<StreamRow> members = streams.stream()
                    .map(one ->
                            new StreamRow(one.topic(), one.consumer(), one.table(), 1, StreamState.MEMBER, Map.of()))
                    .toList();
            List<DecisionRow> decisions = List.of(decision);
            InstanceRow vouched = new InstanceRow(at(9), Position.ZERO, ScanPhase.NONE);
            Start start = Start.of(
                    new SavedState(at(5), "OK", "", Stage.RUN, Optional.of(vouched), members, decisions),
                    Position.ZERO,
                    streams);
            Replication replication = new Replication(
                    streams,
                    Given.ROOMY,
                    1L << 30,
                    start,
                    new Membership(members, List.of(), List.of()),
                    decisions,
                    Rules.STANDARD);
            for (int stream = 0; stream < 2; stream++) {
                PartitionId partition = new PartitionId(stream, 0);
                replication.described(stream, List.of(Given.active(0)));
                replication.sessionStarted(partition, 1, 0, 0, 100);
                replication.records(
                        partition,
                        1,
                        new long[] {0, 1, 2},
                        List.of(update(7, 10 + stream), update(8, 20 + stream), barrier(9)),
                        3);
            }

            assertThat(replication.next().orElseThrow().tables())
                    .flatExtracting(TableWrites::writes)
                    .extracting(RowWrite::key)
                    .containsExactly(new Key(20), new Key(21));
        }
    }
}
