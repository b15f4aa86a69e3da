package io.aardappel.replicator.ydb.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A source whose partition brings a column that the destination lacks")
@WithYdb(lifetime = WithYdb.Lifetime.TEST)
@Timeout(60)
class SchemaWaitTest {
    private static final PartitionId WAITING = new PartitionId(0, 0);
    private static final Duration QUIET = Duration.ofMillis(300);

    private ReaderRig rig;
    private Topic topic;

    @BeforeEach
    void begin(YdbEmulator ydb) {
        rig = new ReaderRig(ydb);
    }

    @AfterEach
    void end() {
        rig.close();
    }

    private static void update(Topic topic, int key) {
        update(topic, key, "added");
    }

    private static void update(Topic topic, int key, String column) {
        String message = "{\"update\":{\"" + column + "\":1},\"key\":[" + key + "],\"ts\":[" + key + ",1]}";
        topic.write(0, List.of(ReaderRig.message(1, message.getBytes(UTF_8), 0)));
    }

    /** Ten records, one that carries the column, ten more. */
    private void waits() {
        topic = rig.topic("feed", 2);
        waitsIn(topic);
    }

    private void waitsIn(Topic topic) {
        ReaderRig.write(topic, 0, 0, 10);
        update(topic, 10);
        ReaderRig.write(topic, 0, 11, 10);
        rig.start().open(0, 0);
        rig.until("it waits", () -> !rig.awaited.isEmpty());
        rig.untilRead(0, 0, 10);
    }

    @Test
    void tellsWhereAndForWhat() {
        waits();
        assertThat(rig.awaited).singleElement().satisfies(wait -> {
            assertThat(wait.partition()).isEqualTo(WAITING);
            assertThat(wait.what()).contains("offset 10", "column added", "/local/copy");
        });
    }

    @Test
    void givesWhatCameBeforeAndNothingBehind() {
        waits();
        rig.untilQuiet(QUIET);
        assertThat(rig.seen(0, 0).records).hasSize(10);
        assertThat(rig.awaited).hasSize(1);
    }

    @Test
    void goesOnInItsPlaceOnceTheColumnIsThere() {
        waits();
        rig.copy.addColumn("added");
        rig.untilRead(0, 0, 21);
        assertThat(rig.seen(0, 0).sessions).isEqualTo(1);
        assertThat(rig.seen(0, 0).records.keySet()).containsExactlyElementsOf(offsets(21));
        assertThat(rig.seen(0, 0).records.values()).hasOnlyElementsOfType(Change.class);
    }

    @Test
    void readsOtherPartitionsAndStreamsMeanwhile() {
        topic = rig.topic("feed", 2);
        Topic other = rig.topic("other", 1);
        waitsIn(topic);
        ReaderRig.write(topic, 1, 0, 5_000);
        ReaderRig.write(other, 0, 0, 5_000);
        rig.open(0, 1);
        rig.open(1, 0);
        rig.untilRead(0, 1, 5_000);
        rig.untilRead(1, 0, 5_000);
        assertThat(rig.seen(0, 0).records).hasSize(10);
    }

    @Test
    void readsTheRecordAgainWhenItsSessionIsLost() {
        waits();
        rig.source.reopen(WAITING);
        rig.until("it waits again", () -> rig.awaited.size() == 2);
        rig.copy.addColumn("added");
        rig.untilRead(0, 0, 21);
        assertThat(rig.seen(0, 0).sessions).isEqualTo(2);
    }

    private static List<Long> offsets(int count) {
        return IntStream.range(0, count).mapToObj(Long::valueOf).toList();
    }

    @Test
    void readsWhatCameBehindItAgainTooWhenItsSessionIsLost() {
        waits();
        ReaderRig.write(topic, 0, 21, 10);
        rig.untilQuiet(QUIET);
        rig.source.reopen(WAITING);
        rig.until("it waits again", () -> rig.awaited.size() == 2);
        assertThat(rig.seen(0, 0).records).hasSize(10);
        rig.copy.addColumn("added");
        rig.untilRead(0, 0, 31);
        assertThat(rig.seen(0, 0).records.keySet()).containsExactlyElementsOf(offsets(31));
    }

    @Test
    void tellsOfTheEndOfThePartitionOnlyBehindItsLastRecordWhenASessionIsLostBeforeThat() {
        waits();
        topic.split(0, null);
        rig.untilQuiet(QUIET);
        rig.source.reopen(WAITING);
        rig.until("it waits again", () -> rig.awaited.size() == 2);
        assertThat(rig.seen(0, 0).children).isNull();
        rig.copy.addColumn("added");
        rig.until("its end", () -> rig.seen(0, 0).children != null);
        assertThat(rig.seen(0, 0).records.keySet()).containsExactlyElementsOf(offsets(21));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {61, 62, 63})
    void losesAndRepeatsNothingHoweverOftenItsSessionIsLostWhileItWaits(long seed) {
        Random random = new Random(seed);
        topic = rig.topic("feed", 2);
        rig.start().open(0, 0);
        int written = 0;
        for (int round = 0; round < 4; round++) {
            String column = "added" + round;
            int waits = rig.awaited.size();
            update(topic, written++, column);
            rig.until("it waits", () -> rig.awaited.size() > waits);
            for (int sessions = random.nextInt(3); sessions >= 0; sessions--) {
                for (int deliveries = random.nextInt(4); deliveries > 0; deliveries--) {
                    int some = 1 + random.nextInt(5);
                    ReaderRig.write(topic, 0, written, some);
                    written += some;
                    rig.untilQuiet(Duration.ofMillis(random.nextInt(60)));
                }
                int before = rig.seen(0, 0).sessions;
                rig.source.reopen(WAITING);
                rig.until("a new session", () -> rig.seen(0, 0).sessions > before);
            }
            rig.copy.addColumn(column);
            rig.untilRead(0, 0, written);
        }
        assertThat(rig.seen(0, 0).records.keySet()).as("seed %d", seed).containsExactlyElementsOf(offsets(written));
    }

    @Test
    void saysThatTheRecordDoesNotFitWhenTheTimeIsOver() {
        rig = rig.with(settings -> ReaderRig.varied(
                settings,
                settings.creditBytes(),
                settings.creditBytesMin(),
                settings.streamsMax(),
                settings.partitionsPerStream(),
                Duration.ofMillis(300)));
        waits();
        rig.untilRead(0, 0, 21);
        assertThat(rig.seen(0, 0).records.get(10L)).isInstanceOf(Unfit.class);
        assertThat(rig.seen(0, 0).records.get(11L)).isInstanceOf(Change.class);
    }

    @Test
    void takesNoMoreThanTheCreditMeanwhile() {
        rig = rig.with(settings -> ReaderRig.quick(2048));
        waits();
        for (int key = 21; key < 2_000; key++) {
            update(topic, key);
        }
        rig.untilQuiet(QUIET);
        rig.copy.addColumn("added");
        rig.untilRead(0, 0, 2_000);
        assertThat(rig.seen(0, 0).sessions).isEqualTo(1);
    }
}
