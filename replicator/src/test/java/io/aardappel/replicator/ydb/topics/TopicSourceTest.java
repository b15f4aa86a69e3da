package io.aardappel.replicator.ydb.topics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.github.luben.zstd.Zstd;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.PartitionInfo;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import io.aardappel.replicator.core.StreamSpec;
import io.aardappel.replicator.engine.SourceEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;
import tech.ydb.topic.read.SyncReader;

@DisplayName("A source over topics of an emulated YDB")
@WithYdb(lifetime = WithYdb.Lifetime.TEST)
@Timeout(60)
class TopicSourceTest {
    private static final Duration QUIET = Duration.ofMillis(300);

    private ReaderRig rig;

    @BeforeEach
    void openRig(YdbEmulator ydb) {
        rig = new ReaderRig(ydb);
    }

    @AfterEach
    void closeRig() {
        rig.close();
    }

    private static void assertKeys(ReaderRig.Seen partition, int from, int count) {
        assertThat(keys(partition.records.values().stream().toList()))
                .isEqualTo(IntStream.range(from, from + count).boxed().toList());
    }

    private static List<Integer> keys(List<StreamRecord> records) {
        List<Integer> keys = new ArrayList<>();
        for (StreamRecord record : records) {
            Key key = ((Change) record).key();
            keys.add(((Long) Objects.requireNonNull(key.part(0))).intValue());
        }
        return keys;
    }

    @Nested
    @DisplayName("reads")
    class Reads {
        @Test
        void everyPartitionInOrder() {
            Topic topic = rig.topic("feed", 3);
            IntStream.range(0, 3).forEach(partition -> ReaderRig.write(topic, partition, 0, 500));
            rig.start().open(0, 0, 1, 2);
            IntStream.range(0, 3).forEach(partition -> rig.untilRead(0, partition, 500));
            IntStream.range(0, 3).forEach(partition -> ReaderRig.write(topic, partition, 500, 10));
            IntStream.range(0, 3).forEach(partition -> {
                rig.untilRead(0, partition, 510);
                assertKeys(rig.seen(0, partition), 0, 510);
            });
        }

        @Test
        void onlyWhatWasOpened() {
            Topic topic = rig.topic("feed", 2);
            ReaderRig.write(topic, 0, 0, 10);
            ReaderRig.write(topic, 1, 0, 10);
            rig.start().open(0, 1);
            rig.untilRead(0, 1, 10);
            rig.untilQuiet(QUIET);
            assertThat(rig.seen(0, 0).sessions).isZero();
        }

        @Test
        void severalTopics() {
            Topic first = rig.topic("first", 1);
            Topic second = rig.topic("dir/second", 1);
            ReaderRig.write(first, 0, 0, 10);
            ReaderRig.write(second, 0, 100, 20);
            rig.start().open(0, 0);
            rig.open(1, 0);
            rig.untilRead(0, 0, 10);
            rig.untilRead(1, 0, 20);
            assertKeys(rig.seen(0, 0), 0, 10);
            assertKeys(rig.seen(1, 0), 100, 20);
        }

        @Test
        void aTopicNamedRelativeToItsDatabase() {
            Topic topic = rig.topic("feed", 1);
            ReaderRig.write(topic, 0, 0, 5);
            rig.stream(new StreamSpec("feed", ReaderRig.CONSUMER, "copy"));
            rig.start().open(1, 0);
            rig.untilRead(1, 0, 5);
        }

        @Test
        void nothingBelowTheConfirmedOffset() {
            Topic topic = rig.topic("feed", 1);
            ReaderRig.write(topic, 0, 0, 100);
            rig.seen(0, 0).next = 42;
            rig.start().open(0, 0);
            rig.untilRead(0, 0, 58);
            assertKeys(rig.seen(0, 0), 42, 58);
        }

        @Test
        void nothingBeforeItIsConfirmed() {
            Topic topic = rig.topic("feed", 1);
            ReaderRig.write(topic, 0, 0, 10);
            rig.confirming = false;
            rig.start().open(0, 0);
            rig.until("the session starts", () -> rig.seen(0, 0).live);
            rig.untilQuiet(QUIET);
            assertThat(rig.seen(0, 0).records).isEmpty();
        }

