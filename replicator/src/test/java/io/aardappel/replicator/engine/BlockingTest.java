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
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.engine.EngineStatus.Blocking;
import io.aardappel.replicator.engine.EngineStatus.Blocking.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

@DisplayName("What progress waits for")
class BlockingTest {
    private static final PartitionId OTHER = new PartitionId(0, 1);

    private Rig rig = new Rig();
    private boolean destinationRefuses;

    private Blocking blocking() {
        rig.pass(Duration.ofMillis(300));
        return rig.engine.status().blocking().orElseThrow();
    }

    private static PartitionInfo info(long id, boolean active, List<Long> parents, long end, long committed) {
        List<Long> children = active ? List.of() : List.of(1L);
        return new PartitionInfo(id, active, parents, children, 0, end, committed);
    }

    private static SourceEvent twoPartitions() {
        return new SourceEvent.Described(
                0, 1, 1_000, List.of(info(0, true, List.of(), 10, 0), info(1, true, List.of(), 10, 0)));
    }

    private void scan() {
        SavedState fresh =
                new SavedState(Position.ZERO, "OK", "", Stage.INITIAL_SCAN, Optional.empty(), List.of(), List.of());
        rig.work().answer(new TargetEvent.LockHeld("us")).answer(new TargetEvent.Loaded(fresh));
        rig.told(twoPartitions());
        rig.told(new SourceEvent.SessionStarted(Rig.PARTITION, 1, 0, 0, 10));
    }

    /** The one partition is split, and its child waits for it to be committed to its end. */
    private void split() {
        rig.replicating().reads(barrier(120), change(130, 1));
        rig.answer(new TargetEvent.Committed(1));
        rig.told(new SourceEvent.Described(
                0, 1, 1_000, List.of(info(0, false, List.of(), 2, 1), info(1, true, List.of(0L), 0, 0))));
        rig.told(new SourceEvent.PartitionEnded(Rig.PARTITION, 1, List.of(1L)));
    }

    /** Begins what the reason is about. A reason without a case here does not compile. */
    private Runnable cause(Reason reason) {
        return switch (reason) {
            case INITIAL_SCAN ->
                () -> {
                    scan();
                    rig.answer(new TargetEvent.Committed(1)); // the rows of the instance and its streams
                };
            case NO_BARRIER -> () -> rig.replicating();
            case BARRIER_STALE -> () -> rig.replicating().reads(barrier(120)).answer(new TargetEvent.Committed(1));
            case NO_SESSION -> () -> rig.replicating().told(new SourceEvent.SessionEnded(Rig.PARTITION, 1, "it broke"));
            case PARENT -> this::split;
            case MEMORY -> this::fillMemory;
            case DESTINATION ->
                () -> {
                    destinationRefuses = true;
                    rig.replicating().reads(barrier(120)).answer(refusal(1));
                };
            case SOURCE ->
                () -> rig.replicating()
                        .told(new SourceEvent.SourceFailed(0, "describing goods/feed: UNAVAILABLE", "", false));
            case SCHEMA -> () -> rig.replicating().told(new SourceEvent.SchemaAwaited(Rig.PARTITION, "column c"));
            case DECISION -> this::askAboutALateRecord;
            case LOCK -> () -> rig.work().answer(new TargetEvent.LockBusy("lock_other"));
        };
    }

    @Test
    @DisplayName("is told where it is not known yet whether the topic forgot the end of a partition")
    void namesWhatIsBeingFoundOut() {
        rig.replicating().reads(barrier(120)).answer(new TargetEvent.Committed(1));
        rig.told(new SourceEvent.PartitionEnded(Rig.PARTITION, 1, List.of(1L)));

        Blocking told = blocking();

        assertThat(told.reason()).isEqualTo(Reason.SOURCE);
        assertThat(told.partition()).isZero();
        assertThat(told.text()).contains("forgot");
    }

    /** More lies before the barrier than memory holds; what was passed over is to be read again, and is not given to us. */
    private void fillMemory() {
        rig = Rig.withMemory(1_000);
        rig.replicating();
        for (int key = 0; key < 20; key++) {
            rig.reads(change(110 + key, key));
        }
        rig.reads(barrier(140));
        rig.answer(new TargetEvent.Committed(1));
        assertThat(rig.asked).contains("reopen 0/0");
    }

