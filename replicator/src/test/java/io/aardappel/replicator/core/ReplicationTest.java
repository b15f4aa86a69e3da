package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.active;
import static io.aardappel.replicator.core.Given.at;
import static io.aardappel.replicator.core.Given.barrier;
import static io.aardappel.replicator.core.Given.change;
import static io.aardappel.replicator.core.Given.child;
import static io.aardappel.replicator.core.Given.columns;
import static io.aardappel.replicator.core.Given.erase;
import static io.aardappel.replicator.core.Given.inactive;
import static io.aardappel.replicator.core.Given.p;
import static io.aardappel.replicator.core.Given.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.StreamRecord.Filtered;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A replication")
class ReplicationTest {
    private static final List<StreamSpec> STREAM = List.of(new StreamSpec("topic", "consumer", "table"));
    private static final long SESSION = 1;

    private final Map<PartitionId, Long> offsets = new HashMap<>();
    private final List<Command> commands = new ArrayList<>();

    // ---- words

    private static Start run(long checkpoint, long vouched) {
        return Start.of(saved(checkpoint, vouched), Position.ZERO, STREAM);
    }

    private static SavedState saved(long checkpoint, long vouched) {
        return new SavedState(
                at(checkpoint),
                "OK",
                "",
                Stage.RUN,
                Optional.of(new InstanceRow(at(vouched), Position.ZERO, ScanPhase.NONE)),
                List.of(),
                List.of());
    }

    private static Start scan(long maximum) {
        return Start.of(
                new SavedState(
                        Position.ZERO,
                        "OK",
                        "",
                        Stage.INITIAL_SCAN,
                        Optional.of(new InstanceRow(Position.ZERO, at(maximum), ScanPhase.APPLYING)),
                        List.of(),
                        List.of()),
                Position.ZERO,
                STREAM);
    }

    private static Replication replication(Start start) {
        return replication(start, Given.ROOMY, 1L << 30);
    }

    private static Replication replication(Start start, TransactionBounds bounds, long memory) {
        StreamRow row = new StreamRow("topic", "consumer", "table", 1, StreamState.MEMBER, Map.of());
        return new Replication(
                STREAM,
                bounds,
                memory,
                start,
                new Membership(List.of(row), List.of(), List.of()),
                List.of(),
                Rules.STANDARD);
    }

    /** Both partitions are known and read from offset 0. */
    private Replication reading(Replication replication, PartitionInfo... partitions) {
        replication.described(0, List.of(partitions));
        for (PartitionInfo info : partitions) {
            replication.sessionStarted(p(info.id()), SESSION, 0, 0, 1_000);
        }
        collect(replication);
        return replication;
    }

    private void says(Replication replication, long partition, StreamRecord... records) {
        long first = offsets.getOrDefault(p(partition), 0L);
        long[] at = new long[records.length];
        for (int i = 0; i < at.length; i++) {
            at[i] = first + i;
        }
        offsets.put(p(partition), first + at.length);
        replication.records(p(partition), SESSION, at, List.of(records), first + at.length);
        collect(replication);
    }

    private void collect(Replication replication) {
        commands.addAll(replication.commands());
    }

    private Batch commitNext(Replication replication) {
        Batch batch = replication.next().orElseThrow();
        replication.committed(batch);
        collect(replication);
        return batch;
    }

    /** Notes what may be committed; it is committed then. */
    private List<Long> noted(Replication replication) {
        replication.mirrorOffsets();
        Batch batch = commitNext(replication);
        return batch.streams().stream()
                .flatMap(row -> row.committed().values().stream())
                .toList();
    }

    private static List<Key> keys(Batch batch) {
        return batch.tables().stream()
                .flatMap(table -> table.writes().stream())
                .map(RowWrite::key)
                .toList();
    }

    private List<Command.Commit> commits() {
        return commands.stream()
                .filter(Command.Commit.class::isInstance)
                .map(Command.Commit.class::cast)
                .toList();
    }

