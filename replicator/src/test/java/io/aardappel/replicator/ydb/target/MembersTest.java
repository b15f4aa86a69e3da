package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.engine.TargetEvent.Fenced;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@WithYdb
@DisplayName("Removing a stream from an instance")
class MembersTest {
    private static final StreamRow ONE =
            new StreamRow("a/feed", "c", "/local/a", 5, StreamState.MEMBER, Map.of(0L, 7L));
    private static final StreamRow OTHER = new StreamRow("b/feed", "c", "/local/b", 6, StreamState.MEMBER, Map.of());

    private final Destination destination;
    private final DrivenTarget replicator;
    private final Members members;

    MembersTest(YdbEmulator ydb) {
        this.destination = new Destination(ydb);
        this.replicator = destination.target("host-1");
        replicator.begin();
        replicator.commit(destination.batch(1, Optional.of(new Position(10, 0)), List.of(ONE, OTHER)));
        this.members = new Members(
                destination.transport,
                new YdbTarget.Identity(destination.stateTable, "inst", "operator"),
                Destination.SETTINGS);
    }

    @AfterEach
    void close() throws Exception {
        members.close();
        destination.close();
    }

    private Members.Outcome remove(String topic) {
        return members.remove(topic, "c", Duration.ofMillis(100));
    }

    @Test
    void marksItsRowAndLeavesEverythingElse() {
        replicator.release();

        assertThat(remove("a/feed")).isInstanceOf(Members.Outcome.Removed.class);

        replicator.begin();
        SavedState saved = replicator.saved();
        assertThat(saved.checkpoint()).isEqualTo(new Position(10, 0));
        assertThat(saved.streams())
                .extracting(StreamRow::topic, StreamRow::state)
                .containsExactlyInAnyOrder(tuple("a/feed", StreamState.REMOVED), tuple("b/feed", StreamState.MEMBER));
    }

    @Test
    void isNotDoneWhileAnotherHoldsTheLock() {
        assertThat(remove("a/feed"))
                .isInstanceOfSatisfying(
                        Members.Outcome.Locked.class,
                        locked -> assertThat(locked.owner()).startsWith("lock_host-1_"));
        assertThat(replicator.saved().streams()).containsExactlyInAnyOrder(ONE, OTHER);
    }

    @Test
    void tellsTheStreamsThereAreWhenThatOneIsNone() {
        replicator.release();

        assertThat(remove("x/feed"))
                .isInstanceOfSatisfying(
                        Members.Outcome.NoSuchMember.class,
                        none -> assertThat(none.streams()).containsExactlyInAnyOrder(ONE, OTHER));
    }

    @Test
    void isNotDoneTwice() {
        replicator.release();
        remove("a/feed");

        assertThat(remove("a/feed")).isInstanceOf(Members.Outcome.NoSuchMember.class);
    }

    @Test
    void fencesOffAHolderThatDoesNotKnowOfIt() {
        replicator.release();
        remove("a/feed");

        assertThat(replicator.commit(destination.batch(2, 11))).isInstanceOf(Fenced.class);
    }
}
