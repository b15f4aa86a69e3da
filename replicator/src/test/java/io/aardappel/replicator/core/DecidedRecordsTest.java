package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.active;
import static io.aardappel.replicator.core.Given.at;
import static io.aardappel.replicator.core.Given.barrier;
import static io.aardappel.replicator.core.Given.change;
import static io.aardappel.replicator.core.Given.columns;
import static io.aardappel.replicator.core.Given.p;
import static io.aardappel.replicator.core.Given.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A record that was decided about")
class DecidedRecordsTest {
    private static final StreamSpec STREAM = new StreamSpec("topic", "consumer", "table");
    private static final long SESSION = 1;

    private final List<Command> commands = new ArrayList<>();
    private Replication replication = begun(5, List.of());
    private final long[] next = new long[2];

    private static Replication begun(long checkpoint, List<DecisionRow> decisions) {
        InstanceRow instance = new InstanceRow(at(checkpoint), Position.ZERO, ScanPhase.NONE);
        return begun(Stage.RUN, at(checkpoint), instance, decisions, 1L << 30);
    }

    private static Replication begun(
            Stage stage, Position checkpoint, InstanceRow instance, List<DecisionRow> decisions, long memory) {
        Start start = Start.of(
                new SavedState(checkpoint, "OK", "", stage, Optional.of(instance), List.of(), decisions),
                Position.ZERO,
                List.of(STREAM));
        StreamRow row = new StreamRow("topic", "consumer", "table", 1, StreamState.MEMBER, Map.of());
        Membership members = new Membership(List.of(row), List.of(), List.of());
        Replication begun =
                new Replication(List.of(STREAM), Given.ROOMY, memory, start, members, decisions, Rules.STANDARD);
        begun.described(0, List.of(active(0), active(1)));
        begun.sessionStarted(p(0), SESSION, 0, 0, 100);
        begun.sessionStarted(p(1), SESSION, 0, 0, 100);
        return begun;
    }

