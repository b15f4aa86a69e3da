package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.engine.TargetEvent;
import io.aardappel.replicator.engine.TargetEvent.Committed;
import io.aardappel.replicator.engine.TargetEvent.FatalNotWritten;
import io.aardappel.replicator.engine.TargetEvent.Fenced;
import io.aardappel.replicator.engine.TargetEvent.Retryable;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@WithYdb
@DisplayName("A transaction takes effect only while its term lasts:")
class FencingTest {
    private final YdbEmulator ydb;
    private final Destination destination;
    private final DrivenTarget target;

    FencingTest(YdbEmulator ydb) {
        this.ydb = ydb;
        this.destination = new Destination(ydb);
        destination.createTable();
        this.target = destination.target("host-1");
        target.begin();
        assertThat(commit(1, 10, "first")).isEqualTo(new Committed(1));
    }

    @AfterEach
    void close() throws Exception {
        ydb.faults().clear();
        destination.close();
    }

    private TargetEvent commit(long number, long step, String value) {
        return target.commit(batch(number, step, value));
    }

    private Batch batch(long number, long step, String value) {
        return destination.batch(number, step, destination.upsert(step, value));
    }

    private void assertOnlyTheFirstIsThere() {
        assertThat(destination.rows()).containsExactly(Map.entry(10L, "first"));
        assertThat(destination.instanceRow().number("commit_seq")).isEqualTo(1);
    }

    @Nested
    @DisplayName("it is fenced off")
    class FencedOff {
        @Test
        void whenAnotherOwnerStandsInTheRow() {
            destination.query("UPSERT INTO $STATE (id, lock_owner) VALUES ('inst', 'somebody')");

            assertThat(commit(2, 11, "late")).isInstanceOf(Fenced.class);
            assertOnlyTheFirstIsThere();
        }

        @Test
        void whenTheOwnerIsNull() {
            destination.query("UPSERT INTO $STATE (id, lock_owner) VALUES ('inst', NULL)");

            assertThat(commit(2, 11, "late")).isInstanceOf(Fenced.class);
            assertOnlyTheFirstIsThere();
        }

        @Test
        void whenTheCheckpointWasMoved() {
            destination.query("UPSERT INTO $STATE (id, step_id) VALUES ('inst', 5)");

            assertThat(commit(2, 11, "late")).isInstanceOf(Fenced.class);
            assertOnlyTheFirstIsThere();
        }

        @Test
        void whenTheStageWasChanged() {
            destination.query("UPSERT INTO $STATE (id, stage) VALUES ('inst', 'INITIAL_SCAN')");

            assertThat(commit(2, 11, "late")).isInstanceOf(Fenced.class);
            assertOnlyTheFirstIsThere();
        }

        @Test
        void whenAnotherCommitCameBetween() {
            destination.query("UPSERT INTO `" + destination.stateTable.path()
                    + "_instances` (id, commit_seq) VALUES ('inst', 2)");

            assertThat(commit(2, 11, "late")).isInstanceOf(Fenced.class);
            assertThat(destination.rows()).hasSize(1);
        }

        @Test
        void whenTheStateRowIsGone() {
            destination.query("DELETE FROM $STATE WHERE id = 'inst'");

            assertThat(commit(2, 11, "late")).isInstanceOf(Fenced.class);
            assertThat(destination.rows()).hasSize(1);
        }

        @Test
        void andSoIsAFatalErrorB29() {
            destination.query("UPSERT INTO $STATE (id, lock_owner) VALUES ('inst', 'somebody')");

            assertThat(target.writeFatal(new Problem(Problem.Reason.LATE_RECORD, "what", "remedy")))
                    .isInstanceOf(FatalNotWritten.class);
            assertThat(destination.stateRow().text("state")).isEqualTo("OK");
        }

        @Test
        void untilEverythingIsLoadedAnew() {
            destination.query("UPSERT INTO $STATE (id, step_id) VALUES ('inst', 5)");
            commit(2, 11, "late");

            assertThat(commit(3, 12, "later")).isInstanceOf(Fenced.class);
            target.begin();
            assertThat(commit(1, 12, "again")).isEqualTo(new Committed(1));
        }
    }

    @Nested
    @DisplayName("when the answer to its commit is lost")
    class Unanswered {
        @ParameterizedTest
        @EnumSource(
                value = Fault.class,
                names = {"COMMIT_UNDETERMINED", "COMMIT_UNANSWERED"})
        void itIsFoundToBeDone(Fault fault) {
            ydb.faults().add(FaultRule.of(fault).times(1));

            assertThat(commit(2, 11, "second")).isEqualTo(new Committed(2));

            assertThat(destination.rows()).hasSize(2);
            assertThat(destination.checkpoint()).isEqualTo(new Position(11, 0));
            assertThat(commit(3, 12, "third")).isEqualTo(new Committed(3));
        }

        @Test
        void itIsShutOutWhereItWouldComeLater() {
            Duration late = Duration.ofMillis(1_500);
            ydb.faults().add(FaultRule.of(Fault.COMMIT_LATE).withDelay(late).times(1));
            long landed = System.nanoTime() + late.plusMillis(500).toNanos();

            TargetEvent answer = commit(2, 11, "second, too late");
            assertThat(answer).isInstanceOf(Retryable.class);
            assertThat(commit(3, 9 + 3, "cut differently")).isEqualTo(new Committed(3));

            await().until(() -> System.nanoTime() > landed);
            assertThat(destination.rows()).containsOnlyKeys(10L, 12L);
            assertThat(destination.checkpoint()).isEqualTo(new Position(12, 0));
            assertThat(commit(4, 13, "next")).isEqualTo(new Committed(4));
        }

