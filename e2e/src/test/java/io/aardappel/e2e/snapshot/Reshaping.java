package io.aardappel.e2e.snapshot;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.changefeed.FeedKnobs;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Splits and merges partitions of feeds and shards of tables while they are written, and makes records of different shards
 * and partitions overtake each other: all that a cluster may do without breaking a promise.
 */
final class Reshaping {
    private static final int PARTITIONS_MAX = 6;

    private final YdbEmulator emulator;
    private final Database database;
    private final List<SourceTable> tables;
    private final Random random;
    private int splits;
    private int merges;
    private int reshards;

    Reshaping(YdbEmulator emulator, String database, List<SourceTable> tables, long seed) {
        this.emulator = emulator;
        this.database = emulator.database(database);
        this.tables = tables;
        this.random = new Random(seed);
    }

    /** From now on records wait in their shards for random times, and some are overtaken in their partitions. */
    void disorder() {
        for (SourceTable table : tables) {
            knobs(table).interleaveShards(random.nextLong(), 1 + random.nextInt(400));
            knobs(table).reorderRecords(random.nextLong(), random.nextDouble() / 2, 1 + random.nextInt(400));
        }
    }

    void order() {
        for (SourceTable table : tables) {
            knobs(table).interleaveShards(0, 0);
            knobs(table).reorderRecords(0, 0, 0);
        }
    }

    /** Does one thing to one table. */
    void next() {
        SourceTable table = tables.get(random.nextInt(tables.size()));
        Topic topic = emulator.topics(database.path()).get(path(table) + "/feed");
        switch (random.nextInt(5)) {
            case 0, 1 -> database.standingStill(() -> reshape(topic));
            case 2 -> reshard(table);
            case 3 -> knobs(table).skipBarriers(anyOf(topic.activePartitions()), 1 + random.nextInt(2));
            default -> knobs(table).delayPartition(anyOf(topic.activePartitions()), random.nextInt(3) * 300L);
        }
    }

    private void reshape(Topic topic) {
        List<Integer> active = topic.activePartitions();
        if (active.size() < PARTITIONS_MAX && (active.size() < 2 || random.nextInt(5) < 3)) {
            topic.split(anyOf(active), null);
            splits++;
            return;
        }
        List<Integer> rest = new ArrayList<>(active);
        int first = rest.remove(random.nextInt(rest.size()));
        for (int second : rest) {
            try {
                topic.merge(first, second);
                merges++;
                return;
            } catch (YdbException notNeighbours) {
                requireStatus(notNeighbours, Status.BAD_REQUEST);
            }
        }
    }

    private void reshard(SourceTable table) {
        try {
            int shards = database.describeTable(path(table)).shards().size();
            List<List<@Nullable Object>> keys =
                    List.copyOf(database.rowsBelow(path(table), database.now()).keySet());
            if (shards < PARTITIONS_MAX && !keys.isEmpty()) {
                database.splitShard(path(table), anyOf(keys));
            } else if (shards > 1) {
                database.mergeShards(path(table), random.nextInt(shards - 1));
            }
            reshards++;
        } catch (YdbException scanning) {
            requireStatus(scanning, Status.OVERLOADED);
        }
    }

    private static void requireStatus(YdbException refusal, Status expected) {
        if (refusal.status() != expected) {
            throw refusal;
        }
    }

    private <T> T anyOf(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private String path(SourceTable table) {
        return database.path() + "/" + table.name();
    }

    private FeedKnobs knobs(SourceTable table) {
        return emulator.feedKnobs(path(table) + "/feed");
    }

    @Override
    public String toString() {
        return "splits %d, merges %d, reshards %d".formatted(splits, merges, reshards);
    }
}
