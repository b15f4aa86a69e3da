package io.aardappel.replicator.engine;

import static io.aardappel.replicator.engine.Rig.barrier;
import static io.aardappel.replicator.engine.Rig.change;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.EngineStatus.Blocking;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import io.aardappel.replicator.engine.TargetEvent.Blame;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The engine")
class EngineTest {
    private Rig rig = new Rig();

    @Nested
    @DisplayName("while another holds the lock")
    class WhileAnotherHoldsTheLock {
        @BeforeEach
        void busy() {
            rig.work().answer(new TargetEvent.LockBusy("lock_other"));
        }

        @Test
        @DisplayName("asks for it again after a tenth to two tenths of its time to live, and does nothing else")
        void asksAgain() {
            rig.pass(Rig.TTL.dividedBy(10).minusMillis(1));
            assertThat(rig.asked).containsExactly("start target", "acquire");

            rig.pass(Rig.TTL.dividedBy(10).plusMillis(1));
            assertThat(rig.asked).containsExactly("start target", "acquire", "acquire");
        }

        @Test
        @DisplayName("says so, with the owner's name")
        void saysSo() {
            rig.pass(Duration.ofSeconds(1));

            assertThat(rig.engine.status().mode()).isEqualTo(Mode.STANDBY);
            assertThat(rig.engine.status().blocking()).hasValueSatisfying(blocking -> {
                assertThat(blocking.reason()).isEqualTo(Blocking.Reason.LOCK);
                assertThat(blocking.text()).contains("lock_other");
            });
        }

        @Test
        @DisplayName("ends at once when it is asked to stop")
        void endsWhenAsked() {
            rig.engine.requestStop();
            rig.work();

            assertThat(rig.engine.exit()).contains(Exit.STOPPED);
        }

        @Test
        @DisplayName("gives up after its patience when it is to be the only instance")
        void givesUpAsASingleInstance() {
            rig = new Rig(false);
            rig.work().answer(new TargetEvent.LockBusy("lock_other"));
            rig.pass(Duration.ofSeconds(56));

            assertThat(rig.engine.exit().flatMap(Exit::problem)).hasValueSatisfying(problem -> {
                assertThat(problem.reason()).isEqualTo(Reason.LOCK_NOT_ACQUIRED);
                assertThat(problem.what()).contains("lock_other");
            });
        }

        @Test
        @DisplayName("ends when the row that held the lock is gone, and writes nothing")
        void endsWhenTheRowIsGone() {
            Problem gone = new Problem(Reason.STATE_LOST, "the row is gone", "put it back");
            rig.work().answer(new TargetEvent.LockBusy("lock_other"));
            rig.pass(Rig.TTL).answer(new TargetEvent.LockFatal(gone));

            assertThat(rig.engine.exit()).contains(new Exit(Optional.of(gone), false));
            assertThat(rig.fatals).isEmpty();
        }

        @Test
        @DisplayName("keeps a lock that it is given when its patience is just over")
        void keepsALockThatComesAtTheLastMomentB39() {
            rig = new Rig(false);
            rig.work().answer(new TargetEvent.LockBusy("lock_other"));
            rig.pass(Duration.ofMillis(54_900)).pass(Duration.ofMillis(200)).answer(new TargetEvent.LockHeld("us"));

            assertThat(rig.engine.exit()).isEmpty();
            assertThat(rig.lastAsked()).isEqualTo("load");
        }
    }

    @Nested
    @DisplayName("when it gets the lock")
    class WhenItGetsTheLock {
        @BeforeEach
        void held() {
            rig.work().answer(new TargetEvent.LockHeld("us"));
        }

        @Test
        @DisplayName("reads the state before it reads any topic")
        void readsTheStateFirst() {
            assertThat(rig.lastAsked()).isEqualTo("load");

            rig.answer(new TargetEvent.Loaded(Rig.saved("OK", List.of(Rig.row(Rig.STREAM)))));
            assertThat(rig.asked).endsWith("start source", "describe 0");
        }

        @Test
        @DisplayName("opens the live partitions once the topics are described")
        void opensPartitions() {
            rig.answer(new TargetEvent.Loaded(Rig.saved("OK", List.of(Rig.row(Rig.STREAM)))))
                    .told(Rig.described());

            assertThat(rig.lastAsked()).isEqualTo("open 0/0");
        }

