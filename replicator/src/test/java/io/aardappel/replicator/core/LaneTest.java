package io.aardappel.replicator.core;

import static io.aardappel.replicator.core.Given.BYTES;
import static io.aardappel.replicator.core.Given.at;
import static io.aardappel.replicator.core.Given.p;
import static io.aardappel.replicator.core.Given.update;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A partition")
class LaneTest {
    private final Buffered total = new Buffered();
    private final Lane lane = new Lane(p(0), 0, 0, null, total, Rules.STANDARD.shed());

    @BeforeEach
    void begin() {
        lane.order();
        lane.readFrom(0);
    }

    @Nested
    @DisplayName("read again after a takeover at checkpoint 10")
    class ReadAgain {
        private final Position checkpoint = at(10);

        @Test
        @DisplayName("drops what lies below the checkpoint as applied, before its first barrier at or above it")
        void dropsWhatIsApplied() {
            assertThat(lane.change(update(7, 1), 0, checkpoint)).isEqualTo(Lane.Intake.ALREADY_APPLIED);
        }

        @Test
        @DisplayName("keeps what lies at the checkpoint")
        void keepsWhatLiesAtTheCheckpoint() {
            assertThat(lane.change(update(10, 1), 0, checkpoint)).isEqualTo(Lane.Intake.BUFFERED);
        }

        @Test
        @DisplayName("takes what lies below the checkpoint for late, after that barrier")
        void takesForLateAfterTheWitnessB13() {
            lane.barrier(at(12), 0);

            assertThat(lane.change(update(7, 1), 1, checkpoint)).isEqualTo(Lane.Intake.LATE);
        }

        @Test
        @DisplayName("does not take an earlier barrier for the witness")
        void doesNotTakeAnEarlierBarrier() {
            lane.barrier(at(8), 0);

            assertThat(lane.change(update(7, 1), 1, checkpoint)).isEqualTo(Lane.Intake.ALREADY_APPLIED);
        }
    }

    @Nested
    @DisplayName("with a barrier at 10")
    class WithABarrier {
        @BeforeEach
        void barrier() {
            lane.barrier(at(10), 3);
        }

        @Test
        @DisplayName("ignores a barrier that repeats")
        void ignoresRepeated() {
            assertThat(lane.barrier(at(10), 4)).isFalse();
        }

        @Test
        @DisplayName("ignores a barrier that goes back")
        void ignoresBackward() {
            assertThat(lane.barrier(at(9), 4)).isFalse();
            assertThat(lane.resolved()).isEqualTo(at(10));
        }

        @Test
        @DisplayName("buffers a change at the barrier itself")
        void buffersAtTheBarrier() {
            assertThat(lane.change(update(10, 1), 4, at(5))).isEqualTo(Lane.Intake.BUFFERED);
        }
    }

    @Nested
    @DisplayName("lets offsets be committed")
    class LetsOffsetsBeCommitted {
        @Test
        @DisplayName("up to the first change that is not applied, even when later ones are")
        void upToTheFirstNotApplied() {
            lane.change(update(5, 1), 0, Position.ZERO);
            lane.change(update(9, 2), 1, Position.ZERO);
            lane.change(update(6, 3), 2, Position.ZERO);
            lane.readUpTo(3);
            lane.appliedBelow(at(7));

            assertThat(lane.committable(at(7))).isEqualTo(1);
        }

        @Test
        @DisplayName("up to the first barrier at or above the checkpoint, though all before it is applied")
        void upToTheWitness() {
            lane.change(update(5, 1), 0, Position.ZERO);
            lane.barrier(at(6), 1);
            lane.barrier(at(8), 2);
            lane.readUpTo(3);
            lane.appliedBelow(at(7));

            assertThat(lane.committable(at(7))).isEqualTo(2);
        }

        @Test
        @DisplayName("never past a record that waits for a decision")
        void neverPastAQuestion() {
            lane.holdBack(4, 0);
            lane.readUpTo(9);

            assertThat(lane.committable(at(7))).isEqualTo(4);
        }

        @Test
        @DisplayName("up to the end of what was read when nothing stands against it")
        void upToTheEnd() {
            lane.change(update(5, 1), 0, Position.ZERO);
            lane.readUpTo(7);
            lane.appliedBelow(at(6));

            assertThat(lane.committable(at(6))).isEqualTo(7);
        }
    }

    @Nested
    @DisplayName("that begins with what its parents had reached")
    class ThatInherits {
        private final Lane child = new Lane(p(1), 0, 1, at(10), total, Rules.STANDARD.shed());

        @Test
        @DisplayName("takes a change below that for late")
        void takesForLate() {
            assertThat(child.change(update(9, 1), 0, at(5))).isEqualTo(Lane.Intake.LATE);
        }

