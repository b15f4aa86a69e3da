package io.aardappel.emulator.changefeed;

import static io.aardappel.emulator.changefeed.FeedBench.timed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.fault.Hazards;
import io.aardappel.emulator.model.table.Shard;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec.Mode;
import io.aardappel.emulator.model.topic.TopicMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Barriers")
class BarrierTest {
    private static List<Long> barriers(FeedBench bench, int partition) {
        return bench.records(partition).stream()
                .filter(record -> record.has("resolved"))
                .map(record -> record.get("resolved").get(0).asLong())
                .toList();
    }

    @Nested
    @DisplayName("of a feed with two shards, three partitions and an interval of 2 s")
    class OfTwoShards {
        private final FeedBench bench = new FeedBench().table(2).feed(timed(Mode.UPDATES, 2, false, 3));
        private final List<Shard> shards =
                bench.database.describeTable(FeedBench.TABLE).shards();

        @Test
        void comeSoonAfterTheStartAndWithoutData() {
            bench.pass(0);
            assertThat(barriers(bench, 0)).containsExactly(1_000_000L);
        }

        @Test
        void areMultiplesOfTheIntervalInEveryPartition() {
            bench.pass(0);
            bench.pass(3_000);
            bench.pass(1_500);
            for (int partition = 0; partition < 3; partition++) {
                assertThat(barriers(bench, partition)).containsExactly(1_000_000L, 1_002_000L, 1_004_000L);
            }
        }

        @Test
        void haveOnlyTheMemberResolvedWithZeroBehindTheStep() {
            bench.pass(0);
            assertThat(bench.texts(1)).containsExactly("{\"resolved\":[1000000,0]}");
        }

        @Test
        void carryTheTabletOfThePartitionAndSequenceNumberZero() {
            bench.pass(0);
            TopicMessage barrier = bench.messages(2).get(0);
            assertThat(barrier.producerId()).isEqualTo(bench.topic().tabletId(2));
            assertThat(barrier.seqNo()).isZero();
        }

        @Test
        void areNotRepeated() {
            bench.pass(0);
            bench.pass(1);
            bench.pass(1);
            assertThat(barriers(bench, 0)).hasSize(1);
        }

        @Test
        void waitForTheSlowestShard() {
            bench.knobs().delayShard(shards.get(1).tabletId(), 5_000);
            bench.pass(0);
            bench.pass(2_000);
            assertThat(barriers(bench, 0)).isEmpty();
            bench.pass(3_000);
            assertThat(barriers(bench, 0)).containsExactly(1_000_000L);
        }

        @Test
        void letChangesOfOtherShardsPassBeforeThem() {
            bench.knobs().delayShard(shards.get(1).tabletId(), 3_000);
            bench.upsert(-1L);
            bench.pass(2_500);
            bench.upsert(1L);
            bench.pass(600);
            List<String> seen = new ArrayList<>();
            for (int partition = 0; partition < 3; partition++) {
                for (JsonNode record : bench.records(partition)) {
                    if (record.has("key")) {
                        seen.add(record.get("key").get(0).asText());
                    }
                }
            }
            assertThat(seen).containsExactlyInAnyOrder("1", "18446744073709551615");
            assertThat(barriers(bench, 0)).isEmpty();
        }

        @Test
        void goOnAfterASplitAndAMerge() {
            bench.pass(0);
            bench.database.splitShard(FeedBench.TABLE, List.of(5L));
            bench.pass(2_000);
            bench.database.mergeShards(FeedBench.TABLE, 1);
            bench.pass(2_000);
            assertThat(barriers(bench, 0)).containsExactly(1_000_000L, 1_002_000L, 1_004_000L);
        }

        @Test
        void waitForAShardThatWasSplitUntilItHasSentAll() {
            bench.knobs().holdShard(shards.get(0).tabletId());
            bench.upsert(7L);
            bench.database.splitShard(FeedBench.TABLE, List.of(5L));
            bench.upsert(8L);
            bench.pass(4_000);
            assertThat(barriers(bench, 0)).isEmpty();
            bench.knobs().delayShard(shards.get(0).tabletId(), 0);
            bench.pass(0);
            bench.pass(0);
            assertThat(barriers(bench, 0)).containsExactly(1_004_000L);
        }

