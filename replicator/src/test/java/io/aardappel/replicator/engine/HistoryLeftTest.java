package io.aardappel.replicator.engine;

import static io.aardappel.replicator.engine.Rig.barrier;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.engine.EngineStatus.History;
import io.aardappel.replicator.engine.SourceEvent.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

@DisplayName("The time until a topic forgets what is not committed")
class HistoryLeftTest {
    private static final long MINUTE = 60_000;
    private static final long PERIOD = 60 * MINUTE;
    private static final PartitionId OTHER = new PartitionId(0, 1);

    /** By the source's clock, which has nothing to do with ours. */
    private static final long SOURCE_NOW = 500 * MINUTE;

    private final Rig rig = new Rig();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(HistoryAlarm.class);

    @BeforeEach
    void replicate() {
        lines.start();
        log.setLevel(Level.INFO);
        log.addAppender(lines);
        rig.replicating();
        describe(10, Map.of());
    }

    @AfterEach
    void stopListening() {
        log.detachAppender(lines);
        log.setLevel(null);
    }

    /** Two partitions of as many messages each. */
    private void describe(long end, Map<Long, Long> uncommittedSince) {
        describe(end, new Retention(PERIOD, uncommittedSince));
    }

    private void describe(long end, Retention retention) {
        rig.told(new SourceEvent.Described(0, 1, SOURCE_NOW, List.of(info(0, end), info(1, end)), retention));
    }

    private static PartitionInfo info(long id, long end) {
        return new PartitionInfo(id, true, List.of(), List.of(), 0, end, 0);
    }

    private void open(PartitionId partition) {
        rig.told(new SourceEvent.SessionStarted(partition, 2, 0, 0, 10));
    }

    /** A partition is read from an offset on, whose message was written some minutes ago. */
    private void read(PartitionId partition, long offset, long minutesAgo) {
        long session = partition.equals(OTHER) ? 2 : 1;
        List<StreamRecord> records = List.of(barrier(100 + offset));
        long writtenAt = SOURCE_NOW - minutesAgo * MINUTE;
        rig.told(new SourceEvent.Records(partition, session, new long[] {offset}, records, offset + 1, 10, writtenAt));
    }

    private void acknowledge(PartitionId partition, long offset) {
        long session = partition.equals(OTHER) ? 2 : 1;
        rig.told(new SourceEvent.OffsetsAcknowledged(partition, session, offset));
    }

    /** The lock being renewed all the while. */
    private void pass(Duration time) {
        for (long left = time.toMillis(); left > 0; left -= 500) {
            rig.pass(Duration.ofMillis(500)).answer(new TargetEvent.LockHeld("us"));
        }
    }

    private Optional<History> history() {
        rig.pass(Duration.ofMillis(250));
        return rig.engine.status().streams().get(0).history();
    }

    private double minutesLeft() {
        return (double) (history().orElseThrow().lostAt() - rig.engine.status().at()) / MINUTE;
    }

    private List<String> told() {
        return lines.list.stream().map(ILoggingEvent::getMessage).toList();
    }

    @Test
    void runsFromTheTimeAtWhichTheFirstUncommittedMessageWasWritten() {
        read(Rig.PARTITION, 0, 20);

        assertThat(minutesLeft()).isBetween(39.9, 40.0);
        assertThat(history().orElseThrow().partition()).isZero();
        assertThat(history().orElseThrow().retentionMillis()).isEqualTo(PERIOD);
    }

    @Test
    void growsWhenOffsetsAreCommitted() {
        read(Rig.PARTITION, 0, 20);
        read(Rig.PARTITION, 1, 5);
        acknowledge(Rig.PARTITION, 1);

        assertThat(minutesLeft()).isBetween(54.9, 55.0);
    }

    @Test
    void runsOnWhileNothingIsCommitted() {
        read(Rig.PARTITION, 0, 20);
        double before = minutesLeft();
        pass(Duration.ofSeconds(30));

        assertThat(before - minutesLeft()).isBetween(0.5, 0.51);
    }

    @Test
    void isThatOfTheWorstPartition() {
        open(OTHER);
        read(Rig.PARTITION, 0, 20);
        read(OTHER, 0, 45);

        assertThat(minutesLeft()).isBetween(14.9, 15.0);
        assertThat(history().orElseThrow().partition()).isEqualTo(1);
    }

    @Test
    void isWhatTheServerTellsOfAPartitionThatIsNotRead() {
        read(Rig.PARTITION, 0, 20);
        describe(10, Map.of(1L, SOURCE_NOW - 50 * MINUTE));

        assertThat(minutesLeft()).isBetween(9.9, 10.0);
    }

    @Test
    void isWhatMessagesTellRatherThanTheServersEstimate() {
        describe(10, Map.of(0L, SOURCE_NOW - 50 * MINUTE));
        read(Rig.PARTITION, 0, 20);

        assertThat(minutesLeft()).isBetween(39.9, 40.0);
    }

    @Test
    void goesByTheSourcesClock() {
        read(Rig.PARTITION, 0, 20);
        rig.setClock(Duration.ofHours(1));

        assertThat(minutesLeft()).isBetween(39.9, 40.0);
    }

    @Test
    void isTheWholePeriodWhileEverythingIsCommitted() {
        open(OTHER);
        describe(0, Map.of());
        acknowledge(Rig.PARTITION, 10);
        acknowledge(OTHER, 10);

        assertThat(minutesLeft()).isEqualTo(60.0);
        assertThat(history().orElseThrow().partition()).isEqualTo(-1);
    }

    @Test
    void isNotKnownBeforeAnythingTellsATime() {
        assertThat(history()).isEmpty();
    }

    @Test
    void isNoneOfATopicThatKeepsWhatIsNotCommitted() {
        describe(10, new Retention(0, Map.of()));
        read(Rig.PARTITION, 0, 20);

        assertThat(history()).isEmpty();
    }

    @Test
    void isToldTooShortRatherThanTooLong() {
        for (int offset = 0; offset < 100; offset++) {
            read(Rig.PARTITION, offset, 50);
        }
        acknowledge(Rig.PARTITION, 99);
        assertThat(minutesLeft()).as("minutes left").isBetween(9.9, 10.0);

        for (int offset = 100; offset < 140; offset++) {
            read(Rig.PARTITION, offset, 150 - offset);
        }
        acknowledge(Rig.PARTITION, 120);
        assertThat(minutesLeft()).as("minutes left").isBetween(30.0 - 60.0 / HistoryWatch.STEPS - 0.1, 30.0);
    }

    @Test
    void isComplainedAboutOnceAMinuteBelowATenthOfThePeriod() {
        read(Rig.PARTITION, 0, 55);
        pass(Duration.ofSeconds(80));

        assertThat(told()).containsExactly("history runs out", "history runs out");
        assertThat(lines.list.get(0).getKeyValuePairs())
                .contains(new KeyValuePair("stream", "goods/feed"), new KeyValuePair("partition", 0L));
    }

    @Test
    void isSaidToBeEnoughAgain() {
        read(Rig.PARTITION, 0, 55);
        read(Rig.PARTITION, 1, 5);
        history();
        acknowledge(Rig.PARTITION, 1);
        history();

        assertThat(told()).containsExactly("history runs out", "history does not run out any more");
    }
}