        @Test
        @DisplayName("counts its own barrier as witness though it says nothing new")
        void countsItsOwnBarrierAsWitness() {
            child.readFrom(0);
            child.barrier(at(9), 0);
            child.readUpTo(5);

            assertThat(child.resolved()).isEqualTo(at(10));
            assertThat(child.committable(at(8))).isZero();
        }
    }

    @Nested
    @DisplayName("of which the newest was shed")
    class OfWhichTheNewestWasShed {
        @BeforeEach
        void shed() {
            lane.change(update(5, 1), 0, Position.ZERO);
            lane.barrier(at(4), 1);
            lane.change(update(8, 2), 2, Position.ZERO);
            lane.barrier(at(12), 3);
            lane.readUpTo(4);
            lane.shed(at(8));
        }

        @Test
        @DisplayName("stays complete up to what was shed")
        void staysComplete() {
            assertThat(lane.complete()).isEqualTo(at(8));
            assertThat(lane.changes()).isEqualTo(1);
        }

        @Test
        @DisplayName("gives back the memory")
        void givesBackTheMemory() {
            assertThat(total.bytes()).isEqualTo(BYTES + Lane.BARRIER_BYTES);
        }

        @Test
        @DisplayName("is read again from there, and is complete as before meanwhile")
        void isReadAgain() {
            lane.readAgain();

            assertThat(lane.next()).isEqualTo(2);
            assertThat(lane.complete()).isEqualTo(at(8));
            assertThat(lane.change(update(8, 2), 2, Position.ZERO)).isEqualTo(Lane.Intake.BUFFERED);
            lane.barrier(at(12), 3);
            assertThat(lane.complete()).isEqualTo(at(12));
        }

        @Test
        @DisplayName("does not take what it applied meanwhile for late when it is read again")
        void doesNotTakeAppliedForLate() {
            lane.readAgain();

            assertThat(lane.change(update(8, 2), 2, at(9))).isEqualTo(Lane.Intake.ALREADY_APPLIED);
        }

        @Test
        @DisplayName("does not trust a barrier that stood behind what was shed, though it was forgotten before")
        void doesNotTrustAForgottenBarrier() {
            Lane other = new Lane(p(1), 0, 0, null, total, Rules.STANDARD.shed());
            other.order();
            other.readFrom(0);
            other.change(update(8, 2), 0, Position.ZERO);
            other.barrier(at(12), 1);
            other.readUpTo(2);
            other.committable(at(20));
            other.shed(at(8));

            assertThat(other.complete()).isEqualTo(at(8));
        }

        @Test
        @DisplayName("lacks a late record that was passed over, though it lies below what it is complete to")
        void lacksALateRecord() {
            Lane other = new Lane(p(1), 0, 1, at(12), total, Rules.STANDARD.shed());
            other.order();
            other.readFrom(0);
            other.change(update(30, 2), 0, Position.ZERO);
            other.readUpTo(2);
            other.shed(at(5));

            other.insert(update(7, 3), 1);

            assertThat(other.complete()).isEqualTo(at(12));
            assertThat(other.lacksPassedOver()).isTrue();
        }

        @Test
        @DisplayName("lets no offset of it be committed")
        void letsNoOffsetBeCommitted() {
            lane.appliedBelow(at(6));

            assertThat(lane.committable(at(2))).isEqualTo(1);
        }
    }

    @Nested
    @DisplayName("with a record left out by its key")
    class WithARecordLeftOut {
        @BeforeEach
        void leaveOut() {
            lane.leftOut(at(15), 0);
            lane.barrier(at(12), 1);
            lane.leftOut(at(14), 2);
            lane.leftOut(at(13), 3);
            lane.readUpTo(4);
        }

        @Test
        @DisplayName(
                "holds its offset until its position is passed, so that it is read anew when other keys are left out")
        void holdsItsOffset() {
            assertThat(lane.committable(at(13))).isZero();
            assertThat(lane.committable(at(15))).isZero();
            assertThat(lane.committable(at(16))).isEqualTo(4);
        }

        @Test
        @DisplayName("keeps no more of many of them than of one")
        void keepsNoMoreOfMany() {
            long before = total.bytes();
            lane.leftOut(at(14), 4);

            assertThat(total.bytes()).isEqualTo(before);
        }

        @Test
        @DisplayName("gives back their memory")
        void givesBackTheirMemory() {
            lane.committable(at(16));

            assertThat(total.bytes()).isZero();
        }

        @Test
        @DisplayName("reads them again with what is read again")
        void readsThemAgain() {
            lane.change(update(20, 1), 4, Position.ZERO);
            lane.readUpTo(5);
            lane.shed(at(12));
            lane.readAgain();

            assertThat(lane.next()).isEqualTo(1);
            assertThat(total.bytes()).isEqualTo(Lane.BARRIER_BYTES);
        }
    }