        @Test
        @DisplayName("ends without touching anything when the state row says FATAL_ERROR")
        void endsOnFatalError() {
            rig.answer(new TargetEvent.Loaded(Rig.saved("FATAL_ERROR", List.of())));
            assertThat(rig.lastAsked()).isEqualTo("release");

            rig.answer(new TargetEvent.LockReleased());
            assertThat(rig.engine.exit().flatMap(Exit::problem))
                    .hasValueSatisfying(problem -> assertThat(problem.text())
                            .startsWith("STATE_INVALID")
                            .contains("goods-copy", "why it ended"));
            assertThat(rig.fatals).isEmpty();
        }

        @Test
        @DisplayName("ends without applying anything when a recorded stream is not configured")
        void endsOnAnOldConfiguration() {
            StreamSpec other = new StreamSpec("orders/feed", "c", "/dst/orders");
            rig.answer(new TargetEvent.Loaded(Rig.saved("OK", List.of(Rig.row(Rig.STREAM), Rig.row(other)))))
                    .told(Rig.described())
                    .answer(new TargetEvent.LockReleased());

            assertThat(rig.engine.exit().flatMap(Exit::problem))
                    .hasValueSatisfying(problem -> assertThat(problem.text()).contains("orders/feed"));
            assertThat(rig.fatals).isEmpty();
            assertThat(rig.batches).isEmpty();
        }

        @Test
        @DisplayName("releases it and ends when it is asked to stop in an initial scan that has nothing to do")
        void endsInAScanWithoutWorkB12() {
            SavedState fresh =
                    new SavedState(Position.ZERO, "OK", "", Stage.INITIAL_SCAN, Optional.empty(), List.of(), List.of());
            rig.answer(new TargetEvent.Loaded(fresh)).told(Rig.described());
            rig.answer(new TargetEvent.Committed(1)); // the row of the new member
            rig.engine.requestStop();
            rig.work();
            assertThat(rig.asked).endsWith("stop source", "release");

            rig.answer(new TargetEvent.LockReleased());
            assertThat(rig.engine.exit()).contains(Exit.STOPPED);
        }

        @Test
        @DisplayName("asks for the state again when it could not be read")
        void loadsAgain() {
            rig.answer(new TargetEvent.LoadRetryable("unavailable")).pass(Duration.ofMillis(50));

            assertThat(rig.asked).filteredOn("load"::equals).hasSize(2);
        }
    }

    @Nested
    @DisplayName("while it replicates")
    class WhileItReplicates {
        @BeforeEach
        void replicate() {
            rig.replicating();
        }

        @Test
        @DisplayName("gives back the credit of what it took")
        void givesBackCredit() {
            rig.reads(change(110, 1));

            assertThat(rig.lastAsked()).isEqualTo("taken 100");
        }

        @Test
        @DisplayName("commits offsets only after they were noted in our rows, which is no progress")
        void commitsOffsetsAfterwards() {
            Duration interval = Duration.ofMillis(300);
            Rig noting = new Rig(true, interval).replicating();
            noting.reads(change(110, 1), barrier(120));
            noting.answer(new TargetEvent.Committed(1));
            long progress = noting.engine.status().lastProgressAt();
            assertThat(noting.lastAsked()).isEqualTo("commit 1");

            noting.pass(interval);
            assertThat(noting.lastAsked()).isEqualTo("commit 2");
            assertThat(noting.batches.get(1).streams()).hasSize(1);

            noting.answer(new TargetEvent.Committed(2));
            assertThat(noting.lastAsked()).isEqualTo("commit offsets [0,1)");
            noting.pass(Duration.ofMillis(300));
            assertThat(noting.engine.status().lastProgressAt()).isEqualTo(progress);
        }

        @Test
        @DisplayName("has one request under way at most")
        void hasOneRequestUnderWay() {
            rig.reads(change(110, 1), barrier(120)).reads(change(121, 2), barrier(130));
            rig.pass(Duration.ofMillis(900));

            assertThat(rig.batches).hasSize(1);
            assertThat(rig.asked).doesNotContain("renew");
        }