        @Test
        void messagesLargerThanTheCredit() {
            rig = rig.with(settings -> ReaderRig.quick(2048));
            Topic topic = rig.topic("feed", 1);
            String filler = "x".repeat(5_000_000);
            for (int key = 0; key < 3; key++) {
                topic.write(0, List.of(ReaderRig.message(1, ReaderRig.erase(key, filler), 0)));
            }
            rig.start().open(0, 0);
            rig.untilRead(0, 0, 3);
            assertKeys(rig.seen(0, 0), 0, 3);
        }

        @Test
        void whenTheFirstOfThemWasWritten() {
            Topic topic = rig.topic("feed", 1);
            long now = System.currentTimeMillis();
            for (int key = 0; key < 3; key++) {
                ReaderRig.writeAt(topic, key, now - 60_000 + key);
            }
            rig.seen(0, 0).next = 1;
            rig.start().open(0, 0);
            rig.untilRead(0, 0, 2);
            assertThat(rig.seen(0, 0).writtenAt).containsEntry(1L, now - 59_999).doesNotContainKey(0L);
        }

        @Test
        void packedMessages() throws IOException {
            Topic topic = rig.topic("feed", 1);
            byte[] zipped = gzip(ReaderRig.erase(0, ""));
            byte[] zstd = Zstd.compress(ReaderRig.erase(1, ""));
            topic.write(0, List.of(ReaderRig.message(2, zipped, 60), ReaderRig.message(4, zstd, 60)));
            rig.start().open(0, 0);
            rig.untilRead(0, 0, 2);
            assertKeys(rig.seen(0, 0), 0, 2);
        }

        @Test
        void whatCannotBeUnpackedAsUnfit() {
            Topic topic = rig.topic("feed", 1);
            topic.write(
                    0,
                    List.of(
                            ReaderRig.message(2, ReaderRig.erase(0, ""), 60),
                            ReaderRig.message(4, ReaderRig.erase(0, ""), 60),
                            ReaderRig.message(3, ReaderRig.erase(0, ""), 60)));
            rig.start().open(0, 0);
            rig.untilRead(0, 0, 3);
            assertThat(rig.seen(0, 0).records.values())
                    .allSatisfy(record -> assertThat(record)
                            .isInstanceOf(Unfit.class)
                            .extracting(unfit -> ((Unfit) unfit).reason())
                            .asString()
                            .startsWith("the message cannot be unpacked"));
        }

