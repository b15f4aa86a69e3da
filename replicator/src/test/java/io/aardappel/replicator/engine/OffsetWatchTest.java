package io.aardappel.replicator.engine;

import static io.aardappel.replicator.engine.Rig.barrier;
import static io.aardappel.replicator.engine.Rig.change;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRecord.SchemaChange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("A description of a topic")
class OffsetWatchTest {
    private static final String MOVED_BACK = "consumer was moved back";

    private final Rig rig = new Rig();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger("io.aardappel.replicator.engine");

    @BeforeEach
    void listen() {
        lines.start();
        log.setLevel(Level.INFO);
        log.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        log.detachAppender(lines);
        log.setLevel(null);
    }

    private List<ILoggingEvent> told(String message) {
        return lines.list.stream()
                .filter(line -> line.getFormattedMessage().equals(message))
                .toList();
    }

    private static SourceEvent described(long start, long committed) {
        return new SourceEvent.Described(
                0, 1, 1_000, List.of(new PartitionInfo(0, true, List.of(), List.of(), start, 10, committed)));
    }

    private static SourceEvent ofTwo(long committedInFirst, long committedInSecond) {
        return new SourceEvent.Described(
                0,
                1,
                1_000,
                List.of(
                        new PartitionInfo(0, true, List.of(), List.of(), 0, 10, committedInFirst),
                        new PartitionInfo(1, true, List.of(), List.of(), 0, 10, committedInSecond)));
    }

    /** For an interval or until it is described anew, the lock being renewed whenever that is asked for. */
    private void untilDescribedAgain() {
        int before = rig.asked.size();
        int answered = before;
        for (int i = 0; i < 310 && !since(before).contains("describe 0"); i++) {
            rig.pass(Duration.ofMillis(200));
            if (since(answered).contains("renew")) {
                answered = rig.asked.size();
                rig.answer(new TargetEvent.LockHeld("us"));
            }
        }
    }

    private List<String> since(int index) {
        return rig.asked.subList(index, rig.asked.size());
    }

    @Nested
    @DisplayName("while it replicates")
    class WhileItReplicates {
        @BeforeEach
        void replicate() {
            rig.replicating();
            rig.reads(change(110, 1), barrier(120));
            rig.answer(new TargetEvent.Committed(1));
            rig.told(new SourceEvent.OffsetsAcknowledged(Rig.PARTITION, 1, 1));
        }

        @Test
        @DisplayName("is asked for once in each interval")
        void isAskedForPeriodically() {
            untilDescribedAgain();
            rig.told(described(0, 1));
            int before = rig.asked.size();
            untilDescribedAgain();

            assertThat(since(before)).contains("describe 0");
        }

        @Test
        @DisplayName("is not asked for again while it has not come")
        void isNotPiledUp() {
            untilDescribedAgain();
            int before = rig.asked.size();
            untilDescribedAgain();

            assertThat(since(before)).doesNotContain("describe 0");
        }

        @Test
        @DisplayName("finds partitions that were added without parents")
        void findsAddedPartitionsB10() {
            untilDescribedAgain();
            rig.told(new SourceEvent.Described(
                    0,
                    1,
                    1_000,
                    List.of(
                            new PartitionInfo(0, true, List.of(), List.of(), 0, 10, 1),
                            new PartitionInfo(1, true, List.of(), List.of(), 0, 0, 0))));

            assertThat(rig.asked).contains("open 0/1");
        }

        @Test
        @DisplayName("ends it with FATAL_ERROR when the consumer stands above what was read")
        void endsAtOneMovedForward() {
            untilDescribedAgain();
            rig.told(described(0, 9));
            rig.answer(new TargetEvent.LockHeld("us"))
                    .pass(Duration.ofSeconds(1))
                    .answer(new TargetEvent.LockHeld("us"));

            assertThat(rig.fatals).singleElement().satisfies(problem -> {
                assertThat(problem.reason()).isEqualTo(Problem.Reason.OFFSETS_MOVED);
                assertThat(problem.what()).contains("goods/feed", "partition 0", "offset 9", "read up to 2");
            });
        }