    @Nested
    @DisplayName("while other partitions fill the memory")
    class FullOfOthers {
        @BeforeEach
        void fill() {
            rig = Rig.withMemory(1_000);
            rig.replicating().told(twoPartitions());
        }

        private void otherReads(long from, StreamRecord... records) {
            long[] offsets = LongStream.range(from, from + records.length).toArray();
            rig.told(new SourceEvent.Records(OTHER, 2, offsets, List.of(records), from + records.length, 10));
        }

        @Test
        @DisplayName("is the session of a partition that nobody gives us")
        void isTheSession() {
            rig.reads(barrier(120));
            for (int key = 0; key < 7; key++) {
                rig.reads(change(130, key));
            }
            pass(Rig.INTERVAL);

            assertThat(blocking().reason()).isEqualTo(Reason.NO_SESSION);
            assertThat(blocking().partition()).isEqualTo(1);
            assertThat(rig.engine.status().bufferedBytes()).isGreaterThan(750);
        }

        @Test
        @DisplayName("is the memory when the partition is parked, though less is taken than parks another")
        void isTheMemory() {
            rig.told(new SourceEvent.SessionStarted(OTHER, 2, 0, 0, 10));
            otherReads(0, change(110, 1), change(110, 2), change(110, 3), barrier(115), change(130, 4), change(130, 5));
            rig.reads(barrier(116), change(118, 6), change(118, 7));
            assertThat(rig.asked).contains("park 0/0", "park 0/1");
            rig.answer(new TargetEvent.Committed(1));
            otherReads(6, change(115, 8), barrier(135));
            rig.pass(Duration.ofMillis(300)).pass(Rig.INTERVAL);

            assertThat(blocking().partition()).isZero();
            assertThat(blocking().reason()).isEqualTo(Reason.MEMORY);
            assertThat(rig.engine.status().bufferedBytes()).isBetween(500L, 750L);
        }
    }

    private void askAboutALateRecord() {
        rig = Rig.undecided();
        rig.replicating().reads(barrier(120)).answer(new TargetEvent.Committed(1));
        rig.reads(change(110, 1));
    }

    /** Time passes, in which the target answers what it is asked. */
    private void pass(Duration time) {
        int answered = rig.asked.size();
        for (long left = time.toMillis(); left > 0; left -= 250) {
            rig.pass(Duration.ofMillis(250));
            for (; answered < rig.asked.size(); answered++) {
                answer(rig.asked.get(answered));
            }
        }
    }

    private static TargetEvent refusal(long batch) {
        return new TargetEvent.Retryable(batch, "OVERLOADED", "too much work", false);
    }

    private void answer(String asked) {
        if (asked.equals("renew")) {
            rig.answer(new TargetEvent.LockHeld("us"));
        } else if (asked.equals("acquire")) {
            rig.answer(new TargetEvent.LockBusy("lock_other"));
        } else if (asked.startsWith("commit ") && !asked.startsWith("commit offsets")) {
            long batch = Long.parseLong(asked.substring("commit ".length()));
            rig.answer(destinationRefuses ? refusal(batch) : new TargetEvent.Committed(batch));
        }
    }

    private static List<ILoggingEvent> lines(Runnable acts) {
        return lines(StatusBoard.class, acts);
    }