    private <T extends Command> List<T> asked(Class<T> kind) {
        return commands.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    // ---- specifications

    @Nested
    @DisplayName("in stage RUN")
    class InRun {
        private final Replication replication = reading(replication(run(5, 5)), active(0), active(1));

        @Test
        @DisplayName("writes nothing while a partition is silent")
        void writesNothingWhileOneIsSilent() {
            says(replication, 0, update(6, 1), barrier(10));

            assertThat(replication.next()).isEmpty();
            assertThat(replication.holder()).contains(p(1));
        }

        @Test
        @DisplayName("writes what lies below the slowest barrier, with that barrier as checkpoint")
        void writesBelowTheSlowest() {
            says(replication, 0, update(6, 1), update(9, 2), barrier(10));
            says(replication, 1, update(7, 3), barrier(8));

            Batch batch = replication.next().orElseThrow();

            assertThat(keys(batch)).containsExactly(new Key(1), new Key(3));
            assertThat(batch.checkpoint()).contains(at(8));
            assertThat(batch.stage()).isEqualTo(Stage.RUN);
        }

        @Test
        @DisplayName("answers the same when asked twice, and after a refusal")
        void answersTheSame() {
            says(replication, 0, update(6, 1), barrier(10));
            says(replication, 1, barrier(8));

            Batch first = replication.next().orElseThrow();
            replication.refused(first, false);

            assertThat(replication.next()).contains(first);
        }

        @Test
        @DisplayName("writes one transaction for a minimum, none when it repeats")
        void writesOneForAMinimumB21() {
            says(replication, 0, barrier(8));
            says(replication, 1, barrier(8));
            commitNext(replication);
            says(replication, 0, barrier(9));

            assertThat(replication.next()).isEmpty();
        }

        @Test
        @DisplayName("moves the checkpoint even when nothing changed")
        void movesTheCheckpoint() {
            says(replication, 0, barrier(8));
            says(replication, 1, barrier(8));

            assertThat(commitNext(replication).tables()).isEmpty();
            assertThat(replication.checkpoint()).isEqualTo(at(8));
        }

        @Test
        @DisplayName("cuts a backlog in transactions of the target size, each with its own checkpoint")
        void cutsABacklogB20() {
            Replication small = reading(
                    replication(run(5, 5), new TransactionBounds(2, 1 << 20, 100, 1 << 20), 1 << 20), active(0));
            offsets.clear();
            says(small, 0, update(6, 1), update(7, 2), update(8, 3), barrier(20));

            assertThat(commitNext(small).checkpoint()).contains(at(8));
            assertThat(commitNext(small).checkpoint()).contains(at(20));
        }

        @Test
        @DisplayName("halves the next cut after a time-out and grows it back")
        void halvesAfterATimeout() {
            Replication small = reading(
                    replication(run(5, 5), new TransactionBounds(4, 1 << 20, 100, 1 << 20), 1 << 20), active(0));
            offsets.clear();
            says(small, 0, update(6, 1), update(7, 2), update(8, 3), update(9, 4), barrier(20));

            small.refused(small.next().orElseThrow(), true);

            assertThat(commitNext(small).changes()).isEqualTo(2);
        }

        @Test
        @DisplayName("asks about a position that fits no transaction")
        void asksAboutAnOversizedPosition() {
            Replication small =
                    reading(replication(run(5, 5), new TransactionBounds(1, 1 << 20, 1, 1 << 20), 1 << 20), active(0));
            offsets.clear();
            says(small, 0, update(6, 1), update(6, 2), barrier(20));

            assertThat(small.next()).isEmpty();
            collect(small);
            assertThat(asked(Command.Ask.class))
                    .singleElement()
                    .satisfies(ask -> assertThat(ask.problem().text())
                            .startsWith("OVERSIZED_POSITION")
                            .contains("[6,0]", "topic"));
        }

        @Test
        @DisplayName("asks about a change below a barrier of its own partition and writes nothing until it is decided")
        void asksAboutALateChange() {
            says(replication, 0, barrier(8));
            says(replication, 1, barrier(9));
            says(replication, 0, update(7, 1));

            assertThat(asked(Command.Ask.class))
                    .singleElement()
                    .satisfies(ask -> assertThat(ask.problem().text())
                            .startsWith("LATE_RECORD")
                            .contains("stream topic", "partition 0", "offset 1", "key [1]", "[7,0]"));
            assertThat(replication.next()).isEmpty();
        }

        @Test
        @DisplayName("asks about a record that does not fit")
        void asksAboutAnUnfitRecord() {
            says(replication, 0, new Unfit(at(9), "[1]", "column c is not in the table"));

            assertThat(asked(Command.Ask.class))
                    .singleElement()
                    .satisfies(ask -> assertThat(ask.problem().text())
                            .startsWith("UNFIT_RECORD")
                            .contains("stream topic", "column c"));
        }

        @Test
        @DisplayName("passes over what is left out by its key, and lets its offset pass")
        void passesOverWhatIsFiltered() {
            says(replication, 0, new Filtered(at(7)), barrier(8), barrier(9));
            says(replication, 1, barrier(9));

            assertThat(commitNext(replication).changes()).isZero();
            noted(replication);
            assertThat(commits()).extracting(Command.Commit::to).contains(2L);
            assertThat(replication.counters().filtered()).isEqualTo(1);
        }

        @Test
        @DisplayName("drops what lies below the checkpoint without a word, and counts it")
        void dropsWhatIsAppliedB45() {
            says(replication, 0, update(3, 1), barrier(8));
            says(replication, 1, barrier(8));

            assertThat(commitNext(replication).changes()).isZero();
            assertThat(replication.counters().alreadyApplied()).isEqualTo(1);
        }
    }

    @Nested
    @DisplayName("commits offsets")
    class CommitsOffsets {
        private final Replication replication = reading(replication(run(5, 5)), active(0), active(1));

        @Test
        @DisplayName("only when our rows say durably that they may be committed")
        void onlyWhenNoted() {
            says(replication, 0, update(6, 1), barrier(8));
            says(replication, 1, barrier(8));
            replication.mirrorOffsets();
            assertThat(replication.next().orElseThrow().streams())
                    .as("nothing is durable yet")
                    .isEmpty();
            commitNext(replication);
            replication.mirrorOffsets();
            Batch noting = replication.next().orElseThrow();

            assertThat(noting.streams())
                    .singleElement()
                    .extracting(StreamRow::committed)
                    .isEqualTo(Map.of(0L, 1L));
            collect(replication);
            assertThat(commits()).isEmpty();
            replication.committed(noting);
            collect(replication);
            assertThat(commits()).containsExactly(new Command.Commit(p(0), SESSION, 0, 1));
        }

        @Test
        @DisplayName("noted with the next changes, or by a transaction of its own when there are none")
        void notedAlone() {
            says(replication, 0, update(6, 1), barrier(8));
            says(replication, 1, barrier(8));
            commitNext(replication);
            replication.mirrorOffsets();

            Batch alone = commitNext(replication);
            assertThat(alone.checkpoint()).isEmpty();
            assertThat(alone.changes()).isZero();
            assertThat(replication.next()).isEmpty();

            replication.mirrorOffsets();
            assertThat(replication.next()).as("nothing new to note").isEmpty();
        }

        @Test
        @DisplayName("up to the first barrier at or above the checkpoint, each once, in adjoining ranges")
        void inAdjoiningRangesB13() {
            says(replication, 0, update(6, 1), barrier(8), update(8, 2), barrier(9));
            says(replication, 1, barrier(8));
            commitNext(replication);
            noted(replication);
            says(replication, 1, barrier(9));
            commitNext(replication);
            noted(replication);

            assertThat(commits())
                    .containsExactly(
                            new Command.Commit(p(0), SESSION, 0, 1),
                            new Command.Commit(p(0), SESSION, 1, 3),
                            new Command.Commit(p(1), SESSION, 0, 1));
        }

        @Test
        @DisplayName("again from where the server stands in a new session")
        void againInANewSession() {
            says(replication, 0, update(6, 1), barrier(8), barrier(9));
            says(replication, 1, barrier(8), barrier(9));
            commitNext(replication);
            replication.sessionEnded(p(0), SESSION);
            replication.sessionStarted(p(0), SESSION + 1, 0, 0, 10);
            collect(replication);

            assertThat(asked(Command.Confirm.class)).endsWith(new Command.Confirm(p(0), SESSION + 1, 3));
        }
    }

    @Nested
    @DisplayName("when a session begins")
    class WhenASessionBegins {
        private final Replication replication = replication(run(5, 5));

        @Test
        @DisplayName("fails when history below what was read is gone, naming the range")
        void failsWhenHistoryIsGone() {
            replication.described(0, List.of(active(0)));
            replication.sessionStarted(p(0), SESSION, 3, 7, 10);
            collect(replication);

            assertThat(asked(Command.Fail.class))
                    .singleElement()
                    .satisfies(fail -> assertThat(fail.problem().text())
                            .startsWith("HISTORY_LOST")
                            .contains("[3, 7)", "topic", "partition 0"));
        }

        @Test
        @DisplayName("fails when somebody else has committed beyond what was read")
        void failsWhenOffsetsMoved() {
            reading(replication, active(0));
            says(replication, 0, barrier(8));
            replication.sessionEnded(p(0), SESSION);
            replication.sessionStarted(p(0), SESSION + 1, 5, 0, 10);
            collect(replication);

            assertThat(asked(Command.Fail.class))
                    .singleElement()
                    .satisfies(fail -> assertThat(fail.problem().text()).startsWith("OFFSETS_MOVED"));
        }

        @Test
        @DisplayName("fails when the consumer stands below what the server acknowledged, as in a topic created anew")
        void failsWhenOffsetsWentBack() {
            reading(replication, active(0));
            says(replication, 0, update(6, 1), barrier(8));
            replication.acknowledged(p(0), SESSION, 1);
            replication.sessionEnded(p(0), SESSION);
            replication.sessionStarted(p(0), SESSION + 1, 0, 0, 10);
            collect(replication);

            assertThat(asked(Command.Fail.class))
                    .singleElement()
                    .satisfies(fail -> assertThat(fail.problem().text()).startsWith("OFFSETS_MOVED"));
        }

        @Test
        @DisplayName("ignores offsets that were delivered before")
        void ignoresDuplicates() {
            reading(replication, active(0));
            says(replication, 0, update(6, 1), update(7, 1));
            replication.records(p(0), SESSION, new long[] {0, 1}, List.of(update(6, 1), update(7, 1)), 2);

            assertThat(replication.bufferedChanges()).isEqualTo(2);
            assertThat(replication.counters().duplicates()).isEqualTo(2);
        }

        @Test
        @DisplayName("ignores records of a session that is over")
        void ignoresOldSessions() {
            reading(replication, active(0));
            replication.sessionEnded(p(0), SESSION);
            says(replication, 0, update(6, 1));

            assertThat(replication.bufferedChanges()).isZero();
        }
    }

    @Nested
    @DisplayName("when a session passes over offsets")
    class WhenASessionPassesOverOffsets {
        private final Replication replication = reading(replication(run(5, 5)), active(0));

        @BeforeEach
        void passOver() {
            says(replication, 0, update(6, 1));
            replication.records(p(0), SESSION, new long[] {5, 6}, List.of(update(7, 2), barrier(8)), 7);
            collect(replication);
        }

        private void describedFrom(long startOffset) {
            replication.described(0, List.of(new PartitionInfo(0, true, List.of(), List.of(), startOffset, 7, 0)));
            collect(replication);
        }

        @Test
        @DisplayName("applies nothing until the topic was described")
        void appliesNothing() {
            assertThat(replication.next()).isEmpty();
            assertThat(asked(Command.Describe.class)).isNotEmpty();
        }

        @Test
        @DisplayName("fails with the range when the topic forgot them")
        void failsWhenHistoryIsLost() {
            describedFrom(5);
            assertThat(asked(Command.Fail.class))
                    .singleElement()
                    .satisfies(fail -> assertThat(fail.problem().text())
                            .startsWith("HISTORY_LOST")
                            .contains("[1, 5)", "topic", "partition 0"));
            assertThat(replication.next()).isEmpty();
        }

        @Test
        @DisplayName("goes on when the topic keeps them from before, which an answer to an older question cannot say")
        void goesOnWhenNothingIsMissing() {
            describedFrom(0);
            assertThat(replication.next()).isEmpty();
            describedFrom(0);
            assertThat(commitNext(replication).checkpoint()).contains(at(8));
            assertThat(asked(Command.Fail.class)).isEmpty();
        }
    }

    @Nested
    @DisplayName("when a partition splits")
    class WhenAPartitionSplits {
        private final Replication replication = reading(replication(run(5, 5)), active(0));

        @Test
        @DisplayName("waits for both children from the moment the parent is read to its end")
        void waitsForBothChildrenB10() {
            says(replication, 0, update(6, 1), barrier(8));
            replication.partitionEnded(p(0), SESSION);
            describeSplit();

            assertThat(commitNext(replication).checkpoint()).contains(at(8));
            assertThat(commitNext(replication).streams())
                    .as("the parent's offset is noted at once")
                    .hasSize(1);
            replication.sessionStarted(p(1), SESSION, 0, 0, 10);
            says(replication, 1, barrier(12));
            assertThat(replication.next()).isEmpty();
        }

        @Test
        @DisplayName("commits a child's offsets only after the server acknowledged the parent to its end")
        void commitsChildrenAfterParents() {
            says(replication, 0, barrier(8));
            replication.partitionEnded(p(0), SESSION);
            describeSplit();
            for (long id = 1; id <= 2; id++) {
                replication.sessionStarted(p(id), SESSION, 0, 0, 10);
                says(replication, id, update(9, 1), barrier(12));
            }
            commitNext(replication);
            noted(replication);
            assertThat(commits()).extracting(Command.Commit::partition).containsOnly(p(0));

            replication.acknowledged(p(0), SESSION, 1);
            collect(replication);
            assertThat(asked(Command.Release.class)).containsExactly(new Command.Release(p(0)));
            assertThat(noted(replication)).as("the parent's offset stays known").hasSize(3);
            assertThat(commits()).extracting(Command.Commit::partition).contains(p(1), p(2));
        }

        @Test
        @DisplayName("commits no offset of a later generation before the parent's, though those between hold nothing")
        void commitsGrandchildrenAfterGrandparents() {
            says(replication, 0, barrier(8));
            replication.partitionEnded(p(0), SESSION);
            for (int answer = 0; answer < 2; answer++) {
                replication.described(
                        0,
                        List.of(
                                inactive(0, List.of(), 1L, 2L),
                                new PartitionInfo(1, false, List.of(0L), List.of(3L), 0, 0, 0),
                                new PartitionInfo(2, false, List.of(0L), List.of(3L), 0, 0, 0),
                                child(3, 1L, 2L)));
            }
            collect(replication);
            replication.sessionStarted(p(3), SESSION, 0, 0, 10);
            says(replication, 3, update(9, 1), barrier(12));
            commitNext(replication);
            noted(replication);
            assertThat(commits()).extracting(Command.Commit::partition).containsOnly(p(0));

            replication.acknowledged(p(0), SESSION, 1);
            collect(replication);
            noted(replication);
            assertThat(commits()).extracting(Command.Commit::partition).contains(p(3));
        }

        @Test
        @DisplayName("stops when the topic forgot what the parent had before its end, naming the range")
        void stopsWhenItsEndIsLost() {
            says(replication, 0, update(6, 1), barrier(8));
            replication.partitionEnded(p(0), SESSION);
            assertThat(replication.next()).as("before it is known").isEmpty();

            PartitionInfo parent = new PartitionInfo(0, false, List.of(), List.of(1L, 2L), 7, 7, 0);
            replication.described(0, List.of(parent, child(1, 0L), child(2, 0L)));
            collect(replication);

            assertThat(asked(Command.Fail.class))
                    .singleElement()
                    .satisfies(fail -> assertThat(fail.problem().text())
                            .startsWith("HISTORY_LOST")
                            .contains("[2, 7)", "topic", "partition 0"));
            assertThat(replication.next()).isEmpty();
        }

        /** The first answer may be to a question that was asked before the end was told. */
        private void describeSplit() {
            for (int answer = 0; answer < 2; answer++) {
                replication.described(0, List.of(inactive(0, List.of(), 1L, 2L), child(1, 0L), child(2, 0L)));
            }
            collect(replication);
        }
    }

    @Nested
    @DisplayName("in an initial scan")
    class InAScan {
        private final Replication replication = reading(replication(scan(0)), active(0), active(1));

        @Test
        @DisplayName("applies records as they come while a partition is silent, without a checkpoint")
        void appliesAsTheyCome() {
            says(replication, 0, update(6, 1), barrier(10), update(30, 2));

            Batch batch = commitNext(replication);

            assertThat(keys(batch)).containsExactly(new Key(1), new Key(2));
            assertThat(batch.checkpoint()).isEmpty();
            assertThat(batch.stage()).isEqualTo(Stage.INITIAL_SCAN);
            assertThat(batch.scanMaximum()).isEqualTo(at(30));
        }

        @Test
        @DisplayName("writes nothing while there is nothing to apply")
        void writesNothingWithoutRecordsB24() {
            assertThat(replication.next()).isEmpty();
            says(replication, 0, barrier(10));

            assertThat(replication.next()).isEmpty();
        }

        @Test
        @DisplayName("ends with the first cut above the highest position it ever applied")
        void endsAboveTheMaximumB25() {
            says(replication, 0, update(30, 2), barrier(31));
            commitNext(replication);
            says(replication, 1, barrier(20));
            assertThat(replication.phase()).isEqualTo(ScanPhase.CLOSING);
            assertThat(replication.next()).isEmpty();

            says(replication, 1, update(25, 3), barrier(31));
            Batch last = commitNext(replication);
            assertThat(last.checkpoint()).contains(at(31));
            assertThat(last.stage()).isEqualTo(Stage.RUN);
            assertThat(replication.aligned()).isTrue();
        }

        @Test
        @DisplayName("applies below the maximum in cuts without a checkpoint once all have spoken")
        void appliesBelowTheMaximumB25() {
            says(replication, 0, update(30, 2), barrier(31));
            commitNext(replication);
            says(replication, 1, barrier(20));
            says(replication, 1, update(21, 3), barrier(25));

            Batch batch = commitNext(replication);

            assertThat(batch.checkpoint()).isEmpty();
            assertThat(batch.phase()).isEqualTo(ScanPhase.CLOSING);
            assertThat(replication.aligned()).isFalse();
        }

        @Test
        @DisplayName("goes on with the maximum of the process before, which may have applied later positions")
        void goesOnWithTheMaximumBefore() {
            Replication successor = reading(replication(scan(1_000)), active(0));
            offsets.clear();
            says(successor, 0, barrier(500));
            assertThat(successor.next()).isEmpty();

            says(successor, 0, barrier(1_000));
            assertThat(successor.next()).isEmpty();

            says(successor, 0, barrier(1_001));
            assertThat(commitNext(successor).checkpoint()).contains(at(1_001));
        }

        @Test
        @DisplayName("applies rows that share the scan's position in bounded transactions")
        void appliesScannedRowsBounded() {
            Replication small =
                    reading(replication(scan(0), new TransactionBounds(2, 1 << 20, 2, 1 << 20), 1 << 20), active(0));
            offsets.clear();
            says(small, 0, update(6, 1), update(6, 2), update(6, 3), update(6, 4), update(6, 5), barrier(10));

            assertThat(commitNext(small).changes()).isEqualTo(2);
            assertThat(commitNext(small).changes()).isEqualTo(2);
            assertThat(commitNext(small).changes()).isEqualTo(1);
            assertThat(small.phase()).isEqualTo(ScanPhase.CLOSING);
        }

        @Test
        @DisplayName("cuts a position up to the maximum as it likes, and asks about none that is too large")
        void cutsAPositionUpToTheMaximum() {
            Replication small =
                    reading(replication(scan(30), new TransactionBounds(2, 1 << 20, 2, 1 << 20), 1 << 20), active(0));
            offsets.clear();
            says(small, 0, barrier(10));
            assertThat(small.phase()).isEqualTo(ScanPhase.CLOSING);
            says(small, 0, update(20, 1), update(20, 2), update(20, 3), update(20, 4), update(20, 5), barrier(21));

            assertThat(keys(commitNext(small))).containsExactly(new Key(1), new Key(2));
            assertThat(keys(commitNext(small))).containsExactly(new Key(3), new Key(4));
            assertThat(keys(commitNext(small))).containsExactly(new Key(5));
            assertThat(small.next()).isEmpty();
            assertThat(small.bufferedChanges()).isZero();
            assertThat(small.bufferedBytes()).isZero();

            says(small, 0, update(31, 1), update(31, 2), update(31, 3), barrier(32));
            assertThat(small.next()).isEmpty();
            assertThat(small.questions()).isEqualTo(1);
        }
    }

    @Nested
    @DisplayName("after others held the lock")
    class AfterOthers {
        @Test
        @DisplayName("applies again what lies between our checkpoint and theirs, and writes none below theirs")
        void appliesAgainUpToTheirs() {
            Replication replication = reading(replication(run(20, 10)), active(0));
            says(replication, 0, update(9, 1), update(12, 2), barrier(15));
            assertThat(replication.aligned()).isFalse();

            Batch first = commitNext(replication);
            assertThat(keys(first)).containsExactly(new Key(2));
            assertThat(first.checkpoint()).isEmpty();

            says(replication, 0, update(16, 3), barrier(25));
            Batch second = commitNext(replication);
            assertThat(second.checkpoint()).contains(at(25));
            assertThat(replication.aligned()).isTrue();
        }

        @ParameterizedTest
        @CsvSource({"20, 10", "10, 20"})
        @DisplayName("applies nothing again where two streams write one table: more of one than of the other may come")
        void believesThemOnSharedTables(long checkpoint, long vouched) {
            List<StreamSpec> sharing =
                    List.of(new StreamSpec("topic", "consumer", "table"), new StreamSpec("other", "consumer", "table"));

            assertThat(Start.of(saved(checkpoint, vouched), Position.ZERO, sharing)
                            .floor())
                    .isEqualTo(at(20));
        }

        @Test
        @DisplayName("goes on from a checkpoint that was set back by hand, and writes none below ours")
        void goesOnFromAResetOne() {
            Replication replication = reading(replication(run(10, 20)), active(0));
            says(replication, 0, update(12, 2), barrier(15));

            assertThat(commitNext(replication).checkpoint()).isEmpty();
            says(replication, 0, barrier(20));
            assertThat(commitNext(replication).checkpoint()).contains(at(20));
        }

        @Test
        @DisplayName("keeps committed offsets where a successor would see everything again until then")
        void keepsOffsets() {
            Replication replication = reading(replication(run(20, 10)), active(0));
            says(replication, 0, barrier(10), update(12, 2), barrier(15));
            commitNext(replication);

            assertThat(commits()).isEmpty();
        }
    }

    @Nested
    @DisplayName("short of memory")
    class ShortOfMemory {
        private final Replication replication =
                reading(replication(run(5, 5), Given.ROOMY, 1_000), active(0), active(1));

        @Test
        @DisplayName("reads nothing while a position is to be decided about, since nothing is applied meanwhile")
        void readsNothingWhileItHasToDecide() {
            Replication asking = reading(
                    replication(run(5, 5), new TransactionBounds(1, 1 << 20, 2, 1 << 20), 1_000), active(0), active(1));
            says(asking, 0, update(7, 1), update(7, 2), update(7, 3), barrier(8));
            says(asking, 1, barrier(8));
            assertThat(asking.next()).isEmpty();
            assertThat(asking.questions()).isEqualTo(1);

            says(asking, 1, update(9, 4), update(9, 5), update(9, 6), update(9, 7));

            assertThat(asked(Command.Park.class)).contains(new Command.Park(p(0)), new Command.Park(p(1)));
        }

        @Test
        @DisplayName("reads nothing more while what is below the quorum is still to be applied, which frees memory too")
        void readsNothingWhileItHasToApply() {
            says(replication, 0, update(6, 1), update(6, 2), update(6, 3), update(6, 4), barrier(10));
            says(replication, 1, update(6, 5), update(6, 6), update(6, 7), barrier(9));

            assertThat(asked(Command.Park.class))
                    .as("the partition that is least complete is not needed now")
                    .contains(new Command.Park(p(1)));
            commitNext(replication);
            assertThat(asked(Command.Resume.class)).contains(new Command.Resume(p(1)));
        }

        @Test
        @DisplayName("parks the partition that is ahead, never the one that is waited for")
        void parksTheOneAhead() {
            for (int i = 0; i < 8; i++) {
                says(replication, 0, update(10 + i, i), barrier(10 + i));
            }

            assertThat(asked(Command.Park.class)).containsExactly(new Command.Park(p(0)));
        }

        @Test
        @DisplayName("sheds the newest changes of the one ahead and reads them again from there")
        void shedsTheNewest() {
            says(replication, 0, barrier(9));
            for (int i = 0; i < 12; i++) {
                says(replication, 0, update(10 + i, i));
            }

            assertThat(replication.bufferedBytes()).isLessThanOrEqualTo(1_000);
            says(replication, 0, barrier(30));
            says(replication, 1, barrier(30));
            assertThat(commitNext(replication).checkpoint())
                    .hasValueSatisfying(end -> assertThat(end).isBetween(at(14), at(20)));
            assertThat(asked(Command.Reopen.class)).containsExactly(new Command.Reopen(p(0)));
        }

        @Test
        @DisplayName("reads the one that is waited for on without buffering, to find its barrier")
        void readsOnWithoutBuffering() {
            for (int i = 0; i < 20; i++) {
                says(replication, 1, update(10 + i, i));
            }
            says(replication, 0, barrier(40));
            says(replication, 1, barrier(40));

            assertThat(replication.bufferedBytes()).isLessThanOrEqualTo(1_000);
            Batch batch = commitNext(replication);
            assertThat(batch.checkpoint())
                    .hasValueSatisfying(end -> assertThat(end).isGreaterThan(at(10)));
            assertThat(asked(Command.Reopen.class)).contains(new Command.Reopen(p(1)));
        }

        @Test
        @DisplayName("works everything off when the other speaks")
        void worksEverythingOff() {
            for (int i = 0; i < 4; i++) {
                says(replication, 0, update(10 + i, i), barrier(10 + i));
            }
            says(replication, 1, barrier(13));

            assertThat(commitNext(replication).checkpoint()).contains(at(13));
            assertThat(replication.bufferedChanges()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("orders equal positions of one row by offset")
    void ordersEqualPositionsB36() {
        Replication replication = reading(replication(run(5, 5)), active(0));
        says(
                replication,
                0,
                change(at(6, -1), Operation.UPDATE, 1, columns(0, "first")),
                erase(6, 2),
                change(at(6, -1), Operation.UPDATE, 1, columns(0, "second")),
                barrier(7));

        RowWrite row = commitNext(replication).tables().get(0).writes().get(0);

        assertThat(row.columns().values()).containsExactly("second");
    }

    @Nested
    @DisplayName("that begins, and whose consumer is moved on before it has read anything")
    class WhoseConsumerIsMovedAtTheBeginning {
        private PartitionInfo found(long start, long committed) {
            return new PartitionInfo(0, true, List.of(), List.of(), start, 1_000, committed);
        }

        /** Rows as they are made at the first start. */
        private Replication begun(PartitionInfo found) {
            return begun(
                    new SavedState(
                            Position.ZERO,
                            "OK",
                            "",
                            Stage.INITIAL_SCAN,
                            Optional.of(new InstanceRow(Position.ZERO, Position.ZERO, ScanPhase.NONE)),
                            List.of(),
                            List.of()),
                    found);
        }

        /** The Go program's row, without any of ours. */
        private Replication succeeding(Stage stage, PartitionInfo found) {
            return begun(new SavedState(Position.ZERO, "OK", "", stage, Optional.empty(), List.of(), List.of()), found);
        }

        /** As a term does it: by what the destination says and where the consumer is found. */
        private Replication begun(SavedState saved, PartitionInfo found) {
            Membership membership = Membership.check(STREAM, saved, List.of(new Membership.Topic(1, List.of(found))));
            assertThat(membership.problems()).isEmpty();
            Replication replication = new Replication(
                    STREAM,
                    Given.ROOMY,
                    1L << 30,
                    Start.of(saved, at(50), STREAM),
                    membership,
                    List.of(),
                    Rules.STANDARD);
            replication.described(0, List.of(found));
            collect(replication);
            return replication;
        }

        private void session(Replication replication, long committed, long start) {
            replication.sessionStarted(p(0), SESSION, committed, start, 1_000);
            collect(replication);
        }

        private void assertRefused(String... words) {
            assertThat(asked(Command.Confirm.class)).isEmpty();
            assertThat(asked(Command.Fail.class))
                    .singleElement()
                    .satisfies(fail -> assertThat(fail.problem().text())
                            .startsWith("OFFSETS_MOVED")
                            .contains(words));
        }

        private void assertReadFrom(long offset) {
            assertThat(asked(Command.Fail.class)).isEmpty();
            assertThat(asked(Command.Confirm.class)).containsExactly(new Command.Confirm(p(0), SESSION, offset));
        }

        @Test
        @DisplayName("refuses to begin above what nobody applied, when its first session shows it")
        void isRefusedByASession() {
            session(begun(found(0, 0)), 7, 0);

            assertRefused(
                    "stream topic",
                    "partition 0",
                    "consumer consumer",
                    "offset 7",
                    "beyond 0",
                    "its place here is offset 0");
        }

        @Test
        @DisplayName("or when a description shows it that comes while it waits for a session")
        void isRefusedByADescription() {
            Replication replication = begun(found(0, 0));
            replication.described(0, List.of(found(0, 7)));
            collect(replication);

            assertRefused("offset 7", "beyond 0");
        }

        @Test
        @DisplayName("or in a scan of rows that were there, whose checkpoint a person set back")
        void isRefusedInAScanThatAPersonOrdered() {
            StreamRow row = new StreamRow("topic", "consumer", "table", 1, StreamState.MEMBER, Map.of(0L, 3L));
            InstanceRow left = new InstanceRow(at(90), Position.ZERO, ScanPhase.NONE);
            SavedState saved = new SavedState(
                    Position.ZERO, "OK", "", Stage.INITIAL_SCAN, Optional.of(left), List.of(row), List.of());
            session(begun(saved, found(0, 5)), 7, 0);

            assertRefused("offset 7", "beyond 5", "its place here is offset 5");
        }

        @ParameterizedTest
        @EnumSource
        @DisplayName("reads from where the Go program left the consumer")
        void readsFromWhereItWasLeft(Stage stage) {
            session(succeeding(stage, found(0, 5)), 5, 0);

            assertReadFrom(5);
            assertThat(asked(Command.TellMovedOn.class)).isEmpty();
        }

        @ParameterizedTest
        @EnumSource
        @DisplayName("may have been the Go program's, which commits late what it applied: then both offsets are told")
        void mayHaveBeenTheGoPrograms(Stage stage) {
            session(succeeding(stage, found(0, 5)), 7, 0);

            assertReadFrom(7);
            assertThat(asked(Command.TellMovedOn.class)).containsExactly(new Command.TellMovedOn(p(0), 5, 7));
        }

        @Test
        @DisplayName("is found out by the next process, too, which has in the rows where it began")
        void isFoundOutByTheNextProcess() {
            Batch batch = succeeding(Stage.INITIAL_SCAN, found(0, 5)).next().orElseThrow();
            InstanceRow left = new InstanceRow(Position.ZERO, batch.scanMaximum(), batch.phase());
            SavedState saved = new SavedState(
                    Position.ZERO, "OK", "", batch.stage(), Optional.of(left), batch.streams(), List.of());
            begun(saved, found(0, 7));

            assertRefused("offset 7", "beyond 5");
        }

        @Test
        @DisplayName(
                "is found out by the next process in a scan that a person ordered, though its checkpoint is of others")
        void isFoundOutInAScanAnew() {
            StreamRow row = new StreamRow("topic", "consumer", "table", 1, StreamState.MEMBER, Map.of(0L, 5L));
            InstanceRow left = new InstanceRow(at(90), at(60), ScanPhase.APPLYING);
            begun(
                    new SavedState(
                            Position.ZERO, "OK", "", Stage.INITIAL_SCAN, Optional.of(left), List.of(row), List.of()),
                    found(0, 7));

            assertRefused("offset 7", "beyond 5");
        }

        @Test
        @DisplayName("is what the process before committed itself, whose answer did not come: that was noted before")
        void isExplainedByWhatWasNoted() {
            StreamRow row = new StreamRow("topic", "consumer", "table", 1, StreamState.MEMBER, Map.of(0L, 9L));
            InstanceRow left = new InstanceRow(Position.ZERO, at(60), ScanPhase.APPLYING);
            SavedState saved = new SavedState(
                    Position.ZERO, "OK", "", Stage.INITIAL_SCAN, Optional.of(left), List.of(row), List.of());
            session(begun(saved, found(0, 5)), 9, 0);

            assertReadFrom(9);
        }
    }

    @Nested
    @DisplayName("whose consumer stands beyond what our rows say was committed")
    class WhoseConsumerWasMoved {
        private Replication begun(Start start) {
            Replication replication = replication(start);
            replication.described(0, List.of(active(0)));
            collect(replication);
            return replication;
        }

        private PartitionInfo committedUpTo(long offset) {
            return new PartitionInfo(0, true, List.of(), List.of(), 0, 1_000, offset);
        }

        private void assertRefused() {
            assertThat(asked(Command.Fail.class))
                    .first()
                    .satisfies(fail -> assertThat(fail.problem().text())
                            .startsWith("OFFSETS_MOVED")
                            .contains(
                                    "stream topic",
                                    "partition 0",
                                    "consumer consumer",
                                    "offset 7",
                                    "beyond 0",
                                    "its place here is offset 0"));
        }

        @Test
        @DisplayName("refuses to pass over what lies between, whether a description tells of it")
        void isRefusedByADescription() {
            Replication replication = replication(run(5, 5));
            replication.described(0, List.of(committedUpTo(7)));
            collect(replication);

            assertRefused();
        }

        @Test
        @DisplayName("or the beginning of the first session")
        void isRefusedByASession() {
            Replication replication = begun(run(5, 5));
            replication.sessionStarted(p(0), SESSION, 7, 0, 1_000);
            collect(replication);

            assertRefused();
        }

        @Test
        @DisplayName("or a partition that is not read at all because it is committed to its end")
        void isRefusedAtTheEnd() {
            Replication replication = replication(run(5, 5));
            replication.described(
                    0,
                    List.of(
                            new PartitionInfo(0, false, List.of(), List.of(1L, 2L), 0, 7, 7),
                            child(1, 0L),
                            child(2, 0L)));
            collect(replication);

            assertRefused();
        }

        @Test
        @DisplayName(
                "takes it from there and tells so when somebody else held the lock since and moved the checkpoint: that one may have"
                        + " committed late what it had applied")
        void isAcceptedAfterOthers() {
            Replication replication = begun(run(9, 5));
            replication.described(0, List.of(committedUpTo(7)));
            replication.sessionStarted(p(0), SESSION, 7, 0, 1_000);
            collect(replication);

            assertThat(asked(Command.Fail.class)).isEmpty();
            assertThat(asked(Command.Confirm.class)).containsExactly(new Command.Confirm(p(0), SESSION, 7));
            assertThat(asked(Command.TellMovedOn.class)).containsExactly(new Command.TellMovedOn(p(0), 0, 7));
        }

        @Test
        @DisplayName("does so no more once a checkpoint is its own, as of a partition that is made by a split")
        void isNotAcceptedForLong() {
            Replication replication = reading(replication(run(9, 5)), active(0));
            says(replication, 0, barrier(12));
            commitNext(replication);
            replication.described(
                    0,
                    List.of(
                            new PartitionInfo(0, false, List.of(), List.of(1L, 2L), 0, 1, 0),
                            new PartitionInfo(1, true, List.of(0L), List.of(), 0, 9, 7),
                            child(2, 0L)));
            collect(replication);

            assertThat(asked(Command.Fail.class))
                    .singleElement()
                    .satisfies(fail -> assertThat(fail.problem().text())
                            .startsWith("OFFSETS_MOVED")
                            .contains("partition 1", "offset 7"));
        }
    }
}