        @Test
        @DisplayName(
                "reads anew behind the transaction under way, under the same lock, when what it reads by has changed")
        void readsAnew() {
            rig.reads(change(110, 1), barrier(120), change(130, 2));
            rig.answer(new TargetEvent.Committed(1)); // what offsets are noted with, or the changes
            rig.reads(barrier(140));
            assertThat(rig.lastAsked()).startsWith("commit ");

            rig.answer(new TargetEvent.ReadAnew("the table of blocked keys has changed"));
            assertThat(rig.lastAsked()).startsWith("commit ");
            rig.answer(new TargetEvent.Committed(
                    rig.batches.get(rig.batches.size() - 1).number()));

            assertThat(rig.asked).endsWith("stop source", "load");
            rig.answer(new TargetEvent.Loaded(Rig.saved("OK", List.of(Rig.row(Rig.STREAM)))));
            assertThat(rig.asked).contains("start source").doesNotContain("release");
            assertThat(rig.engine.status().lock().held()).isTrue();
        }

        @Test
        @DisplayName("reads anew what was read for a column that its table has not any more, under the same lock")
        void readsAnewWhatIsOutdated() {
            rig.reads(change(110, 1), barrier(120));
            assertThat(rig.lastAsked()).isEqualTo("commit 1");

            rig.answer(new TargetEvent.Outdated(1, "column w is no longer in table /dst/goods"));

            assertThat(rig.asked).endsWith("stop source", "load").doesNotContain("release");
            rig.answer(new TargetEvent.Loaded(Rig.saved("OK", List.of(Rig.row(Rig.STREAM)))));
            assertThat(rig.asked.stream().filter("start source"::equals)).hasSize(2);
            assertThat(rig.fatals).isEmpty();
        }

        @Test
        @DisplayName("reads anew once, however often it was told before it could")
        void readsAnewOnce() {
            rig.answer(new TargetEvent.ReadAnew("one")).answer(new TargetEvent.ReadAnew("two"));
            rig.answer(new TargetEvent.Loaded(Rig.saved("OK", List.of(Rig.row(Rig.STREAM)))));
            rig.told(Rig.described());

            assertThat(rig.asked.stream().filter("load"::equals)).hasSize(2);
        }

        @Test
        @DisplayName("renews the lock well before its horizon")
        void renews() {
            rig.pass(Rig.TTL.dividedBy(5));

            assertThat(rig.lastAsked()).isEqualTo("renew");
        }

        @Test
        @DisplayName("tries a refused batch again after a pause, and says what it waits for")
        void triesAgain() {
            rig.reads(change(110, 1), barrier(120))
                    .answer(new TargetEvent.Retryable(1, "OVERLOADED", "too many requests", false));
            assertThat(rig.batches).hasSize(1);

            rig.pass(Duration.ofMillis(50));
            assertThat(rig.batches).hasSize(2);
            rig.pass(Duration.ofMillis(250));
            assertThat(rig.engine.status().blocking())
                    .hasValueSatisfying(
                            blocking -> assertThat(blocking.text()).contains("OVERLOADED", "too many requests"));
            assertThat(rig.engine.status().totals().retries()).containsEntry("OVERLOADED", 1L);
        }

        @Test
        @DisplayName("waits for its inbox when it may try a refused batch again and there is none to try")
        void doesNotSpin() {
            rig.reads(change(110, 1), barrier(120))
                    .answer(new TargetEvent.Retryable(1, "OVERLOADED", "too many requests", false));
            // offsets were passed over: until it is known whether records are lost nothing is applied
            rig.told(new SourceEvent.Records(Rig.PARTITION, 1, new long[] {9}, List.of(change(130, 1)), 10, 100));

            rig.pass(Duration.ofMillis(50));

            assertThat(rig.batches).hasSize(1);
            assertThat(rig.engine.idleNanos()).isGreaterThan(1_000_000);
        }

        @Test
        @DisplayName("renews the lock between two attempts at a batch that is refused")
        void renewsBetweenAttemptsB23() {
            rig.reads(change(110, 1), barrier(120));
            for (int turn = 0; turn < 50; turn++) {
                rig.pass(Duration.ofMillis(100));
                rig.answer(
                        rig.lastAsked().equals("renew")
                                ? new TargetEvent.LockHeld("us")
                                : new TargetEvent.Retryable(1, "OVERLOADED", "busy", false));
            }

            assertThat(rig.engine.status().lock().held()).isTrue();
            assertThat(rig.asked).contains("renew").doesNotContain("release");
            assertThat(rig.batches).hasSizeGreaterThan(2);
        }

