package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.replicator.engine.TargetEvent.Committed;
import io.aardappel.replicator.engine.TargetEvent.Fenced;
import io.aardappel.replicator.engine.TargetEvent.LockBusy;
import io.aardappel.replicator.engine.TargetEvent.LockHeld;
import io.aardappel.replicator.engine.TargetEvent.LockReleased;
import io.aardappel.replicator.engine.TargetEvent.LockUnknown;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@WithYdb
@DisplayName("The lock")
class LockTest {
    private static final Duration SHORT = Duration.ofMillis(700);

    private final YdbEmulator ydb;
    private final Destination destination;

    LockTest(YdbEmulator ydb) {
        this.ydb = ydb;
        this.destination = new Destination(ydb);
    }

    @BeforeEach
    void createTable() {
        destination.createTable();
    }

    @AfterEach
    void close() throws Exception {
        ydb.faults().clear();
        destination.close();
    }

    private static TargetSettings lasting(Duration ttl) {
        TargetSettings s = Destination.SETTINGS;
        return new TargetSettings(
                ttl,
                s.callTimeout(),
                s.commitTimeout(),
                s.resolveTimeout(),
                s.pauseMin(),
                s.pauseMax(),
                s.callTries(),
                s.callTextBytes(),
                s.callParameterBytes(),
                s.returnedRows());
    }

    @Test
    void goesToTheFirstUnderAnOwnerThatNamesHostAndTerm() {
        String owner = destination.target("host-1").begin();

        assertThat(owner).matches("lock_host-1_[0-9a-f-]{36}");
        assertThat(destination.stateRow().text("lock_owner")).isEqualTo(owner);
    }

    @Test
    void lastsForItsTtlByTheServersClock() {
        destination.target("host-1").begin();

        ResultRow row = ResultRow.first(destination
                        .query("SELECT lock_deadline, CurrentUtcTimestamp() AS now FROM $STATE WHERE id = 'inst'")
                        .getResultSets(0))
                .orElseThrow();

        Long deadline = row.number("lock_deadline");
        Long now = row.number("now");
        assertThat(deadline).isNotNull();
        assertThat(now).isNotNull();
        assertThat(Duration.ofNanos((deadline - now) * 1_000))
                .isBetween(Destination.SETTINGS.lockTtl().dividedBy(2), Destination.SETTINGS.lockTtl());
    }

    @Test
    void keepsASecondWaitingWithoutBeingWrittenB22() {
        String owner = destination.target("host-1").begin();
        ResultRow before = destination.stateRow();

        assertThat(destination.target("host-2").acquire()).isEqualTo(new LockBusy(owner));
        assertThat(destination.stateRow()).isEqualTo(before);
    }

    @Test
    void isFreeAtOnceAfterARelease() {
        DrivenTarget first = destination.target("host-1");
        first.begin();
        DrivenTarget second = destination.target("host-2");

        assertThat(first.release()).isEqualTo(new LockReleased());
        assertThat(second.acquire()).isInstanceOf(LockHeld.class);
    }

    @Test
    void isNotTakenFromAnotherByARelease() {
        DrivenTarget first = destination.target("host-1", lasting(SHORT));
        first.begin();
        DrivenTarget second = destination.target("host-2");
        await().until(() -> second.acquire() instanceof LockHeld);

        first.release();

        assertThat(second.renew()).isInstanceOf(LockHeld.class);
        assertThat(destination.target("host-3").acquire()).isInstanceOf(LockBusy.class);
    }

    @Nested
    @DisplayName("that is not renewed")
    class NotRenewed {
        private final DrivenTarget first = destination.target("host-1", lasting(SHORT));
        private final DrivenTarget second = destination.target("host-2");

        @BeforeEach
        void passesOn() {
            first.begin();
            await().until(() -> second.acquire() instanceof LockHeld);
        }

        @Test
        void goesToTheSecondAfterItsTtl() {
            assertThat(destination.stateRow().text("lock_owner")).startsWith("lock_host-2_");
        }