        @Test
        @DisplayName("names every partition whose consumer stands above what was read")
        void namesEveryPartitionMovedForward() {
            rig.told(ofTwo(0, 0));
            rig.told(new SourceEvent.SessionStarted(new PartitionId(0, 1), 2, 0, 0, 10));
            untilDescribedAgain();
            rig.told(ofTwo(9, 8));

            assertThat(rig.engine.status().problem())
                    .hasValueSatisfying(problem -> assertThat(problem.what())
                            .contains("partition 0: the consumer stands at offset 9", "its place here is offset 1")
                            .contains("partition 1: the consumer stands at offset 8", "its place here is offset 0"));
        }

        @Test
        @DisplayName("warns once of a consumer below what was acknowledged before it was asked for")
        void warnsOnceOfOneMovedBack() {
            untilDescribedAgain();
            rig.told(described(0, 0));
            untilDescribedAgain();
            rig.told(described(0, 0));

            assertThat(told(MOVED_BACK)).hasSize(1);
            assertThat(rig.engine.exit()).isEmpty();
        }

        @Test
        @DisplayName("may be older than an acknowledgement that came meanwhile")
        void mayBeStale() {
            rig.reads(change(130, 1), barrier(140));
            rig.answer(new TargetEvent.Committed(2));
            untilDescribedAgain();
            rig.told(new SourceEvent.OffsetsAcknowledged(Rig.PARTITION, 1, 3));
            rig.told(described(0, 1));

            assertThat(told(MOVED_BACK)).isEmpty();
        }
    }

    @Nested
    @DisplayName("is asked for when a session begins below what was acknowledged")
    class AfterASessionBelow {
        @BeforeEach
        void begin() {
            rig.replicating();
            rig.reads(change(110, 1), barrier(120));
            rig.answer(new TargetEvent.Committed(1));
            rig.told(new SourceEvent.OffsetsAcknowledged(Rig.PARTITION, 1, 1));
        }

        private void sessionBelow() {
            rig.told(new SourceEvent.SessionEnded(Rig.PARTITION, 1, "the node went away"));
            rig.told(new SourceEvent.SessionStarted(Rig.PARTITION, 2, 0, 0, 0));
        }

        private SourceEvent createdAt(long time) {
            return new SourceEvent.Described(
                    0, time, 1_000, List.of(new PartitionInfo(0, true, List.of(), List.of(), 0, 0, 0)));
        }

        private Problem.Reason problem() {
            rig.pass(Duration.ofMillis(300));
            return rig.engine.status().problem().orElseThrow().reason();
        }

        @Test
        @DisplayName("and until it has come nothing is written")
        void writesNothingMeanwhile() {
            rig.reads(change(130, 1), barrier(140));
            int before = rig.asked.size();
            sessionBelow();
            rig.answer(new TargetEvent.Committed(2));

            assertThat(since(before)).contains("describe 0");
            assertThat(rig.engine.status().problem()).isEmpty();
            assertThat(since(before)).doesNotContain("commit 3", "confirm 0/0 from 2");
        }

        @Test
        @DisplayName("and tells a topic that was created anew")
        void tellsATopicCreatedAnew() {
            sessionBelow();
            rig.told(createdAt(2));

            assertThat(problem()).isEqualTo(Problem.Reason.TOPIC_RECREATED);
        }

        @Test
        @DisplayName("and tells a consumer that was moved")
        void tellsAConsumerThatWasMoved() {
            sessionBelow();
            rig.told(createdAt(1));

            assertThat(problem()).isEqualTo(Problem.Reason.OFFSETS_MOVED);
        }

        @Test
        @DisplayName("once more where one was on its way already")
        void asksOnceMore() {
            untilDescribedAgain();
            int before = rig.asked.size();
            sessionBelow();
            rig.told(createdAt(1));
            assertThat(since(before)).contains("describe 0");
            assertThat(rig.engine.status().problem()).isEmpty();

            rig.told(createdAt(2));
            assertThat(problem()).isEqualTo(Problem.Reason.TOPIC_RECREATED);
        }
    }