        @Test
        @DisplayName("fails when the destination refuses for longer than the named time")
        void failsAfterTheNamedTime() {
            rig.reads(change(110, 1), barrier(120));
            for (int turn = 0; turn < 400 && rig.fatals.isEmpty(); turn++) {
                if (rig.lastAsked().equals("renew")) {
                    rig.answer(new TargetEvent.LockHeld("us"));
                } else if (rig.lastAsked().startsWith("commit")) {
                    rig.answer(new TargetEvent.Retryable(1, "OVERLOADED", "busy", false));
                }
                rig.pass(Duration.ofMillis(100));
            }

            assertThat(rig.fatals).singleElement().extracting(Problem::reason).isEqualTo(Reason.DESTINATION_FAILED);
        }

        @Test
        @DisplayName("ends and writes no FATAL_ERROR where another instance has a stream that it would begin")
        void endsWhereAnotherInstanceHasTheStream() {
            rig.reads(change(110, 7), barrier(120));
            Problem theirs = new Problem(Reason.SHARED_CONSUMER, "instance two has it", "Name another consumer");
            rig.answer(new TargetEvent.Refused(1, theirs, Optional.empty(), Blame.NO_ROW))
                    .answer(new TargetEvent.LockReleased());

            assertThat(rig.fatals).isEmpty();
            assertThat(rig.asked).contains("release");
            assertThat(rig.engine.exit().orElseThrow().problem()).contains(theirs);
        }

        private void refuses(Blame blame) {
            rig.reads(change(110, 7), barrier(120));
            RowWrite row =
                    new RowWrite(new Key(7), Operation.UPDATE, Columns.NONE, Rig.PARTITION, new Position(110, 1));
            Problem gone = new Problem(Reason.UNFIT_RECORD, "column w is no longer in table /dst/goods", "Put it back");
            rig.answer(new TargetEvent.Refused(1, gone, Optional.of(row), blame))
                    .answer(new TargetEvent.LockHeld("us"));
        }