        private static byte[] gzip(byte[] data) throws IOException {
            ByteArrayOutputStream zipped = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
                gzip.write(data);
            }
            return zipped.toByteArray();
        }
    }

    @Nested
    @DisplayName("holds back")
    class HoldsBack {
        @Test
        void whenNothingIsTaken() {
            rig = rig.with(settings -> ReaderRig.quick(16_384));
            Topic topic = rig.topic("feed", 1);
            for (int key = 0; key < 2000; key += 20) {
                ReaderRig.write(topic, 0, key, 20);
            }
            rig.taking = false;
            rig.start().open(0, 0);
            rig.until("something came", () -> !rig.held.isEmpty());
            rig.untilQuiet(QUIET);
            long credit =
                    rig.held.stream().mapToLong(SourceEvent.Records::credit).sum();
            assertThat(rig.seen(0, 0).records).hasSizeLessThan(1000);
            assertThat(credit).isBetween(10_000L, 64_000L);
            rig.takeHeld();
            rig.untilRead(0, 0, 2000);
            assertKeys(rig.seen(0, 0), 0, 2000);
        }

        @Test
        void aParkedPartitionWhileOthersGoOn() {
            rig = rig.with(settings -> ReaderRig.quick(16_384));
            Topic topic = rig.topic("feed", 2);
            rig.start().open(0, 0, 1);
            rig.until("both are read", () -> rig.seen(0, 0).live && rig.seen(0, 1).live);
            rig.source.park(new PartitionId(0, 0));
            for (int key = 0; key < 2000; key += 20) {
                ReaderRig.write(topic, 0, key, 20);
                ReaderRig.write(topic, 1, key, 20);
            }
            rig.untilRead(0, 1, 2000);
            rig.untilQuiet(QUIET);
            assertThat(rig.seen(0, 0).records).hasSizeLessThan(1000);
            rig.source.resume(new PartitionId(0, 0));
            rig.untilRead(0, 0, 2000);
            assertKeys(rig.seen(0, 0), 0, 2000);
            assertThat(rig.seen(0, 0).sessions).isEqualTo(1);
        }
    }

    @Nested
    @DisplayName("commits")
    class Commits {
        @Test
        void andHearsTheAcknowledgement() {
            Topic topic = rig.topic("feed", 1);
            ReaderRig.write(topic, 0, 0, 100);
            rig.start().open(0, 0);
            rig.untilRead(0, 0, 100);
            rig.commit(0, 0, 0, 10);
            rig.commit(0, 0, 10, 60);
            rig.until("60 is acknowledged", () -> rig.seen(0, 0).acknowledged == 60);
            assertThat(topic.committed(ReaderRig.CONSUMER, 0)).isEqualTo(60);
            assertThat(rig.seen(0, 0).sessions).isEqualTo(1);
        }

        @Test
        void soThatTheNextReaderBeginsThere() {
            Topic topic = rig.topic("feed", 1);
            ReaderRig.write(topic, 0, 0, 100);
            rig.start().open(0, 0);
            rig.untilRead(0, 0, 100);
            rig.commit(0, 0, 0, 70);
            rig.until("70 is acknowledged", () -> rig.seen(0, 0).acknowledged == 70);
            rig.source.stop();
            rig.until("the session ended", () -> !rig.seen(0, 0).live);
            rig.seen(0, 0).next = 0;
            rig.seen(0, 0).records.clear();
            rig.start().open(0, 0);
            rig.untilRead(0, 0, 30);
            assertThat(rig.seen(0, 0).committed).isEqualTo(70);
            assertKeys(rig.seen(0, 0), 70, 30);
        }

        @Test
        void afterReadingFromAboveTheCommittedOffset() {
            Topic topic = rig.topic("feed", 1);
            ReaderRig.write(topic, 0, 0, 100);
            rig.seen(0, 0).next = 50;
            rig.start().open(0, 0);
            rig.untilRead(0, 0, 50);
            rig.commit(0, 0, 0, 100);
            rig.until("100 is acknowledged", () -> rig.seen(0, 0).acknowledged == 100);
        }
    }

    @Nested
    @DisplayName("goes on")
    class GoesOn {
        @Test
        void afterItsStreamsAreCut(YdbEmulator ydb) {
            Topic topic = rig.topic("feed", 2);
            rig.start().open(0, 0, 1);
            for (int round = 0; round < 5; round++) {
                int key = round * 100;
                ReaderRig.write(topic, 0, key, 100);
                ReaderRig.write(topic, 1, key, 100);
                int sessions = round + 1;
                rig.untilRead(0, 0, key + 50);
                rig.until("both are open", () -> rig.seen(0, 1).sessions == sessions && rig.seen(0, 1).live);
                ydb.topicFaults().cutReaders(topic);
                rig.until(
                        "new sessions", () -> rig.seen(0, 0).sessions > sessions && rig.seen(0, 1).sessions > sessions);
            }
            rig.untilRead(0, 0, 500);
            rig.untilRead(0, 1, 500);
            assertKeys(rig.seen(0, 0), 0, 500);
            assertKeys(rig.seen(0, 1), 0, 500);
            assertThat(rig.source.counts().lost()).isGreaterThanOrEqualTo(10);
            assertThat(rig.failures).isNotEmpty().noneMatch(SourceEvent.SourceFailed::fatal);
        }

        @Test
        void afterThePartitionWasTakenAwayB09(YdbEmulator ydb) {
            Topic topic = rig.topic("feed", 1);
            rig.start().open(0, 0);
            ReaderRig.write(topic, 0, 0, 100);
            rig.untilRead(0, 0, 100);
            ydb.topicFaults().move(topic, 0);
            rig.until("a second session", () -> rig.seen(0, 0).sessions == 2 && rig.seen(0, 0).live);
            ReaderRig.write(topic, 0, 100, 100);
            rig.untilRead(0, 0, 200);
            assertKeys(rig.seen(0, 0), 0, 200);
            assertThat(rig.seen(0, 0).ends).containsExactly("the server took the partition away");
        }

        @Test
        void afterTheNodeRestarted(YdbEmulator ydb) {
            Topic topic = rig.topic("feed", 1);
            rig.start().open(0, 0);
            ReaderRig.write(topic, 0, 0, 100);
            rig.untilRead(0, 0, 100);
            ydb.restartNode();
            ReaderRig.write(topic, 0, 100, 100);
            rig.untilRead(0, 0, 200);
            assertKeys(rig.seen(0, 0), 0, 200);
        }

        @Test
        void whileStreamsAreCutByChance(YdbEmulator ydb) {
            ydb.faults()
                    .add(FaultRule.of(Fault.STREAM_CUT).withProbability(0.02).everyAtMost(Duration.ofMillis(30)));
            rig = rig.with(settings -> ReaderRig.quick(8_192));
            Topic topic = rig.topic("feed", 1);
            for (int key = 0; key < 3000; key += 10) {
                ReaderRig.write(topic, 0, key, 10);
            }
            rig.start().open(0, 0);
            rig.untilRead(0, 0, 3000);
            assertKeys(rig.seen(0, 0), 0, 3000);
        }

        @Test
        void afterAForeignReaderOfTheConsumerCameAndWent() throws Exception {
            Topic topic = rig.topic("feed", 2);
            rig.start().open(0, 0, 1);
            ReaderRig.write(topic, 0, 0, 100);
            ReaderRig.write(topic, 1, 0, 100);
            rig.untilRead(0, 0, 100);
            rig.untilRead(0, 1, 100);
            SyncReader foreign = rig.foreignReader("/local/feed");
            foreign.initAndWait();
            rig.untilQuiet(QUIET);
            foreign.shutdown();
            ReaderRig.write(topic, 0, 100, 100);
            ReaderRig.write(topic, 1, 100, 100);
            rig.untilRead(0, 0, 200);
            rig.untilRead(0, 1, 200);
            assertKeys(rig.seen(0, 0), 0, 200);
            assertKeys(rig.seen(0, 1), 0, 200);
        }

        @Test
        void fromALowerOffsetWhenReopened() {
            Topic topic = rig.topic("feed", 1);
            ReaderRig.write(topic, 0, 0, 100);
            rig.start().open(0, 0);
            rig.untilRead(0, 0, 100);
            rig.seen(0, 0).next = 30;
            rig.seen(0, 0).records.clear();
            rig.source.reopen(new PartitionId(0, 0));
            rig.untilRead(0, 0, 70);
            assertKeys(rig.seen(0, 0), 30, 70);
        }
    }

    @Nested
    @DisplayName("follows a topic whose partitions change:")
    class Changes {
        @Test
        void aSplit() {
            Topic topic = rig.topic("feed", 1);
            ReaderRig.write(topic, 0, 0, 100);
            rig.start().open(0, 0);
            rig.untilRead(0, 0, 50);
            List<Integer> children = topic.split(0, null);
            children.forEach(child -> ReaderRig.write(topic, child, 1000 * child, 10));
            rig.until("the end of the parent", () -> rig.seen(0, 0).children != null);
            assertKeys(rig.seen(0, 0), 0, 100);
            assertThat(rig.seen(0, 0).children)
                    .containsExactlyInAnyOrderElementsOf(
                            children.stream().map(Integer::longValue).toList());
            children.forEach(child -> rig.open(0, child));
            rig.commit(0, 0, 0, 100);
            rig.until("the parent is acknowledged", () -> rig.seen(0, 0).acknowledged == 100);
            children.forEach(child -> {
                rig.untilRead(0, child, 10);
                assertKeys(rig.seen(0, child), 1000 * child, 10);
            });
            rig.source.release(new PartitionId(0, 0));
            rig.until("the parent's session is over", () -> !rig.seen(0, 0).live);
        }

        @Test
        void aMerge() {
            Topic topic = rig.topic("feed", 2);
            ReaderRig.write(topic, 0, 0, 10);
            ReaderRig.write(topic, 1, 0, 10);
            rig.start().open(0, 0, 1);
            rig.untilRead(0, 0, 10);
            rig.untilRead(0, 1, 10);
            int child = topic.merge(0, 1);
            ReaderRig.write(topic, child, 500, 10);
            rig.until("both ended", () -> rig.seen(0, 0).children != null && rig.seen(0, 1).children != null);
            rig.open(0, child);
            rig.commit(0, 0, 0, 10);
            rig.commit(0, 1, 0, 10);
            rig.untilRead(0, child, 10);
            assertKeys(rig.seen(0, child), 500, 10);
        }

        @Test
        @DisplayName("the children of a split and a merge are read while their parents are not committed")
        void childrenOfUncommittedParents() {
            Topic topic = rig.topic("feed", 2);
            ReaderRig.write(topic, 0, 0, 10);
            ReaderRig.write(topic, 1, 0, 10);
            rig.start().open(0, 0, 1);
            List<Integer> halves = topic.split(0, null);
            int merged = topic.merge(halves.get(1), 1);
            List.of(halves.get(0), merged).forEach(child -> ReaderRig.write(topic, child, 100 * child, 10));
            rig.untilRead(0, 0, 10);
            rig.untilRead(0, 1, 10);
            rig.source.describe(0);
            rig.until("the description", () -> !rig.described.isEmpty());

            halves.forEach(half -> rig.open(0, half));
            rig.open(0, merged);

            for (int child : List.of(halves.get(0), merged)) {
                rig.untilRead(0, child, 10);
                assertKeys(rig.seen(0, child), 100 * child, 10);
            }
            rig.source.park(new PartitionId(0, merged));
            rig.source.resume(new PartitionId(0, merged));
            ReaderRig.write(topic, merged, 900, 10);
            rig.untilRead(0, merged, 20);
        }

        @Test
        void describedWithItsGraphAndOffsets() {
            Topic topic = rig.topic("feed", 1);
            ReaderRig.write(topic, 0, 0, 100);
            List<Integer> children = topic.split(0, null);
            topic.setCommitted(ReaderRig.CONSUMER, 0, 40);
            rig.start().source.describe(0);
            rig.until("the description", () -> !rig.described.isEmpty());
            SourceEvent.Described described = rig.described.get(0);
            assertThat(described.topicCreatedAt()).isEqualTo(1_234_567);
            assertThat(described.sourceTime()).isCloseTo(System.currentTimeMillis(), Offset.offset(60_000L));
            List<Long> ids = children.stream().map(Integer::longValue).toList();
            assertThat(described.partitions())
                    .containsExactlyInAnyOrder(
                            new PartitionInfo(0, false, List.of(), ids, 0, 100, 40),
                            new PartitionInfo(ids.get(0), true, List.of(0L), List.of(), 0, 0, 0),
                            new PartitionInfo(ids.get(1), true, List.of(0L), List.of(), 0, 0, 0));
        }
    }

    @Nested
    @DisplayName("with more partitions than streams")
    class Shared {
        private static final int PARTITIONS = 11;

        @BeforeEach
        void openFewStreams() {
            rig = rig.with(settings -> ReaderRig.varied(settings, 1 << 16, 4096, 4, 3, settings.schemaWait()));
        }

        private void untilAllRead(int count) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                rig.untilRead(0, partition, count);
                assertKeys(rig.seen(0, partition), 0, count);
            }
        }

        private static void writeAll(Topic topic, int from, int count) {
            IntStream.range(0, PARTITIONS).forEach(partition -> ReaderRig.write(topic, partition, from, count));
        }

        @Test
        void readsAllOfThem() {
            Topic topic = rig.topic("feed", PARTITIONS);
            writeAll(topic, 0, 100);
            rig.start().open(0, LongStream.range(0, PARTITIONS).toArray());
            untilAllRead(100);
        }

        @Test
        void parksOneOfAGroupAndReadsTheOthers() {
            Topic topic = rig.topic("feed", PARTITIONS);
            rig.start().open(0, LongStream.range(0, PARTITIONS).toArray());
            writeAll(topic, 0, 10);
            untilAllRead(10);
            rig.source.park(new PartitionId(0, PARTITIONS - 1));
            rig.until("the parked one left", () -> !rig.seen(0, PARTITIONS - 1).live);
            writeAll(topic, 10, 10);
            IntStream.range(0, PARTITIONS - 1).forEach(partition -> rig.untilRead(0, partition, 20));
            assertThat(rig.seen(0, PARTITIONS - 1).records).hasSize(10);
            rig.source.resume(new PartitionId(0, PARTITIONS - 1));
            untilAllRead(20);
        }

        @Test
        void reopensOneOfAGroup() {
            Topic topic = rig.topic("feed", PARTITIONS);
            rig.start().open(0, LongStream.range(0, PARTITIONS).toArray());
            writeAll(topic, 0, 10);
            untilAllRead(10);
            rig.seen(0, PARTITIONS - 1).next = 0;
            rig.seen(0, PARTITIONS - 1).records.clear();
            rig.source.reopen(new PartitionId(0, PARTITIONS - 1));
            writeAll(topic, 10, 10);
            untilAllRead(20);
        }
    }

    @Nested
    @DisplayName("says what is wrong")
    class SaysWhatIsWrong {
        @Test
        void whenTheTopicIsMissing() {
            rig.stream(new StreamSpec("/local/none", ReaderRig.CONSUMER, "copy"));
            rig.start().source.describe(0);
            rig.until("it is final", () -> rig.failures.stream().anyMatch(SourceEvent.SourceFailed::fatal));
            assertThat(rig.failures.get(0).fatal()).isFalse();
            assertThat(rig.failures.get(0).what()).contains("/local/none", "SCHEME_ERROR");
            assertThat(rig.failures.get(0).remedy()).contains("/local/none exists");
        }

        @Test
        void whenTheTopicToReadIsMissing() {
            rig.stream(new StreamSpec("/local/none", ReaderRig.CONSUMER, "copy"));
            rig.start().open(0, 0);
            rig.until("it is final", () -> rig.failures.stream().anyMatch(SourceEvent.SourceFailed::fatal));
            assertThat(rig.source.counts().refusals()).isGreaterThan(1);
        }

        @Test
        void whenTheConsumerIsMissingB06() {
            rig.topic("feed", 1);
            rig.stream(new StreamSpec("/local/feed", "nobody", "copy"));
            rig.start().open(1, 0);
            rig.until("it is final", () -> rig.failures.stream().anyMatch(SourceEvent.SourceFailed::fatal));
            assertThat(rig.failures.get(0).remedy()).contains("ADD CONSUMER `nobody`");
        }

        @Test
        @DisplayName("when another reader has the partition: in the log, for the source itself is well")
        void whenAnotherReaderHasThePartition(YdbEmulator ydb) {
            Logger log = (Logger) LoggerFactory.getLogger(TopicSource.class);
            ListAppender<ILoggingEvent> lines = new ListAppender<>();
            lines.list = new CopyOnWriteArrayList<>();
            lines.start();
            log.addAppender(lines);
            log.setLevel(Level.WARN); // another test may have made it silent
            try {
                try (ReaderRig other = new ReaderRig(ydb)) {
                    rig.topic("feed", 1);
                    other.stream(new StreamSpec("/local/feed", ReaderRig.CONSUMER, "copy"));
                    other.start().open(0, 0);
                    other.until("the other has it", () -> other.seen(0, 0).live);
                    rig.start().open(0, 0);
                    rig.until("that is told", () -> !lines.list.isEmpty());
                }
                rig.until("it is ours", () -> rig.seen(0, 0).live);
                rig.until("that is told, too", () -> lines.list.size() > 1);
            } finally {
                log.setLevel(null);
                log.detachAppender(lines);
            }

            assertThat(rig.failures).isEmpty();
            assertThat(lines.list)
                    .extracting(line -> line.getLevel() + " " + line.getMessage())
                    .containsExactly(
                            "WARN the server does not give us partitions", "WARN the server gives us the partitions");
            assertThat(lines.list)
                    .allSatisfy(line -> assertThat(line.getKeyValuePairs())
                            .contains(
                                    new KeyValuePair("stream", "/local/feed"),
                                    new KeyValuePair("partitions", List.of(0L))));
        }
    }

    @Test
    void closesWithoutDelay(YdbEmulator ydb) {
        ReaderRig closing = new ReaderRig(ydb);
        Topic topic = closing.topic("feed", 4);
        IntStream.range(0, 4).forEach(partition -> ReaderRig.write(topic, partition, 0, 500));
        closing.taking = false;
        closing.start().open(0, 0, 1, 2, 3);
        closing.until("something came", () -> !closing.held.isEmpty());
        long began = System.nanoTime();
        closing.close();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }
}