    private void says(int partition, StreamRecord... records) {
        long[] offsets = new long[records.length];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = next[partition]++;
        }
        replication.records(p(partition), SESSION, offsets, List.of(records), next[partition]);
    }

    private void decide(int partition, long offset, Action action) {
        replication.decided(p(partition), offset, action, DecidedBy.COMMAND);
    }

    private Batch commitNext() {
        Batch batch = replication.next().orElseThrow();
        replication.committed(batch);
        commands.addAll(replication.commands());
        return batch;
    }

    private static List<RowWrite> writes(Batch batch) {
        return batch.tables().stream().flatMap(table -> table.writes().stream()).toList();
    }

    private static DecisionRow row(long offset, Action action, long step, String reason) {
        return new DecisionRow("topic", "consumer", 0, offset, action, DecidedBy.COMMAND, at(step), reason);
    }

    @Nested
    @DisplayName("to apply, whose position was passed")
    class Passed {
        /** Everything below 20 is applied; then partition 0 says something of 12. */
        private void lateRecord() {
            says(0, update(10, 1), barrier(20));
            says(1, barrier(20));
            commitNext();
            says(0, update(12, 1), update(25, 1), barrier(30));
            says(1, barrier(30));
            decide(0, 2, Action.APPLY);
        }

        @Test
        @DisplayName("goes before everything else and moves no checkpoint")
        void goesFirstB14() {
            lateRecord();

            Batch batch = commitNext();

            assertThat(writes(batch)).extracting(RowWrite::position).containsExactly(at(12));
            assertThat(batch.checkpoint()).isEmpty();
            assertThat(replication.checkpoint()).isEqualTo(at(20));
            assertThat(commitNext().checkpoint()).contains(at(30));
        }

        @Test
        @DisplayName("is written with the decision, which names who took it and why it was asked for")
        void isWrittenWithItsDecision() {
            lateRecord();

            assertThat(commitNext().decisions()).singleElement().satisfies(row -> {
                assertThat(row.offset()).isEqualTo(2);
                assertThat(row.action()).isEqualTo(Action.APPLY);
                assertThat(row.decidedBy()).isEqualTo(DecidedBy.COMMAND);
                assertThat(row.position()).isEqualTo(at(12));
                assertThat(row.reason()).contains("stream topic, partition 0, offset 2", "[20,0]");
            });
            assertThat(commitNext().decisions()).isEmpty();
            assertThat(replication.counters().appliedByDecision()).isEqualTo(1);
        }

        @Test
        @DisplayName("is not written again when it is read again after a takeover")
        void isNotWrittenAgain() {
            replication = begun(20, List.of(row(2, Action.APPLY, 12, "")));

            says(0, update(10, 1), barrier(20), update(12, 1), barrier(30));
            says(1, barrier(30));

            assertThat(replication.questions()).isZero();
            assertThat(commitNext().tables()).isEmpty();
        }
    }

    @Test
    @DisplayName("is another than one at the same offset of a topic that was made anew")
    void isAnotherThanOneOfANewTopic() {
        replication = begun(20, List.of(row(0, Action.SKIP, 3, ""), row(1, Action.APPLY, 4, "")));
        says(0, update(21, 1), update(22, 2), barrier(30));
        says(1, barrier(30));

        assertThat(writes(commitNext())).extracting(RowWrite::position).containsExactly(at(21), at(22));
    }

    @Nested
    @DisplayName("to apply, that is read again while a transaction is under way which passes its position")
    class ReadAgainMeanwhile {
        private Batch underWay() {
            replication = begun(5, List.of(row(2, Action.APPLY, 12, "")));
            says(0, update(10, 1), barrier(20));
            says(1, barrier(20));
            Batch underWay = replication.next().orElseThrow();
            says(0, update(12, 1));
            return underWay;
        }

        @Test
        @DisplayName("is applied after it when it is durable")
        void isAppliedAfterIt() {
            Batch underWay = underWay();
            replication.committed(underWay);

            Batch batch = commitNext();
            assertThat(writes(batch)).extracting(RowWrite::position).containsExactly(at(12));
            assertThat(batch.decisions()).isEmpty();
        }

        @Test
        @DisplayName("takes its place in the next when it was refused")
        void takesItsPlaceInTheNext() {
            Batch underWay = underWay();
            replication.refused(underWay, false);

            assertThat(writes(commitNext())).extracting(RowWrite::position).containsExactly(at(12));
        }
    }

    @Nested
    @DisplayName("to apply, whose position is still to come")
    class StillToCome {
        @Test
        @DisplayName("takes its place in the order of positions, beside those that were read in time")
        void takesItsPlace() {
            says(0, update(10, 1), barrier(20), update(12, 1), update(25, 2), barrier(30));
            decide(0, 2, Action.APPLY);
            says(1, barrier(30));

            Batch batch = commitNext();

            assertThat(batch.checkpoint()).contains(at(30));
            assertThat(writes(batch)).extracting(RowWrite::position).containsExactly(at(12), at(25));
            assertThat(batch.decisions()).extracting(DecisionRow::offset).containsExactly(2L);
        }

        @Test
        @DisplayName("waits for its turn")
        void waits() {
            says(0, barrier(20), update(12, 1));
            says(1, barrier(10));
            decide(0, 1, Action.APPLY);

            assertThat(commitNext().decisions()).isEmpty();
            says(1, barrier(15));

            Batch batch = commitNext();
            assertThat(batch.checkpoint()).contains(at(15));
            assertThat(batch.decisions()).hasSize(1);
        }

        @Test
        @DisplayName("is not passed over by a transaction that was decided before it")
        void isNotPassedOver() {
            says(0, barrier(20));
            says(1, update(8, 3), barrier(18));
            Batch underWay = replication.next().orElseThrow();
            says(0, update(12, 1));
            decide(0, 1, Action.APPLY);
            replication.committed(underWay);

            assertThat(writes(commitNext())).extracting(RowWrite::position).containsExactly(at(12));
        }
    }

    @Nested
    @DisplayName("to apply, for which there was no room")
    class WithoutRoom {
        @Test
        @DisplayName("is read again with what lies around it, and takes its place there")
        void isReadAgain() {
            InstanceRow instance = new InstanceRow(at(5), Position.ZERO, ScanPhase.NONE);
            replication = begun(Stage.RUN, at(5), instance, List.of(), 1_600);
            List<StreamRecord> log = new ArrayList<>();
            IntStream.range(0, 14).forEach(key -> log.add(change(at(6, key), Operation.UPDATE, key, columns(0, key))));
            log.add(barrier(20));
            log.add(update(12, 20));
            log.forEach(record -> {
                says(0, record);
                replication.commands();
            });
            decide(0, 15, Action.APPLY);
            assertThat(replication.next()).isEmpty();
            says(1, barrier(10));
            commitNext();
            int again = readAgainFrom(0);

            replication.records(p(0), SESSION + 1, offsets(again, 16), log.subList(again, 16), 16);
            says(1, barrier(25));

            Batch batch = commitNext();
            assertThat(writes(batch)).extracting(RowWrite::position).endsWith(at(6, 12), at(6, 13), at(12));
            assertThat(batch.decisions()).hasSize(1);
        }

        @Test
        @DisplayName("beside it, takes its place before anything around it is read again")
        void takesItsPlaceFirst() {
            InstanceRow instance = new InstanceRow(at(5), Position.ZERO, ScanPhase.NONE);
            replication = begun(Stage.RUN, at(5), instance, List.of(), 1_600);
            List<StreamRecord> log = new ArrayList<>(List.of(update(50, 50), update(51, 51), update(52, 52)));
            IntStream.rangeClosed(10, 20).forEach(step -> log.add(update(step, step)));
            log.add(barrier(60));
            says(0, log.toArray(StreamRecord[]::new));
            replication.commands();
            says(1, barrier(20));
            assertThat(commitNext().changes()).isEqualTo(10);
            says(1, barrier(40));

            Batch refused = replication.next().orElseThrow();
            RowWrite row = writes(refused).get(0);
            replication.refused(refused, Optional.of(row), PickyDestination.REFUSAL);
            commands.addAll(replication.commands());
            decide(0, 13, Action.APPLY);

            Batch batch = commitNext();
            assertThat(writes(batch)).extracting(RowWrite::position).containsExactly(at(20));
            assertThat(batch.checkpoint()).contains(at(40));
            assertThat(batch.decisions()).hasSize(1);
            assertThat(commands).contains(new Command.Reopen(p(0)));
        }

        private int readAgainFrom(int partition) {
            assertThat(commands).contains(new Command.Reopen(p(partition)));
            replication.sessionStarted(p(partition), SESSION + 1, 0, 0, 100);
            return replication.commands().stream()
                    .filter(Command.Confirm.class::isInstance)
                    .mapToInt(confirm -> (int) ((Command.Confirm) confirm).readOffset())
                    .findFirst()
                    .orElseThrow();
        }

        private static long[] offsets(int from, int to) {
            return LongStream.range(from, to).toArray();
        }
    }

    @Nested
    @DisplayName("to apply, and was, when what is around it is applied again")
    class AppliedBefore {
        @Test
        @DisplayName("is applied again after what was before it, without another decision")
        void isAppliedAgain() {
            InstanceRow scan = new InstanceRow(Position.ZERO, at(100), ScanPhase.APPLYING);
            replication =
                    begun(Stage.INITIAL_SCAN, Position.ZERO, scan, List.of(row(3, Action.APPLY, 12, "")), 1L << 30);
            says(0, barrier(5));
            says(1, barrier(28));
            says(0, update(10, 1), barrier(28));
            assertThat(writes(commitNext())).extracting(RowWrite::position).containsExactly(at(10));

            says(0, update(12, 1));

            Batch again = commitNext();
            assertThat(writes(again)).extracting(RowWrite::position).containsExactly(at(12));
            assertThat(again.decisions()).isEmpty();
            assertThat(replication.questions()).isZero();
            assertThat(replication.counters().appliedByDecision()).isZero();
        }
    }

    @Nested
    @DisplayName("to skip")
    class ToSkip {
        @Test
        @DisplayName("is left out, and its offset passes only with the decision")
        void isLeftOut() {
            says(0, barrier(20), update(12, 1), barrier(30), barrier(40));
            says(1, barrier(35));
            decide(0, 1, Action.SKIP);

            Batch decision = commitNext();
            assertThat(decision.tables()).isEmpty();
            assertThat(decision.decisions())
                    .containsExactly(
                            row(1, Action.SKIP, 12, decision.decisions().get(0).reason()));
            commitNext();
            replication.mirrorOffsets();
            commitNext();

            assertThat(commands)
                    .filteredOn(Command.Commit.class::isInstance)
                    .contains(new Command.Commit(p(0), SESSION, 0, 3));
            assertThat(replication.counters().skippedByDecision()).isEqualTo(1);
        }

        @Test
        @DisplayName("may be one that does not fit")
        void mayBeUnfit() {
            says(0, new Unfit(at(9), "[1]", "column c is not in the table"), barrier(20));
            decide(0, 0, Action.SKIP);

            assertThat(commitNext().decisions()).hasSize(1);
        }

        @Test
        @DisplayName("is not asked about again after a takeover")
        void isNotAskedAboutAgain() {
            replication = begun(20, List.of(row(1, Action.SKIP, 25, "")));

            says(0, barrier(30), update(25, 1), barrier(40));

            assertThat(replication.questions()).isZero();
        }
    }

    @Test
    @DisplayName("holds every transaction until all that are asked about are decided")
    void holdsEveryTransaction() {
        says(0, barrier(20), update(12, 1), update(13, 1));
        says(1, barrier(20));
        decide(0, 2, Action.APPLY);

        assertThat(replication.next()).isEmpty();
        decide(0, 1, Action.APPLY);

        assertThat(writes(commitNext())).extracting(RowWrite::position).containsExactly(at(13));
    }

    @Test
    @DisplayName("ends the process when it is to be applied and does not fit")
    void cannotBeApplied() {
        says(0, new Unfit(at(9), "[1]", "column c is not in the table"));
        replication.commands();

        decide(0, 0, Action.APPLY);

        assertThat(replication.commands())
                .singleElement()
                .isInstanceOfSatisfying(
                        Command.Fail.class,
                        fail -> assertThat(fail.problem().text()).contains("column c", "a command orders to apply it"));
    }
}