        @Test
        void itIsShutOutEvenWhereNothingFollows() {
            Duration late = Duration.ofMillis(700);
            ydb.faults().add(FaultRule.of(Fault.COMMIT_LATE).withDelay(late).times(1));
            long landed = System.nanoTime() + late.plusMillis(500).toNanos();

            assertThat(commit(2, 11, "too late")).isInstanceOf(Retryable.class);

            await().until(() -> System.nanoTime() > landed);
            assertThat(destination.rows()).containsOnlyKeys(10L);
        }

        @Test
        void itIsAskedForAsLongAsTheServerIsAway() {
            ydb.faults().add(FaultRule.of(Fault.COMMIT_UNDETERMINED).times(1));
            ydb.faults()
                    .add(FaultRule.of(Fault.UNAVAILABLE)
                            .during(Operation.QUERY)
                            .after(2)
                            .times(5));

            assertThat(commit(2, 11, "second")).isEqualTo(new Committed(2));
        }

        @Test
        void itIsShutOutByTheNextTermWhereThatBeginsBeforeItArrives() {
            Duration late = Duration.ofMillis(900);
            TargetSettings s = Destination.SETTINGS;
            DrivenTarget hasty = destination.target(
                    "host-2",
                    new TargetSettings(
                            s.lockTtl(),
                            s.callTimeout(),
                            s.commitTimeout(),
                            Duration.ofNanos(1),
                            s.pauseMin(),
                            s.pauseMax(),
                            s.callTries(),
                            s.callTextBytes(),
                            s.callParameterBytes(),
                            s.returnedRows()));
            target.release();
            hasty.begin();
            ydb.faults().add(FaultRule.of(Fault.COMMIT_LATE).withDelay(late).times(1));
            long landed = System.nanoTime() + late.plusMillis(500).toNanos();

            assertThat(hasty.commit(batch(1, 11, "late"))).isInstanceOf(Fenced.class);
            hasty.begin();
            assertThat(hasty.commit(batch(1, 12, "of the new term"))).isEqualTo(new Committed(1));

            await().until(() -> System.nanoTime() > landed);
            assertThat(destination.rows()).containsOnlyKeys(10L, 12L);
            assertThat(hasty.commit(batch(2, 13, "next"))).isEqualTo(new Committed(2));
        }

        @Test
        void evenTheAnswerToShuttingItOutMayBeLost() {
            ydb.faults()
                    .add(FaultRule.of(Fault.COMMIT_LATE)
                            .withDelay(Duration.ofMillis(600))
                            .times(2));

            assertThat(commit(2, 11, "too late")).isInstanceOf(Retryable.class);
            assertThat(commit(3, 12, "next")).isEqualTo(new Committed(3));
            assertThat(destination.rows()).containsOnlyKeys(10L, 12L);
        }
    }

    @Nested
    @DisplayName("when the server refuses for the moment")
    class Refused {
        @ParameterizedTest
        @EnumSource(
                value = Fault.class,
                names = {"ABORTED", "UNAVAILABLE", "OVERLOADED", "BAD_SESSION"})
        void itIsNotAppliedAndMayComeAgain(Fault fault) {
            ydb.faults().add(FaultRule.of(fault).after(1).times(1));

            Retryable answer = DrivenTarget.expect(commit(2, 11, "second"), Retryable.class, event -> event);

            assertThat(answer.cause()).isEqualTo(fault.name());
            assertThat(answer.timedOut()).isFalse();
            assertThat(destination.rows()).hasSize(1);
            assertThat(commit(2, 11, "second")).isEqualTo(new Committed(2));
        }

        @Test
        void aSlowCommitSaysThatASmallerBatchMayHelp() {
            ydb.faults()
                    .add(FaultRule.of(Fault.COMMIT_SLOW)
                            .withDelay(Duration.ofSeconds(7))
                            .times(1));

            Retryable answer = DrivenTarget.expect(commit(2, 11, "slow"), Retryable.class, event -> event);

            assertThat(answer.timedOut()).isTrue();
            assertThat(answer.cause()).isEqualTo("TIMEOUT");
            assertThat(commit(3, 12, "next")).isEqualTo(new Committed(3));
        }
    }

    @Nested
    @DisplayName("with a fault planted,")
    class Planted {
        @Test
        void withoutProofALostLockLetsItThrough() {
            DrivenTarget careless =
                    destination.target("host-2", Destination.SETTINGS, new CommitDiscipline(false, true));
            target.release();
            careless.begin();
            destination.query("UPSERT INTO $STATE (id, lock_owner) VALUES ('inst', 'somebody')");

            assertThat(careless.commit(batch(1, 11, "wrong"))).isInstanceOf(Committed.class);
        }

        @Test
        void aCheckpointApartIsASecondTransaction() {
            DrivenTarget careless =
                    destination.target("host-2", Destination.SETTINGS, new CommitDiscipline(true, false));
            target.release();
            careless.begin();

            careless.commit(batch(1, 11, "apart"));

            assertThat(destination.instanceRow().number("commit_seq")).isEqualTo(3);
            assertThat(destination.checkpoint()).isEqualTo(new Position(11, 0));
        }
    }
}