    @Test
    @DisplayName("that has had no session when memory becomes short is read again from its beginning")
    void isReadAgainFromItsBeginning() {
        Lane unread = new Lane(p(1), 0, 0, null, total, Rules.STANDARD.shed());
        unread.order();
        unread.shed(at(5));
        unread.readFrom(0);
        unread.change(update(5, 1), 0, Position.ZERO);
        unread.readUpTo(1);
        unread.readAgain();

        assertThat(unread.next()).isZero();
        assertThat(unread.change(update(5, 1), 0, Position.ZERO)).isEqualTo(Lane.Intake.BUFFERED);
    }

    @Nested
    @DisplayName("of which what lies highest was shed, though it was read first")
    class OfWhichTheHighestWasShed {
        @BeforeEach
        void shed() {
            lane.change(update(9, 1), 0, Position.ZERO);
            lane.change(update(5, 2), 1, Position.ZERO);
            lane.readUpTo(2);
            lane.shed(at(9));
        }

        @Test
        @DisplayName("takes what lies lower from then on, and passes over the rest")
        void takesWhatLiesLower() {
            assertThat(lane.change(update(6, 3), 2, Position.ZERO)).isEqualTo(Lane.Intake.BUFFERED);
            assertThat(lane.change(update(10, 4), 3, Position.ZERO)).isEqualTo(Lane.Intake.PASSED_OVER);
            assertThat(lane.changes()).isEqualTo(2);
        }

        @Test
        @DisplayName("is complete up to what was shed, once its barrier is found")
        void isCompleteUpToWhatWasShed() {
            assertThat(lane.complete()).isNull();

            lane.barrier(at(20), 2);

            assertThat(lane.complete()).isEqualTo(at(9));
        }

        @Test
        @DisplayName("is not read again while what it holds from there on is not applied")
        void isNotReadAgainBefore() {
            assertThat(lane.mayReadAgain()).isFalse();

            lane.appliedBelow(at(9));

            assertThat(lane.mayReadAgain()).isTrue();
        }

        @Test
        @DisplayName("is read again from there, and recognises what was applied")
        void recognisesWhatWasApplied() {
            lane.barrier(at(20), 2);
            lane.readUpTo(3);
            lane.appliedBelow(at(9));
            lane.readAgain();

            assertThat(lane.next()).isZero();
            assertThat(lane.change(update(9, 1), 0, at(9))).isEqualTo(Lane.Intake.BUFFERED);
            assertThat(lane.change(update(5, 2), 1, at(9))).isEqualTo(Lane.Intake.ALREADY_APPLIED);
        }

        @Test
        @DisplayName("lets no offset of it be committed")
        void letsNoOffsetBeCommitted() {
            lane.appliedBelow(at(9));

            assertThat(lane.committable(Position.ZERO)).isZero();
        }
    }

    @Nested
    @DisplayName("read on without buffering what lies at 6 or above")
    class ReadWithoutBuffering {
        @BeforeEach
        void passOver() {
            lane.change(update(5, 1), 0, Position.ZERO);
            lane.readUpTo(1);
            lane.shed(at(6));
        }

        @Test
        @DisplayName("is complete up to the lowest change passed over, once its barrier is found")
        void isCompleteUpToTheLowest() {
            lane.change(update(9, 2), 1, Position.ZERO);
            lane.change(update(7, 3), 2, Position.ZERO);
            assertThat(lane.complete()).isNull();

            lane.barrier(at(20), 3);
            assertThat(lane.complete()).isEqualTo(at(7));
        }

        @Test
        @DisplayName("holds no more than before")
        void holdsNoMore() {
            lane.change(update(9, 2), 1, Position.ZERO);

            assertThat(total.bytes()).isEqualTo(BYTES);
        }

        @Test
        @DisplayName("commits nothing of what was passed over")
        void commitsNothingPassedOver() {
            lane.change(update(9, 2), 1, Position.ZERO);
            lane.readUpTo(2);
            lane.appliedBelow(at(6));

            assertThat(lane.committable(at(6))).isEqualTo(1);
        }

        @Test
        @DisplayName("notices a late change though it does not buffer")
        void noticesALateChange() {
            lane.barrier(at(20), 1);

            assertThat(lane.change(update(9, 2), 2, at(10))).isEqualTo(Lane.Intake.LATE);
        }

        @Test
        @DisplayName("is read again from there")
        void isReadAgain() {
            lane.change(update(9, 2), 1, Position.ZERO);
            lane.readUpTo(2);
            lane.readAgain();

            assertThat(lane.next()).isEqualTo(1);
            assertThat(lane.passesOver()).isFalse();
        }
    }
}
