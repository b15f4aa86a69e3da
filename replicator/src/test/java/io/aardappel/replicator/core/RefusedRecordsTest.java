package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.at;
import static io.aardappel.replicator.core.Given.barrier;
import static io.aardappel.replicator.core.Given.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.Problem.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A row that the destination refuses")
class RefusedRecordsTest {
    private final PickyDestination destination = new PickyDestination(Stage.RUN, Given.ROOMY, List.of());

    private static StreamRecord[] records(int count) {
        StreamRecord[] records = new StreamRecord[count + 1];
        for (int i = 0; i < count; i++) {
            records[i] = update(10 + i, i);
        }
        records[count] = barrier(10 + count);
        return records;
    }

    @Nested
    @DisplayName("without being named")
    class NotNamed {
        @Test
        void isFoundBySmallerTransactionsAndAskedAbout() {
            destination.refused.add(700);
            destination.says(records(1_000));

            destination.work();

            assertThat(destination.questions()).singleElement().satisfies(ask -> {
                assertThat(ask.offset()).isEqualTo(700);
                assertThat(ask.change()).isPresent();
                assertThat(ask.companions()).isEmpty();
                assertThat(ask.problem().text())
                        .startsWith("UNFIT_RECORD: stream topic, partition 0, offset 700, key [700], position [710,0]")
                        .contains("BAD_REQUEST: no", "Repair it");
            });
        }

        @Test
        void letsEverythingBeforeItPassWhileItIsAskedAbout() {
            destination.refused.add(700);
            destination.says(records(1_000));

            destination.work();

            assertThat(destination.rows).hasSize(700);
            assertThat(destination.replication.checkpoint()).isEqualTo(at(710));
        }

        @Test
        void costsFewTransactions() {
            destination.refused.add(700);
            destination.says(records(1_000));

            destination.work();

            assertThat(destination.refusals).isLessThanOrEqualTo(12);
        }

        @Test
        void isNotAskedAboutWhenItIsTheTableThatTakesNothing() {
            IntStream.range(0, 100).forEach(destination.refused::add);
            destination.says(records(100));

            destination.workAnswering(Action.SKIP);

            assertThat(destination.questions()).hasSize(Suspects.REFUSALS_IN_A_ROW_MAX);
            assertThat(destination.failures())
                    .singleElement()
                    .satisfies(fail -> assertThat(fail.problem()).isEqualTo(PickyDestination.REFUSAL));
        }

        @Test
        void sharesItsFateWithTheOthersOfItsPosition() {
            destination.refused.add(2);
            destination.says(update(6, 0), update(7, 1), update(7, 2), update(7, 3), update(8, 4), barrier(9));

            destination.workAnswering(Action.SKIP);

            assertThat(destination.questions()).singleElement().satisfies(ask -> {
                assertThat(ask.companions())
                        .extracting(Command.Companion::offset)
                        .containsExactly(2L, 3L);
                assertThat(ask.problem().text())
                        .startsWith("UNFIT_RECORD: position [7,0]")
                        .contains("its 3 changes are refused together");
            });
            assertThat(destination.rows).containsOnlyKeys(new Key(0), new Key(4));
            assertThat(destination.decisions).singleElement().satisfies(row -> {
                assertThat(row.action()).isEqualTo(Action.SKIP_ALL);
                assertThat(row.position()).isEqualTo(at(7));
            });
        }
    }

    @Nested
    @DisplayName("by its name")
    class Named {
        @Test
        void isAskedAboutAtOnceWhenOneRecordMakesIt() {
            destination.namesTheRow = true;
            destination.refused.add(700);
            destination.says(records(1_000));

            destination.work();

            assertThat(destination.questions()).extracting(Command.Ask::offset).containsExactly(700L);
            assertThat(destination.refusals).isEqualTo(1);
        }

        @Test
        void isLookedForAmongTheRecordsThatMakeIt() {
            destination.namesTheRow = true;
            destination.refused.add(1);
            destination.says(update(6, 0), update(7, 1), update(8, 2), update(9, 1), barrier(10));

            destination.workAnswering(Action.SKIP);

            assertThat(destination.questions()).extracting(Command.Ask::offset).containsExactly(1L, 3L);
            assertThat(destination.rows).containsOnlyKeys(new Key(0), new Key(2));
        }

        @Test
        void isNoMatterOfTheOthersOfItsPosition() {
            destination.namesTheRow = true;
            destination.refused.add(2);
            destination.says(update(7, 1), update(7, 2), update(7, 3), barrier(9));

            destination.workAnswering(Action.SKIP);

            assertThat(destination.rows).containsOnlyKeys(new Key(1), new Key(3));
        }
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    @DisplayName("is left out with its decision where that is the answer, and nothing else is")
    void isLeftOut(Stage stage) {
        PickyDestination picky = new PickyDestination(stage, Given.ROOMY, List.of());
        picky.refused.add(3);
        picky.says(records(8));

        picky.workAnswering(Action.SKIP);

        assertThat(picky.rows).hasSize(7).doesNotContainKey(new Key(3));
        assertThat(picky.decisions).extracting(DecisionRow::offset).containsExactly(3L);
        assertThat(picky.replication.counters().skippedByDecision()).isEqualTo(1);
        assertThat(picky.failures()).isEmpty();
    }