        @Test
        void leaveWritesRefusedWhileTooMuchWaits() {
            bench.knobs().setQueueMax(2);
            bench.knobs().holdShard(shards.get(0).tabletId());
            bench.upsert(1L);
            bench.upsert(1L);
            assertThatThrownBy(() -> bench.upsert(1L))
                    .isInstanceOfSatisfying(
                            YdbException.class,
                            refused -> assertThat(refused.status()).isEqualTo(Status.OVERLOADED));
            bench.knobs().delayShard(shards.get(0).tabletId(), 0);
            bench.pass(0);
            assertThatCode(() -> bench.upsert(1L)).doesNotThrowAnyException();
        }

        @Test
        void canBeSkippedInOnePartition() {
            bench.knobs().skipBarriers(1, 1);
            bench.pass(0);
            bench.pass(2_000);
            assertThat(barriers(bench, 0)).containsExactly(1_000_000L, 1_002_000L);
            assertThat(barriers(bench, 1)).containsExactly(1_002_000L);
        }

        @Test
        void waitInFrontOfASilentPartitionAndThenAllCome() {
            bench.knobs().silencePartition(1);
            bench.pass(0);
            bench.pass(2_000);
            assertThat(barriers(bench, 1)).isEmpty();
            bench.knobs().delayPartition(1, 0);
            bench.pass(0);
            assertThat(barriers(bench, 1)).containsExactly(1_000_000L, 1_002_000L);
        }

        @Test
        void takeNoMoreRoomThanTheQueueHasHoweverLongAPartitionIsSilent() {
            bench.knobs().setQueueMax(2);
            bench.knobs().silencePartition(1);
            for (int i = 0; i < 6; i++) {
                bench.pass(2_000);
            }
            bench.knobs().delayPartition(1, 0);
            bench.pass(0);
            assertThat(barriers(bench, 1)).hasSize(2).endsWith(1_012_000L);
        }

        @Test
        void leaveWritesRefusedWhileTooMuchWaitsInFrontOfASilentPartition() {
            bench.knobs().setQueueMax(3);
            for (int partition = 0; partition < 3; partition++) {
                bench.knobs().silencePartition(partition);
            }
            for (long key = 1; key <= 3; key++) {
                bench.upsert(key);
            }
            assertThatThrownBy(() -> bench.upsert(4L))
                    .isInstanceOfSatisfying(
                            YdbException.class,
                            refused -> assertThat(refused.status()).isEqualTo(Status.OVERLOADED));
            for (int partition = 0; partition < 3; partition++) {
                bench.knobs().delayPartition(partition, 0);
            }
            bench.pass(0);
            assertThatCode(() -> bench.upsert(4L)).doesNotThrowAnyException();
        }

        @Test
        void stopWhenTheFeedIsDropped() {
            bench.pass(0);
            bench.database.alterTable(
                    FeedBench.TABLE,
                    List.of(new io.aardappel.emulator.model.table.TableSpec.Change.DropChangefeed("feed")));
            assertThat(bench.database.tick()).isZero();
            assertThat(bench.topics.find(FeedBench.FEED)).isNull();
        }
    }

    @Nested
    @DisplayName("when a fault strikes")
    class WhenAFaultStrikes {
        private final List<Fault> strikes = new ArrayList<>();
        private final Hazards once =
                (fault, path, partition) -> strikes.remove(fault) ? new Hazards.Strike(Duration.ZERO, 3_000) : null;
        private FeedBench bench = new FeedBench();

        @BeforeEach
        void openFeed() {
            bench = new FeedBench(once).table(1).feed(timed(Mode.KEYS_ONLY, 1, false, 1));
            bench.pass(0);
        }

        @Test
        void getLost() {
            strikes.add(Fault.BARRIER_LOST);
            bench.pass(1_000);
            bench.pass(1_000);
            assertThat(barriers(bench, 0)).containsExactly(1_000_000L, 1_002_000L);
        }

        @Test
        void goBackOnce() {
            strikes.add(Fault.BARRIER_BACK);
            bench.pass(1_000);
            assertThat(barriers(bench, 0)).containsExactly(1_000_000L, 997_000L, 1_001_000L);
        }

        @Test
        void overtakeALateRecordAndAllLaterOnesOfItsKey() {
            strikes.add(Fault.LATE_RECORD);
            bench.upsert(1L);
            bench.upsert(1L);
            bench.upsert(2L);
            bench.pass(1_000);
            assertThat(bench.records(0).stream()
                            .map(record ->
                                    record.has("key") ? record.get("key").get(0).asText() : "barrier"))
                    .containsExactly("barrier", "2", "barrier", "1", "1");
        }
    }
}