        @Test
        @DisplayName("names stream, key and position of a row that the destination refuses")
        void namesTheRefusedRow() {
            refuses(Blame.NO_ROW);

            assertThat(rig.fatals)
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.what())
                            .isEqualTo("stream goods/feed, partition 0, key [7], position [110,1]:"
                                    + " column w is no longer in table /dst/goods"));
        }

        @Test
        @DisplayName(
                "asks about the record that makes a refused row, and stops with its offset where the answer is to stop")
        void asksAboutTheRefusedRecord() {
            refuses(Blame.THIS_ROW);

            assertThat(rig.fatals)
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.what())
                            .isEqualTo("stream goods/feed, partition 0, offset 0, key [7], position [110,1]:"
                                    + " column w is no longer in table /dst/goods"));
        }

        @Test
        @DisplayName("finishes the transaction under way, releases the lock and ends when it is asked to stop")
        void stopsAtABorder() {
            rig.reads(change(110, 1), barrier(120));
            rig.engine.requestStop();
            rig.work();
            assertThat(rig.lastAsked()).isEqualTo("commit 1");

            rig.answer(new TargetEvent.Committed(1));
            assertThat(rig.asked).endsWith("commit 1", "stop source", "release");

            rig.answer(new TargetEvent.LockReleased());
            assertThat(rig.engine.exit()).contains(Exit.STOPPED);
        }

        @Test
        @DisplayName("names the partition that holds progress back, since when and what it waits for")
        void namesWhatBlocks() {
            rig.reads(barrier(120)).answer(new TargetEvent.Committed(1));
            for (int i = 0; i < 12; i++) {
                rig.pass(Duration.ofMillis(300)).answer(new TargetEvent.LockHeld("us"));
            }

            assertThat(rig.engine.status().blocking()).hasValueSatisfying(blocking -> {
                assertThat(blocking.reason()).isEqualTo(Blocking.Reason.BARRIER_STALE);
                assertThat(blocking.stream()).isEqualTo("goods/feed");
                assertThat(blocking.partition()).isZero();
                assertThat(rig.engine.status().at() - blocking.since()).isGreaterThan(3_000);
            });
        }

        @Test
        @DisplayName("shows checkpoint, stage and counts in its status")
        void showsStatus() {
            rig.reads(change(110, 1), barrier(120)).answer(new TargetEvent.Committed(1));
            rig.pass(Duration.ofMillis(300));

            EngineStatus status = rig.engine.status();
            assertThat(status.mode()).isEqualTo(Mode.ACTIVE);
            assertThat(status.checkpoint()).contains(new Position(120, 0));
            assertThat(status.totals().changes()).isEqualTo(1);
            assertThat(status.streams().get(0).changes()).isEqualTo(1);
        }
    }

    @Nested
    @DisplayName("when it loses the lock")
    class WhenItLosesTheLock {
        @BeforeEach
        void replicate() {
            rig.replicating();
        }

        @Test
        @DisplayName("throws away what it read and waits for the lock like any other")
        void throwsAwayWhatItRead() {
            rig.reads(change(110, 1)).pass(Rig.TTL.dividedBy(5)).answer(new TargetEvent.LockBusy("lock_other"));
            assertThat(rig.asked).endsWith("renew", "stop source");

            rig.pass(Duration.ofMillis(500));
            assertThat(rig.engine.status().mode()).isEqualTo(Mode.STANDBY);
            assertThat(rig.engine.status().bufferedChanges()).isZero();
            assertThat(rig.lastAsked()).isEqualTo("acquire");
        }

        @Test
        @DisplayName(
                "stops reading at its own horizon though nobody told it, and asks again only after the answer it awaits")
        void stopsAtItsHorizon() {
            rig.reads(change(110, 1), barrier(120)).pass(Rig.TTL.plusMillis(1));
            assertThat(rig.lastAsked()).isEqualTo("stop source");

            rig.answer(new TargetEvent.Committed(1));
            assertThat(rig.lastAsked()).isEqualTo("release");
            assertThat(rig.asked).doesNotContain("commit offsets [0,1)");
        }

        @Test
        @DisplayName("begins anew when a transaction met another writer")
        void beginsAnewWhenFenced() {
            rig.reads(change(110, 1), barrier(120)).answer(new TargetEvent.Fenced(1, "owner is lock_other"));
            rig.answer(new TargetEvent.LockReleased()).pass(Duration.ofMillis(500));

            assertThat(rig.asked).endsWith("stop source", "release", "acquire");
        }

        @Test
        @DisplayName("ignores what the ended term's source still says")
        void ignoresTheEndedTerm() {
            rig.pass(Rig.TTL.dividedBy(5)).answer(new TargetEvent.LockBusy("lock_other"));
            rig.reads(change(110, 1));

            assertThat(rig.asked).doesNotContain("taken 100");
        }
    }

    @Nested
    @DisplayName("at a record it must not pass over")
    class AtAProblem {
        @BeforeEach
        void lateRecord() {
            rig.replicating();
            rig.reads(barrier(120)).answer(new TargetEvent.Committed(1));
            rig.reads(change(115, 7));
        }

        @Test
        @DisplayName(
                "makes sure of the lock, writes FATAL_ERROR naming stream, partition, key, position and remedy, releases it and ends")
        void writesFatalErrorAndReleasesB18() {
            assertThat(rig.lastAsked()).isEqualTo("renew");
            rig.answer(new TargetEvent.LockHeld("us"));

            assertThat(rig.fatals)
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.text())
                            .contains("goods/feed", "partition 0", "key [7]", "[115,1]", "set state to OK"));
            rig.answer(new TargetEvent.FatalWritten());
            assertThat(rig.lastAsked()).isEqualTo("release");
            rig.answer(new TargetEvent.LockReleased());
            assertThat(rig.engine.exit())
                    .hasValueSatisfying(exit -> assertThat(exit.fatalWritten()).isTrue());
        }

        @Test
        @DisplayName("writes nothing when the lock is no longer ours, and waits for it again")
        void writesNothingWithoutTheLockB29() {
            rig.answer(new TargetEvent.LockBusy("lock_other")).pass(Duration.ofMillis(500));

            assertThat(rig.fatals).isEmpty();
            assertThat(rig.engine.exit()).isEmpty();
            assertThat(rig.lastAsked()).isEqualTo("acquire");
        }

        @Test
        @DisplayName("ends all the same when the text cannot be written")
        void endsAllTheSame() {
            rig.answer(new TargetEvent.LockHeld("us"))
                    .answer(new TargetEvent.FatalNotWritten("unavailable"))
                    .answer(new TargetEvent.LockReleased());

            assertThat(rig.engine.exit()).hasValueSatisfying(exit -> {
                assertThat(exit.fatalWritten()).isFalse();
                assertThat(exit.problem()).isPresent();
            });
        }
    }
}