    @Test
    @DisplayName("is left out alone in a scan that may have applied others of its position as they came")
    void isLeftOutAloneInAScan() {
        PickyDestination scan = new PickyDestination(Stage.INITIAL_SCAN, Given.ROOMY, List.of());
        scan.refused.add(2);
        StreamRecord[] feed = {
            update(7, 1), update(8, 0), barrier(6), update(7, 2), update(7, 3), update(7, 4), update(9, 5), barrier(10)
        };
        scan.says(feed[0], feed[1]);
        scan.work();
        scan.says(List.of(feed).subList(2, feed.length).toArray(StreamRecord[]::new));

        scan.workAnswering(Action.SKIP);

        assertThat(scan.decisions).singleElement().satisfies(row -> {
            assertThat(row.action()).isEqualTo(Action.SKIP);
            assertThat(row.offset()).isEqualTo(3);
        });
        assertThat(scan.rows).containsOnlyKeys(new Key(0), new Key(1), new Key(3), new Key(4), new Key(5));
    }

    @Test
    @DisplayName("is tried again where the answer is to apply, with its decision")
    void isTriedAgain() {
        destination.refused.add(3);
        destination.says(records(8));
        destination.work();
        destination.refused.clear();

        destination.workAnswering(Action.APPLY);

        assertThat(destination.rows).hasSize(8);
        assertThat(destination.decisions)
                .singleElement()
                .satisfies(row -> assertThat(row.action()).isEqualTo(Action.APPLY));
    }

    @Test
    @DisplayName("ends the process when it is refused though a command orders to apply it")
    void cannotBeApplied() {
        destination.refused.add(3);
        destination.says(records(8));

        destination.workAnswering(Action.APPLY);

        assertThat(destination.failures()).singleElement().satisfies(fail -> {
            assertThat(fail.problem().reason()).isEqualTo(Reason.UNFIT_RECORD);
            assertThat(fail.problem().what())
                    .contains("offset 3", "a command orders to apply it, and the destination refuses it all the same");
        });
        assertThat(destination.rows).hasSize(3);
    }

    @Test
    @DisplayName("is not asked about again after a takeover when it was left out")
    void isNotAskedAboutAgain() {
        DecisionRow skip = new DecisionRow(
                "topic", "consumer", 0, 3, Action.SKIP, DecisionRow.DecidedBy.STRATEGY, at(13), "refused");
        PickyDestination successor = new PickyDestination(Stage.RUN, Given.ROOMY, List.of(skip));
        successor.refused.add(3);
        successor.says(records(8));

        successor.work();

        assertThat(successor.questions()).isEmpty();
        assertThat(successor.rows).hasSize(7);
    }

    static IntStream seeds() {
        return IntStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @DisplayName("costs no other row, whatever is refused (by seed)")
    void costsNoOtherRow(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Stage stage = random.nextBoolean() ? Stage.RUN : Stage.INITIAL_SCAN;
        int target = random.nextInt(1, 60);
        PickyDestination picky =
                new PickyDestination(stage, new TransactionBounds(target, 1 << 20, 1_000, 1 << 20), List.of());
        picky.namesTheRow = random.nextBoolean();
        int count = random.nextInt(1, 200);
        for (int key = 0; key < count; key++) {
            if (random.nextInt(10) == 0) {
                picky.refused.add(key);
            }
        }
        StreamRecord[] changes = new StreamRecord[count + 1];
        for (int key = 0; key < count; key++) {
            changes[key] = update(10 + key, key);
        }
        changes[count] = barrier(10 + count);
        picky.says(changes);

        picky.workAnswering(Action.SKIP);

        assertThat(picky.failures()).isEmpty();
        assertThat(picky.rows).hasSize(count - picky.refused.size());
        assertThat(picky.decisions).hasSize(picky.refused.size());
        assertThat(picky.replication.bufferedChanges()).isZero();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @DisplayName("is left out with a decision, or applied with none, whoever takes over when (by seed)")
    void isNeverLost(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TransactionBounds bounds =
                new TransactionBounds(random.nextInt(1, 20), 1 << 20, random.nextInt(3, 30), 1 << 20);
        PickyDestination picky = new PickyDestination(Stage.RUN, bounds, List.of());
        picky.namesTheRow = random.nextBoolean();
        List<StreamRecord> feed = new ArrayList<>();
        Map<Integer, Long> steps = new HashMap<>();
        long step = 10;
        int count = random.nextInt(1, 120);
        for (int key = 0; key < count; key++) {
            step += random.nextInt(3) == 0 ? 0 : 1;
            steps.put(key, step);
            feed.add(update(step, key));
            if (random.nextInt(12) == 0) {
                picky.refused.add(key);
            }
        }
        feed.add(barrier(step + 1));

        picky.says(feed.toArray(StreamRecord[]::new));
        for (int takeovers = random.nextInt(5); takeovers > 0; takeovers--) {
            picky.work(random.nextInt(12));
            for (Command.Ask ask : picky.questions()
                    .subList(0, random.nextInt(picky.questions().size() + 1))) {
                picky.replication.decided(ask.partition(), ask.offset(), Action.SKIP, DecisionRow.DecidedBy.STRATEGY);
            }
            picky.work(random.nextInt(4));
            picky = picky.successor();
            picky.says(feed.toArray(StreamRecord[]::new));
        }
        picky.workAnswering(Action.SKIP);

        assertThat(picky.failures()).isEmpty();
        Set<Long> decidedSteps = new HashSet<>();
        Set<Long> decidedOffsets = new HashSet<>();
        for (DecisionRow row : picky.decisions) {
            boolean whole = row.action() == Action.SKIP_ALL;
            boolean first = whole ? decidedSteps.add(row.position().step()) : decidedOffsets.add(row.offset());
            assertThat(first).as("decided once: %s", row).isTrue();
        }
        for (int key = 0; key < count; key++) {
            boolean leftOut = decidedOffsets.contains((long) key) || decidedSteps.contains(steps.get(key));
            assertThat(picky.rows.containsKey(new Key(key)))
                    .as("row %d at step %d", key, steps.get(key))
                    .isEqualTo(!leftOut);
            assertThat(leftOut || !picky.refused.contains(key)).isTrue();
        }
    }
}