    private static List<ILoggingEvent> lines(Class<?> of, Runnable acts) {
        Logger log = (Logger) LoggerFactory.getLogger(of);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.setLevel(Level.INFO);
        log.addAppender(lines);
        acts.run();
        log.detachAppender(lines);
        log.setLevel(null);
        return List.copyOf(lines.list);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "is told within three intervals, whatever it is, and in the log unless a standby does what it is there for")
    void isToldWhateverItIs(Reason reason) {
        List<ILoggingEvent> lines = lines(() -> {
            cause(reason).run();
            pass(Rig.INTERVAL.multipliedBy(3).plusMillis(500));
        });

        assertThat(rig.engine.status().blocking().orElseThrow().reason()).isEqualTo(reason);
        assertThat(lines.stream()
                        .filter(line -> line.getMessage().equals("no progress"))
                        .map(line -> line.getKeyValuePairs().get(0))
                        .toList())
                .isEqualTo(reason == Reason.LOCK ? List.of() : List.of(new KeyValuePair("reason", reason.word())));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DESTINATION", "LOCK"})
    @DisplayName("names the stream, where it is about one")
    void namesTheStream(Reason reason) {
        cause(reason).run();
        pass(Rig.INTERVAL.plusMillis(500));

        assertThat(rig.engine.status().blocking().orElseThrow().stream()).isEqualTo(Rig.STREAM.topic());
    }

    @Test
    @DisplayName("names the record that waits for a decision")
    void namesTheRecord() {
        askAboutALateRecord();

        assertThat(blocking().partition()).isZero();
        assertThat(blocking().text())
                .startsWith("a record waits for a decision: stream goods/feed")
                .contains("partition 0, offset 1");
    }

    @Nested
    @DisplayName("in an initial scan of two partitions")
    class InAScan {
        @Test
        void isThePartsThatHaveNotSpokenYet() {
            scan();

            assertThat(blocking().reason()).isEqualTo(Reason.INITIAL_SCAN);
            assertThat(blocking().text()).startsWith("InitialScan goods/feed 0/2 parts: partition 0 ");
        }

        @Test
        void countsAPartitionOnceItHasSpoken() {
            scan();
            rig.reads(barrier(120));

            assertThat(blocking().text())
                    .startsWith("InitialScan goods/feed 1/2 parts: partition 1 waits for a read session");
        }

        @Test
        void isTheMaximumOfTheScanOnceAllHaveSpoken() {
            scan();
            rig.told(new SourceEvent.SessionStarted(OTHER, 2, 0, 0, 10));
            rig.reads(barrier(120));
            rig.told(new SourceEvent.Records(OTHER, 2, new long[] {0}, List.of(barrier(130)), 1, 10));

            assertThat(blocking().text())
                    .startsWith("InitialScan goods/feed 2/2 parts")
                    .contains("ends with the first checkpoint above [6000,");
        }
    }

    @Test
    @DisplayName("is still told when the clock was set back")
    void isToldThoughTheClockWasSetBack() {
        rig.replicating().reads(barrier(120)).answer(new TargetEvent.Committed(1));
        rig.pass(Duration.ofMillis(300));
        rig.setClock(Duration.ofHours(-1)).pass(Duration.ofMillis(300));

        assertThat(blocking().reason()).isEqualTo(Reason.BARRIER_STALE);
    }

    @Nested
    @DisplayName("while the source refuses to let one of two partitions be read")
    class OnePartitionRefused {
        @BeforeEach
        void refuse() {
            rig.replicating().told(twoPartitions());
            rig.told(new SourceEvent.SessionStarted(OTHER, 2, 0, 0, 10));
            rig.told(new SourceEvent.SessionEnded(Rig.PARTITION, 1, "OVERLOADED"));
            rig.told(new SourceEvent.SourceFailed(0, "reading goods/feed: OVERLOADED", "wait", false));
        }

        private void otherReads(long offset) {
            rig.told(new SourceEvent.Records(
                    OTHER, 2, new long[] {offset}, List.of(barrier(120 + offset)), offset + 1, 10));
        }

        @Test
        void isTheSourceThoughTheOtherIsRead() {
            otherReads(0);
            rig.told(twoPartitions());

            assertThat(blocking().reason()).isEqualTo(Reason.SOURCE);
        }

        @Test
        @DisplayName("is told once in the log, and once that it is over")
        void isToldOnce() {
            List<ILoggingEvent> lines = lines(Term.class, () -> {
                rig.told(new SourceEvent.SourceFailed(0, "reading goods/feed: UNAVAILABLE", "wait", false));
                rig.told(new SourceEvent.SourceFailed(0, "reading goods/feed: UNAVAILABLE", "wait", false));
                otherReads(0);
                rig.told(new SourceEvent.SessionStarted(Rig.PARTITION, 3, 0, 0, 10));
                otherReads(1);
                rig.told(twoPartitions());
            });

            assertThat(lines)
                    .extracting(line -> line.getLevel() + " " + line.getMessage())
                    .containsExactly("WARN source does not answer", "WARN source answers again");
        }

        @Test
        void isThatNoMoreOnceBothAreRead() {
            rig.told(new SourceEvent.SessionStarted(Rig.PARTITION, 3, 0, 0, 10));
            otherReads(0);

            assertThat(blocking().reason()).isEqualTo(Reason.NO_BARRIER);
        }
    }

    @Nested
    @DisplayName("while the destination is away")
    class DestinationAway {
        /** Those at the level that is the default. */
        private List<String> warnings(Runnable acts) {
            return lines(Engine.class, acts).stream()
                    .filter(line -> line.getLevel() == Level.WARN)
                    .map(ILoggingEvent::getMessage)
                    .toList();
        }

        @Test
        @DisplayName("tells of the end of each trouble at the level of its beginning: the lock cannot be asked for")
        void tellsThatTheLockCanBeAskedForAgain() {
            rig.replicating().pass(Rig.TTL.dividedBy(5));

            assertThat(warnings(() -> {
                        rig.answer(new TargetEvent.LockUnknown("connection refused"));
                        rig.pass(Rig.TTL.dividedBy(10)).answer(new TargetEvent.LockUnknown("connection refused"));
                        rig.pass(Rig.TTL.dividedBy(10)).answer(new TargetEvent.LockHeld("us"));
                        rig.pass(Rig.TTL.dividedBy(5)).answer(new TargetEvent.LockHeld("us"));
                    }))
                    .containsExactly("the lock could not be asked for", "the lock can be asked for again");
        }

        @Test
        @DisplayName("and: the lock is lost, and held again")
        void tellsThatTheLockIsHeldAgain() {
            rig.replicating().pass(Rig.TTL.dividedBy(5));

            assertThat(warnings(() -> {
                        rig.answer(new TargetEvent.LockBusy("lock_other"));
                        rig.pass(Rig.TTL).answer(new TargetEvent.LockHeld("us"));
                    }))
                    .containsExactly("lock lost", "lock acquired");
        }

        @Test
        @DisplayName("and: the lock is lost, and another is seen to have it")
        void tellsThatAnotherHasTheLock() {
            rig.replicating();

            assertThat(warnings(() -> {
                        rig.pass(Rig.TTL.multipliedBy(2));
                        rig.answer(new TargetEvent.LockUnknown("connection refused"))
                                .answer(new TargetEvent.LockReleased())
                                .pass(Rig.TTL)
                                .answer(new TargetEvent.LockBusy("lock_other"));
                    }))
                    .contains("lock lost")
                    .endsWith("the lock can be asked for again", "waiting for the lock");
        }

        @Test
        @DisplayName("and: a transaction is refused, and taken")
        void tellsThatTransactionsAreTakenAgain() {
            rig.replicating();

            assertThat(warnings(() -> {
                        rig.reads(change(110, 1), barrier(120));
                        rig.answer(new TargetEvent.Retryable(1, "OVERLOADED", "busy", false));
                        rig.pass(Duration.ofMillis(50));
                        rig.answer(new TargetEvent.Committed(2));
                    }))
                    .containsExactly("destination refused, will be tried again", "the destination refuses no more");
        }

        @Test
        void keepsTheCheckpointThatWasKnownLastAndSinceWhenItIsNot() {
            rig.replicating().pass(Rig.TTL.dividedBy(5));
            assertThat(rig.engine.status().lastKnown()).isEmpty();
            long knownAt = rig.engine.status().at();
            rig.answer(new TargetEvent.LockBusy("lock_other")).pass(Rig.TTL);

            assertThat(rig.engine.status().checkpoint()).isEmpty();
            assertThat(rig.engine.status().lastKnown()).hasValueSatisfying(known -> {
                assertThat(known.checkpoint()).isEqualTo(new Position(100, 0));
                assertThat(known.at()).isEqualTo(knownAt);
            });
        }

        @Test
        void isTheDestinationAndNotTheLockOfAProcessThatLostIt() {
            rig.replicating().pass(Rig.TTL.dividedBy(5)).answer(new TargetEvent.LockUnknown("connection refused"));
            rig.pass(Rig.TTL)
                    .answer(new TargetEvent.LockReleased())
                    .pass(Rig.TTL)
                    .answer(new TargetEvent.LockUnknown("connection refused"));

            assertThat(blocking().reason()).isEqualTo(Reason.DESTINATION);
            assertThat(blocking().text()).contains("the lock cannot be asked for", "connection refused");
        }

        @Test
        void isTheLockAgainOnceAnotherIsSeenToHoldIt() {
            rig.work()
                    .answer(new TargetEvent.LockUnknown("connection refused"))
                    .pass(Rig.TTL)
                    .answer(new TargetEvent.LockBusy("lock_other"));

            assertThat(blocking().reason()).isEqualTo(Reason.LOCK);
        }
    }

    @Nested
    @DisplayName("while a partition waits for a column of its destination table")
    class ColumnMissing {
        @Test
        void isThatAtOnceWithTheColumn() {
            rig.replicating()
                    .told(new SourceEvent.SchemaAwaited(Rig.PARTITION, "the record at offset 6 carries column c"));

            assertThat(blocking().reason()).isEqualTo(Reason.SCHEMA);
            assertThat(blocking().stream()).isEqualTo("goods/feed");
            assertThat(blocking().partition()).isZero();
            assertThat(blocking().text()).contains("offset 6 carries column c");
        }

        @Test
        void isOverWhenTheRecordComes() {
            rig.replicating().told(new SourceEvent.SchemaAwaited(Rig.PARTITION, "column c"));
            rig.reads(barrier(120)).answer(new TargetEvent.Committed(1)).pass(Duration.ofMillis(300));

            assertThat(rig.engine.status().blocking()).isEmpty();
        }

        @Test
        void countsFromTheFirstWordOfIt() {
            rig.replicating().told(new SourceEvent.SchemaAwaited(Rig.PARTITION, "column c"));
            long since = blocking().since();
            rig.pass(Duration.ofMillis(200)).told(new SourceEvent.SchemaAwaited(Rig.PARTITION, "column c"));

            assertThat(blocking().since()).isEqualTo(since);
        }
    }

    @Nested
    @DisplayName("when the partition that holds progress has no session")
    class WithoutSession {
        @Test
        void isToldWithTheEndOfTheLastOne() {
            rig.replicating().told(new SourceEvent.SessionEnded(Rig.PARTITION, 1, "the node went away"));
            rig.pass(Rig.INTERVAL).answer(new TargetEvent.LockHeld("us")).pass(Rig.INTERVAL);

            assertThat(blocking().reason()).isEqualTo(Reason.NO_SESSION);
            assertThat(blocking().text()).contains("the last one ended: the node went away");
        }

        @Test
        void isCalledInTheLogAsOnItsPage() {
            List<ILoggingEvent> lines = lines(() -> {
                rig.replicating().told(new SourceEvent.SessionEnded(Rig.PARTITION, 1, "the node went away"));
                passTwelveHalfIntervals();
            });

            assertThat(lines).anySatisfy(line -> {
                assertThat(line.getMessage()).isEqualTo("no progress");
                assertThat(line.getKeyValuePairs()).contains(new KeyValuePair("reason", "no_session"));
            });
        }

        @Test
        void isToldInTheLogToBeOver() {
            List<ILoggingEvent> lines = lines(() -> {
                rig.replicating();
                passTwelveHalfIntervals();
                rig.reads(change(110, 1), barrier(120));
                rig.answer(new TargetEvent.Committed(1));
                rig.pass(Rig.INTERVAL).answer(new TargetEvent.LockHeld("us"));
            });

            assertThat(lines)
                    .extracting(line -> line.getLevel() + " " + line.getMessage())
                    .containsExactly("WARN no progress", "WARN progress is made again");
        }

        private void passTwelveHalfIntervals() {
            for (int i = 0; i < 12; i++) {
                rig.pass(Rig.INTERVAL.dividedBy(2)).answer(new TargetEvent.LockHeld("us"));
            }
        }

        @Test
        void isItsParentWhenThatIsNotCommittedToItsEnd() {
            split();
            for (int i = 0; i < 4; i++) {
                rig.pass(Duration.ofMillis(400)).answer(new TargetEvent.LockHeld("us"));
            }

            assertThat(blocking().reason()).isEqualTo(Reason.PARENT);
            assertThat(blocking().partition()).isEqualTo(1);
            assertThat(blocking().text()).contains("parent, partition 0", "committed to its end");
        }
    }
}