        @Test
        void isKnownToBeLostAtTheNextRenewal() {
            assertThat(first.renew()).isInstanceOf(LockBusy.class);
        }

        @Test
        void letsNothingOfTheFirstThrough() {
            assertThat(first.commit(destination.batch(1, 10, destination.upsert(1, "late"))))
                    .isInstanceOf(Fenced.class);
            assertThat(destination.rows()).isEmpty();
        }
    }

    @Test
    void isKeptByRenewalsAndByCommits() {
        DrivenTarget first = destination.target("host-1", lasting(SHORT));
        first.begin();
        DrivenTarget second = destination.target("host-2");
        long end = System.nanoTime() + SHORT.multipliedBy(4).toNanos();

        for (long step = 1; System.nanoTime() < end; step++) {
            boolean renews = step % 2 == 0;
            assertThat(renews ? first.renew() : first.commit(destination.batch(step, step)))
                    .isInstanceOf(renews ? LockHeld.class : Committed.class);
            assertThat(second.acquire()).isInstanceOf(LockBusy.class);
        }
    }

    @Test
    void hasANewOwnerForEachTermOfOneProcessWhichNeedNotWait() {
        DrivenTarget target = destination.target("host-1");
        String first = target.begin();
        String second = target.begin();

        assertThat(second).isNotEqualTo(first);
    }

    @Test
    void whoseTakingWasNotAnsweredIsFoundToBeOursByTheNextTry() {
        DrivenTarget target = destination.target("host-1");
        target.begin();
        target.release();
        ydb.faults().add(FaultRule.of(Fault.COMMIT_UNANSWERED).after(1).times(1));

        assertThat(target.acquire()).isInstanceOf(LockUnknown.class);
        String owner = destination.stateRow().text("lock_owner");
        assertThat(owner).isNotNull();
        assertThat(target.acquire()).isEqualTo(new LockHeld(owner));
    }

    @Test
    void isTriedAgainWhereTheServerRefusesForTheMoment() {
        DrivenTarget target = destination.target("host-1");
        target.begin();
        ydb.faults().add(FaultRule.of(Fault.ABORTED).during(Operation.QUERY).times(2));
        ydb.faults().add(FaultRule.of(Fault.COMMIT_UNDETERMINED).times(1));

        assertThat(target.renew()).isInstanceOf(LockHeld.class);
    }

    @Nested
    @DisplayName("fought for with the Go program")
    class WithTheGoProgram {
        private final DrivenTarget ours = destination.target("host-1");
        private final GoProgram theirs = new GoProgram(destination.transport, destination.stateTable, "lock_go_1");

        @AfterEach
        void close() {
            theirs.close();
        }

        @Test
        void isBusyWhileThatHoldsIt() {
            ours.begin();
            ours.release();
            assertThat(theirs.takes(Duration.ofSeconds(30))).contains("lock_go_1");

            assertThat(ours.acquire()).isEqualTo(new LockBusy("lock_go_1"));
        }

        @Test
        void isNotTakenByThatWhileWeHoldIt() {
            String owner = ours.begin();

            assertThat(theirs.takes(Duration.ofSeconds(30))).contains(owner);
            assertThat(ours.commit(destination.batch(1, 10))).isEqualTo(new Committed(1));
        }

        @Test
        void isOursAtOnceAfterThatReleasesItWithAZeroTtl() {
            ours.begin();
            ours.release();
            theirs.takes(Duration.ofSeconds(30));
            theirs.takes(Duration.ZERO);

            assertThat(ours.acquire()).isInstanceOf(LockHeld.class);
        }

        @Test
        void fencesUsOffOnceThatHasTakenIt() {
            DrivenTarget brief = destination.target("host-2", lasting(SHORT));
            brief.begin();
            await().until(() -> theirs.holds(Duration.ofSeconds(30)));

            assertThat(brief.commit(destination.batch(1, 10, destination.upsert(1, "x"))))
                    .isInstanceOf(Fenced.class);
            assertThat(destination.rows()).isEmpty();
        }
    }
}
