package io.aardappel.emulator.changefeed;

import static io.aardappel.emulator.changefeed.FeedBench.TABLE;
import static io.aardappel.emulator.changefeed.FeedBench.timed;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.aardappel.emulator.model.table.Changefeed;
import io.aardappel.emulator.model.table.RowWrite.Kind;
import io.aardappel.emulator.model.table.Shard;
import io.aardappel.emulator.model.table.TableSpec.ChangefeedSpec.Mode;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.PartitionInfo;
import io.aardappel.emulator.model.topic.TopicMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random writes, splits, delays and scans; whoever reads the feed as YDB's rules say must get the table back. */
@DisplayName("A feed read to a barrier")
class FeedReplayTest {
    private static final int PARTITIONS = 3;
    private static final int KEYS = 40;

    private record Change(VirtualTimestamp timestamp, int partition, int offset, JsonNode record) {}

    private FeedBench bench = new FeedBench();
    private Random random = new Random();
    private boolean splitting;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void givesTheTableAsOfTheBarrier(long seed) {
        start(seed);
        bench.feed(timed(Mode.UPDATES, 1, false, PARTITIONS));
        run(400, seed);
        assertEveryBarrierGivesTheTable();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void givesTheTableAfterAScanDuringWrites(long seed) {
        start(seed);
        for (int i = 0; i < 30; i++) {
            write();
        }
        bench.knobs().setScanRowsPerTick(1);
        bench.feed(timed(Mode.UPDATES, 1, true, PARTITIONS));
        run(400, seed);
        assertThat(bench.description().state()).isEqualTo(Changefeed.State.ENABLED);
        assertEveryBarrierGivesTheTable();
        assertScanRecordComesFirst();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {21, 22, 23, 24, 25, 26})
    void givesTheTableThroughSplitsAndMergesOfTheTopic(long seed) {
        start(seed);
        bench.feed(timed(Mode.UPDATES, 1, false, PARTITIONS));
        splitting = true;
        run(400, seed);
        assertThat(bench.topic().partitions().size()).isGreaterThan(PARTITIONS);
        assertEveryBarrierGivesTheTable();
    }

    private void start(long seed) {
        random = new Random(seed);
        bench = new FeedBench().table(2);
        bench.database.retainHistory();
    }

    private void run(int steps, long seed) {
        bench.knobs().interleaveShards(seed, random.nextInt(3) * 200L);
        bench.knobs().reorderRecords(seed, random.nextDouble(), random.nextInt(3) * 400L);
        for (int i = 0; i < steps; i++) {
            write();
            if (random.nextInt(3) == 0) {
                bench.pass(random.nextInt(200));
            }
            if (random.nextInt(40) == 0) {
                disturb();
            }
        }
        bench.topic().activePartitions().forEach(partition -> bench.knobs().delayPartition(partition, 0));
        for (int i = 0; i < 100; i++) {
            bench.pass(100);
        }
    }

    private void write() {
        Transaction transaction = bench.begin();
        int rows = 1 + random.nextInt(3);
        for (int i = 0; i < rows; i++) {
            // Keys at both ends of the range, so that the shards of a uniform table share them.
            long key = random.nextInt(KEYS) * (random.nextBoolean() ? 1L : -1L);
            switch (random.nextInt(5)) {
                case 0 -> transaction.write(bench.schema(), bench.row(Kind.DELETE, key));
                case 1 ->
                    transaction.write(bench.schema(), bench.row(Kind.REPLACE, key, "qty", (long) random.nextInt(99)));
                case 2 ->
                    transaction.write(bench.schema(), bench.row(Kind.UPDATE, key, "title", "u" + random.nextInt(99)));
                default ->
                    transaction.write(bench.schema(), bench.row(Kind.UPSERT, key, "qty", (long) random.nextInt(99)));
            }
        }
        transaction.commit();
    }

    private void disturb() {
        List<Integer> active = bench.topic().activePartitions();
        int partition = active.get(random.nextInt(active.size()));
        if (splitting && random.nextBoolean()) {
            bench.database.standingStill(() -> reshape(active, partition));
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> bench.knobs().silencePartition(partition);
            case 1 -> bench.knobs().delayPartition(partition, random.nextInt(500));
            case 2 -> bench.knobs().skipBarriers(partition, 1 + random.nextInt(2));
            default -> reshard();
        }
    }

    private void reshape(List<Integer> active, int partition) {
        if (active.size() < 5) {
            bench.topic().split(partition, null);
        } else {
            int first = random.nextInt(active.size() - 1);
            bench.topic().merge(active.get(first), active.get(first + 1));
        }
    }

    private void reshard() {
        if (!bench.database.describeTable(TABLE).changefeeds().isEmpty()
                && bench.description().state() == Changefeed.State.INITIAL_SCAN) {
            return;
        }
        List<Shard> shards = bench.database.describeTable(TABLE).shards();
        if (shards.size() > 3) {
            bench.database.mergeShards(TABLE, random.nextInt(shards.size() - 1));
        } else {
            bench.database.splitShard(TABLE, List.of((long) 1 + random.nextInt(KEYS)));
        }
    }

    private void assertEveryBarrierGivesTheTable() {
        List<Change> changes = new ArrayList<>();
        TreeMap<Long, Integer> seenIn = new TreeMap<>();
        readAll(changes, seenIn);
        changes.sort(Comparator.comparing(Change::timestamp)
                .thenComparing(Change::partition)
                .thenComparing(Change::offset));
        assertThat(seenIn).as("barriers").hasSizeGreaterThan(5);
        for (long step : seenIn.keySet()) {
            VirtualTimestamp bound = new VirtualTimestamp(step, 0);
            assertThat(replay(changes, bound)).as("as of " + bound).isEqualTo(table(bound));
        }
    }

    /** A child begins where the slowest of its parents ended; parents have lower ids. */
    private void readAll(List<Change> changes, TreeMap<Long, Integer> seenIn) {
        Map<Integer, Long> ends = new HashMap<>();
        for (PartitionInfo partition : bench.topic().partitions()) {
            long from = partition.parents().stream()
                    .mapToLong(parent -> ends.getOrDefault(parent, 0L))
                    .min()
                    .orElse(0);
            ends.put(partition.id(), readPartition(partition.id(), from, changes, seenIn));
        }
    }

    private long readPartition(int partition, long from, List<Change> changes, TreeMap<Long, Integer> seenIn) {
        long barrier = from;
        int offset = 0;
        for (TopicMessage message : bench.messages(partition)) {
            JsonNode record = FeedBench.parse(new String(message.data(), StandardCharsets.UTF_8));
            if (record.has("resolved")) {
                long step = record.get("resolved").get(0).asLong();
                assertThat(step).as("barrier in partition " + partition).isGreaterThan(barrier);
                assertThat(step % 1_000).isZero();
                barrier = step;
                seenIn.merge(step, 1, Integer::sum);
            } else {
                JsonNode ts = record.get("ts");
                VirtualTimestamp at = new VirtualTimestamp(
                        ts.get(0).bigIntegerValue().longValue(),
                        ts.get(1).bigIntegerValue().longValue());
                assertThat(at)
                        .as("record behind barrier " + barrier + ": " + record)
                        .isGreaterThanOrEqualTo(new VirtualTimestamp(barrier, 0));
                changes.add(new Change(at, partition, offset++, record));
            }
        }
        return barrier;
    }

    private static Map<String, Map<String, String>> replay(List<Change> changes, VirtualTimestamp bound) {
        Map<String, Map<String, String>> rows = new HashMap<>();
        for (Change change : changes) {
            if (change.timestamp().compareTo(bound) >= 0) {
                break;
            }
            JsonNode record = change.record();
            String key = record.get("key").get(0).asText();
            if (record.has("erase")) {
                rows.remove(key);
                continue;
            }
            if (record.has("reset")) {
                rows.remove(key);
            }
            Map<String, String> row =
                    rows.computeIfAbsent(key, missing -> new HashMap<>(Map.of("qty", "null", "title", "null")));
            JsonNode columns = record.has("reset") ? record.get("reset") : record.get("update");
            columns.properties()
                    .forEach(
                            column -> row.put(column.getKey(), column.getValue().asText()));
        }
        return rows;
    }

    private Map<String, Map<String, String>> table(VirtualTimestamp bound) {
        Map<String, Map<String, String>> rows = new HashMap<>();
        bench.database
                .rowsBelow(TABLE, bound)
                .forEach((key, row) -> rows.put(
                        Long.toUnsignedString((Long) key.get(0)),
                        Map.of("qty", String.valueOf(row.get(1)), "title", String.valueOf(row.get(2)))));
        return rows;
    }

    private void assertScanRecordComesFirst() {
        Map<String, VirtualTimestamp> last = new HashMap<>();
        List<Change> changes = new ArrayList<>();
        readAll(changes, new TreeMap<>());
        for (Change change : changes) {
            String key = change.record().get("key").get(0).asText();
            VirtualTimestamp before = last.put(key, change.timestamp());
            assertThat(before == null || before.compareTo(change.timestamp()) <= 0)
                    .as("timestamps of key " + key + " rise")
                    .isTrue();
        }
    }
}