    @Nested
    @DisplayName("says where an instance begins")
    class WhereAnInstanceBegins {
        private void begins(Stage stage, long checkpoint, Optional<InstanceRow> ours, long committed) {
            SavedState saved = new SavedState(new Position(checkpoint, 0), "OK", "", stage, ours, List.of(), List.of());
            rig.work()
                    .answer(new TargetEvent.LockHeld("us"))
                    .answer(new TargetEvent.Loaded(saved))
                    .told(described(0, committed));
        }

        private void offersASession(long committed) {
            rig.told(new SourceEvent.SessionStarted(Rig.PARTITION, 1, committed, 0, 10));
        }

        @Test
        @DisplayName("so that nothing is read where the consumer was moved before the first session")
        void readsNothingBeyond() {
            InstanceRow ours = new InstanceRow(Position.ZERO, Position.ZERO, ScanPhase.NONE);
            begins(Stage.INITIAL_SCAN, 0, Optional.of(ours), 0);
            offersASession(7);
            rig.told(described(0, 7)).pass(Duration.ofMillis(300));

            assertThat(rig.asked).noneMatch(asked -> asked.startsWith("confirm"));
            assertThat(rig.engine.status().problem()).hasValueSatisfying(problem -> {
                assertThat(problem.reason()).isEqualTo(Problem.Reason.OFFSETS_MOVED);
                assertThat(problem.what()).contains("stands at offset 7", "never committed beyond 0");
            });
        }

        @Test
        @DisplayName("and of one that another program left, which may have committed late, warns with both offsets")
        void warnsOfALateCommit() {
            begins(Stage.RUN, 100, Optional.empty(), 5);
            offersASession(7);

            assertThat(rig.asked).contains("confirm 0/0 from 7");
            assertThat(told("the consumer was moved on after this process had the lock"))
                    .singleElement()
                    .satisfies(line -> assertThat(line.getKeyValuePairs())
                            .extracting(pair -> pair.key + "=" + pair.value)
                            .contains("stream=goods/feed", "partition=0", "found=5", "committed=7"));
        }
    }

    @Test
    @DisplayName("names every partition whose consumer was moved before the term began")
    void namesEveryPartitionMovedBefore() {
        rig.work()
                .answer(new TargetEvent.LockHeld("us"))
                .answer(new TargetEvent.Loaded(Rig.saved("OK", List.of(Rig.row(Rig.STREAM)))))
                .told(ofTwo(9, 8));

        assertThat(rig.engine.status().problem())
                .hasValueSatisfying(problem -> assertThat(problem.what())
                        .contains("partition 0", "stands at offset 9")
                        .contains("partition 1", "stands at offset 8"));
    }

    @Test
    @DisplayName(
            "is not needed for the source's word of columns that the destination lacks: that is told once, with what adds them")
    void tellsWhatTheDestinationLacks() {
        SchemaChange change = new SchemaChange(new Position(110, 0), 4, Map.of("c", "Uint64"));
        rig.replicating().reads(change, change);

        assertThat(told("the destination table lacks columns that the source table has; records that carry them wait"))
                .singleElement()
                .satisfies(line -> assertThat(line.getKeyValuePairs())
                        .extracting(pair -> pair.key + "=" + pair.value)
                        .contains(
                                "stream=goods/feed",
                                "table=/dst/goods",
                                "lacks={c=Uint64}",
                                "remedy=ALTER TABLE `/dst/goods` ADD COLUMN `c` Uint64 -- and the DEFAULT of each column that has"
                                        + " one at the source"));
    }

    @Test
    @DisplayName("is not needed for the source's word that its schema changed: that is told with its version")
    void tellsSchemaChanges() {
        rig.replicating().reads(new SchemaChange(new Position(110, 0), 4, Map.of()));

        assertThat(told("the source table's schema changed"))
                .singleElement()
                .satisfies(line -> assertThat(line.getKeyValuePairs())
                        .extracting(pair -> pair.key + "=" + pair.value)
                        .contains("stream=goods/feed", "partition=0", "version=4"));
    }
}
