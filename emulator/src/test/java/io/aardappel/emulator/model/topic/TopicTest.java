package io.aardappel.emulator.model.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.fault.Hazards;
import io.aardappel.emulator.model.fault.Hazards.Strike;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.TopicSpec.Change;
import io.aardappel.emulator.model.topic.TopicSpec.ConsumerSpec;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A topic")
class TopicTest {
    private static final String CONSUMER = "c";
    private static final Duration RETENTION = Duration.ofMillis(1_000);

    private static Topic topic(int partitions, boolean feed) {
        TopicSpec spec = new TopicSpec(
                "/local/t", partitions, 0, false, RETENTION, List.of(), List.of(ConsumerSpec.of(CONSUMER)), Map.of());
        AtomicLong tablets = new AtomicLong(1);
        return new Topic(spec, new VirtualTimestamp(5, 1), feed, tablets::getAndIncrement);
    }

    private static TopicMessage at(long writtenAt) {
        return new TopicMessage("p", 1, writtenAt, writtenAt, 1, 1, Map.of(), new byte[] {1});
    }

    private static void refused(Status status, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        YdbException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(status));
    }

    @Nested
    @DisplayName("keeps messages")
    class KeepsMessages {
        private final Topic topic = topic(1, false);

        @Test
        void byConsecutiveOffsetsOverManyChunks() {
            int count = 3 * MessageLog.CHUNK + 7;
            topic.append(0, IntStream.range(0, count).mapToObj(TopicTest::at).toList());
            long next = 0;
            while (next < count) {
                Slice slice = topic.read(0, next);
                assertThat(slice.offset()).isEqualTo(next);
                for (TopicMessage message : slice.messages()) {
                    assertThat(message.writtenAtMillis()).isEqualTo(next++);
                }
            }
            assertThat(topic.read(0, next).isEmpty()).isTrue();
        }

        @Test
        void untilTheirRetentionIsOver() {
            topic.append(0, List.of(at(100), at(200), at(300)));
            topic.expire(1_250);
            assertThat(topic.partition(0).start()).isEqualTo(2);
            assertThat(topic.read(0, 0).offset()).isEqualTo(2);
        }

        @Test
        void longerWhenAnImportantConsumerWantsThem() {
            topic.alter(
                    List.of(new Change.AddConsumer(new ConsumerSpec("important", true, null, List.of(), Map.of()))));
            topic.append(0, List.of(at(100), at(200), at(300)));
            topic.commit("important", 0, 1);
            topic.expire(10_000);
            assertThat(topic.partition(0).start()).isEqualTo(1);
        }

        @Test
        void butNotForAConsumerThatBecomesImportantLater() {
            topic.append(0, List.of(at(100), at(200), at(300)));
            topic.cutOldest(2);
            topic.alter(
                    List.of(new Change.AddConsumer(new ConsumerSpec("important", true, null, List.of(), Map.of()))));
            assertThat(topic.committed("important", 0)).isEqualTo(2);
        }

        @Test
        void andCountsTheirBytes() {
            topic.append(0, IntStream.range(0, 5_000).mapToObj(TopicTest::at).toList());
            topic.cutOldest(4_500);
            assertThat(topic.partition(0).bytes()).isEqualTo(500);
        }

        @Test
        void andFindsThemByTime() {
            topic.append(0, List.of(at(100), at(200), at(200), at(300)));
            assertThat(topic.offsetAt(0, 150)).isEqualTo(1);
            assertThat(topic.offsetAt(0, 200)).isEqualTo(1);
            assertThat(topic.offsetAt(0, 301)).isEqualTo(4);
        }

        @Test
        void butLosesTheOldestByAFault() {
            Topics topics = new Topics();
            topics.create(topic.spec(), VirtualTimestamp.ZERO);
            Topic struck = topics.get("/local/t");
            struck.append(0, List.of(at(100), at(200), at(300)));
            topics.upkeep(300, striking(Fault.RETENTION_CUT));
            assertThat(struck.partition(0).start()).isEqualTo(2);
        }

        @Test
        void butBeginsEmptyWhenItIsCreatedAnewByAFault() {
            Topics topics = new Topics();
            topics.create(topic.spec(), VirtualTimestamp.ZERO);
            Topic struck = topics.get("/local/t");
            struck.append(0, List.of(at(100)));
            struck.commit(CONSUMER, 0, 1);
            topics.upkeep(300, striking(Fault.TOPIC_RECREATED));
            assertThat(struck.partition(0).end()).isZero();
            assertThat(struck.committed(CONSUMER, 0)).isZero();
            assertThat(struck.created()).isGreaterThan(VirtualTimestamp.ZERO);
        }

        private Hazards striking(Fault wanted) {
            return (fault, path, partition) -> fault == wanted ? new Strike(Duration.ZERO, 2) : null;
        }
    }

    @Nested
    @DisplayName("of a changefeed")
    class OfAChangefeed {
        private final Topic feed = topic(3, true);

        @Test
        void takesNewConsumers() {
            feed.alter(List.of(new Change.AddConsumer(ConsumerSpec.of("d"))));
            assertThat(feed.consumerNames()).containsExactly(CONSUMER, "d");
        }

        @Test
        void takesAnotherRetention() {
            feed.alter(List.of(new Change.SetRetention(Duration.ofDays(2))));
            assertThat(feed.spec().retention()).isEqualTo(Duration.ofDays(2));
        }

        @Test
        void refusesMorePartitions() {
            refused(Status.BAD_REQUEST, () -> feed.alter(List.of(new Change.SetPartitioning(5, 0, null))));
        }

        @Test
        void refusesOtherCodecs() {
            refused(Status.BAD_REQUEST, () -> feed.alter(List.of(new Change.SetCodecs(List.of(1, 2)))));
        }

        @Test
        void spreadsKeysByEqualSlicesOfTheirHash() {
            BigInteger slice =
                    BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE).divide(BigInteger.valueOf(3));
            assertThat(feed.partitionOf(BigInteger.ZERO)).isZero();
            assertThat(feed.partitionOf(slice.subtract(BigInteger.ONE))).isZero();
            assertThat(feed.partitionOf(slice)).isEqualTo(1);
            assertThat(feed.partitionOf(BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE)))
                    .isEqualTo(2);
        }
    }

    @Nested
    @DisplayName("that is altered")
    class ThatIsAltered {
        private final Topic topic = topic(1, false);

        @Test
        void takesAllChangesOrNone() {
            refused(
                    Status.ALREADY_EXISTS,
                    () -> topic.alter(List.of(
                            new Change.AddConsumer(ConsumerSpec.of("d")),
                            new Change.AddConsumer(ConsumerSpec.of(CONSUMER)))));
            assertThat(topic.consumerNames()).containsExactly(CONSUMER);
        }

        @Test
        void growsToMorePartitions() {
            topic.alter(List.of(new Change.SetPartitioning(4, 0, null)));
            assertThat(topic.activePartitions()).containsExactly(0, 1, 2, 3);
        }

        @Test
        void refusesFewerPartitions() {
            topic.alter(List.of(new Change.SetPartitioning(4, 0, null)));
            refused(Status.BAD_REQUEST, () -> topic.alter(List.of(new Change.SetPartitioning(2, 0, null))));
        }

        @Test
        void forgetsTheOffsetsOfAConsumerThatGoes() {
            topic.append(0, List.of(at(1)));
            topic.commit(CONSUMER, 0, 1);
            topic.alter(List.of(new Change.DropConsumer(CONSUMER), new Change.AddConsumer(ConsumerSpec.of(CONSUMER))));
            assertThat(topic.committed(CONSUMER, 0)).isZero();
        }
    }

    @Nested
    @DisplayName("whose partitions split and merge")
    class WhosePartitionsChange {
        @Test
        void refusesToMergeThoseThatAreNoNeighbours() {
            refused(Status.BAD_REQUEST, () -> topic(3, false).merge(0, 2));
        }

        @Test
        void refusesToSplitOneTwice() {
            Topic topic = topic(1, false);
            topic.split(0, null);
            refused(Status.BAD_REQUEST, () -> topic.split(0, null));
        }

        @ParameterizedTest(name = "seed {0}")
        @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
        @DisplayName("keeps each hash with a descendant of the partition it had")
        void keepsHashesInTheirFamily(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            Topic topic = topic(3, false);
            List<BigInteger> hashes = IntStream.range(0, 200)
                    .mapToObj(i -> HashRange.hash(seed + "/" + i))
                    .toList();
            for (int step = 0; step < 30; step++) {
                List<Integer> before = hashes.stream().map(topic::partitionOf).toList();
                change(topic, random);
                for (int i = 0; i < hashes.size(); i++) {
                    int now = topic.partitionOf(hashes.get(i));
                    PartitionInfo old = topic.partition(before.get(i));
                    assertThat(now == old.id() || old.children().contains(now))
                            .as("seed %d step %d: %s now in %d", seed, step, old, now)
                            .isTrue();
                }
            }
        }

        private void change(Topic topic, SplittableRandom random) {
            List<Integer> active = topic.activePartitions();
            int at = random.nextInt(active.size());
            if (at + 1 < active.size() && random.nextBoolean()) {
                topic.merge(active.get(at + 1), active.get(at));
            } else {
                topic.split(active.get(at), null);
            }
        }
    }
}
