package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.DecisionRow;
import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@WithYdb
@DisplayName("Decisions about records")
class DecisionsTest {
    private static final StreamRow STREAM =
            new StreamRow("a/feed", "c", "/local/a", 5, StreamState.MEMBER, Map.of(0L, 7L));

    private final Destination destination;
    private final DrivenTarget target;

    DecisionsTest(YdbEmulator ydb) {
        this.destination = new Destination(ydb);
        this.target = destination.target("host-1");
        target.begin();
    }

    @AfterEach
    void close() throws Exception {
        destination.close();
    }

    private static DecisionRow row(long partition, long offset, Action action) {
        return new DecisionRow(
                "a/feed", "c", partition, offset, action, DecidedBy.STRATEGY, new Position(3, -1), "it came late");
    }

    private static DecisionRow ofPosition(long txId, Action action) {
        return DecisionRow.ofPosition(new Position(3, txId), action, DecidedBy.COMMAND, "it was too large");
    }

    private static Batch batch(List<DecisionRow> decisions) {
        return batch(decisions, Stage.RUN, Optional.of(new Position(10, 0)), ScanPhase.NONE);
    }

    private static Batch batch(
            List<DecisionRow> decisions, Stage stage, Optional<Position> checkpoint, ScanPhase phase) {
        return new Batch(1, List.of(), checkpoint, stage, Position.ZERO, phase, List.of(STREAM), decisions, 0, 0, 0);
    }

    @Test
    void areReadBackAsTheyWereWritten() {
        List<DecisionRow> rows = List.of(row(0, 8, Action.APPLY), row(1, 2, Action.SKIP));

        target.commit(batch(rows));

        assertThat(target.saved().decisions()).containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    void areReadBackThoughTheirOffsetsMayBeCommitted() {
        target.commit(batch(List.of(row(0, 6, Action.APPLY), row(0, 7, Action.SKIP))));

        assertThat(target.saved().decisions()).extracting(DecisionRow::offset).containsExactlyInAnyOrder(6L, 7L);
    }

    private void remove(StreamRow stream) {
        StreamRow removed = stream.removed();
        target.commit(new Batch(
                2,
                List.of(),
                Optional.empty(),
                Stage.RUN,
                Position.ZERO,
                ScanPhase.NONE,
                List.of(removed),
                List.of(),
                0,
                0,
                0));
    }

    @Test
    void goWithAStreamThatIsRemoved() {
        target.commit(batch(List.of(row(0, 6, Action.APPLY), row(0, 7, Action.SKIP))));

        remove(STREAM);

        assertThat(target.saved().decisions()).isEmpty();
    }

    @Test
    void stayWhenTheyAreAboutAPositionWhicheverStreamIsRemoved() {
        List<DecisionRow> rows = List.of(ofPosition(-1, Action.SKIP_ALL), ofPosition(7, Action.APPLY_ALL));
        target.commit(batch(
                Stream.concat(rows.stream(), Stream.of(row(0, 7, Action.SKIP))).toList()));

        remove(STREAM);

        assertThat(target.saved().decisions()).containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    void stayWhenTheyAreAboutAPosition_alsoWhereAnEarlierVersionNamedItByARecordOfTheStream() {
        target.commit(batch(List.of(row(0, 5, Action.APPLY_ALL), row(0, 6, Action.SKIP_ALL), row(0, 7, Action.SKIP))));

        remove(STREAM);

        assertThat(target.saved().decisions())
                .as("they hold for other streams' changes of the position")
                .extracting(DecisionRow::action)
                .containsExactlyInAnyOrder(Action.APPLY_ALL, Action.SKIP_ALL);
    }

    @Test
    void ofOtherStreamsStayWhenOneIsRemoved() {
        DecisionRow sameTopic = new DecisionRow(
                "a/feed", "d", 0, 6, Action.SKIP, DecidedBy.STRATEGY, new Position(3, -1), "it came late");
        DecisionRow sameConsumer = new DecisionRow(
                "b/feed", "c", 0, 6, Action.SKIP, DecidedBy.STRATEGY, new Position(3, -1), "it came late");
        target.commit(batch(List.of(row(0, 6, Action.APPLY), sameTopic, sameConsumer)));

        remove(STREAM);

        assertThat(target.saved().decisions()).containsExactlyInAnyOrder(sameTopic, sameConsumer);
    }

    @Test
    void areReadBackWhereverTheConsumerIs_inAScan() {
        List<DecisionRow> rows = List.of(row(0, 6, Action.APPLY), row(0, 7, Action.SKIP));

        target.commit(batch(rows, Stage.INITIAL_SCAN, Optional.empty(), ScanPhase.APPLYING));

        assertThat(target.saved().decisions()).containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    void areReadBackWhenTheyAreAboutPositions() {
        List<DecisionRow> rows =
                List.of(ofPosition(6, Action.SKIP_ALL), ofPosition(-1, Action.APPLY_ALL), row(3, 6, Action.APPLY));

        target.commit(batch(rows));

        assertThat(target.saved().decisions()).containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    void areReadBackWhenTheyAreAboutMorePositionsThanOneAnswerHolds() {
        List<DecisionRow> rows = Stream.concat(
                        LongStream.rangeClosed(
                                        -Destination.SETTINGS.returnedRows(), Destination.SETTINGS.returnedRows())
                                .mapToObj(txId -> ofPosition(txId, Action.SKIP_ALL)),
                        Stream.of(row(0, 0, Action.SKIP)))
                .toList();

        target.commit(batch(rows));

        assertThat(target.saved().decisions()).containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    void areReadBackWhenTheyAreMoreThanOneAnswerHolds() {
        List<DecisionRow> rows = LongStream.range(0, 2 * Destination.SETTINGS.returnedRows() + 1)
                .mapToObj(offset -> row(offset % 3 + 1, offset, Action.SKIP))
                .toList();

        target.commit(batch(rows));

        assertThat(target.saved().decisions()).containsExactlyInAnyOrderElementsOf(rows);
    }
}
