package io.aardappel.emulator.model.table;

import static io.aardappel.emulator.model.table.TableBench.TABLE;
import static io.aardappel.emulator.model.table.TableBench.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many transactions, their steps mixed at random, then the committed ones again one after the other in commit order on a
 * plain map: each must read the same.
 */
@DisplayName("Transactions that ran at the same time")
class SerializabilityTest {
    private static final int KEYS = 24;
    private static final int TRANSACTIONS = 400;
    private static final int AT_ONCE = 5;

    /** One step of a transaction; run on the map it must answer what it answered on the database. */
    private interface Step {
        @Nullable
        Object on(TreeMap<Long, Long> map);
    }

    private static final class Running {
        final Transaction transaction;
        final List<Step> steps = new ArrayList<>();
        final List<@Nullable Object> answers = new ArrayList<>();
        boolean writes;
        int commitsAtFirstRead = -1;
        int left;

        Running(Transaction transaction, int left) {
            this.transaction = transaction;
            this.left = left;
        }
    }

    private record Committed(Running what, VirtualTimestamp timestamp) {}

    private final TableBench bench = new TableBench().table();
    private final List<Committed> committed = new ArrayList<>();
    private final List<TreeMap<Long, Long>> states = new ArrayList<>(List.of(new TreeMap<>()));
    private int aborted;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void areEquivalentToOneAfterTheOther(long seed) {
        Random random = new Random(seed);
        List<Running> running = new ArrayList<>();
        for (int begun = 0; begun < TRANSACTIONS || !running.isEmpty(); ) {
            if (begun < TRANSACTIONS && running.size() < AT_ONCE) {
                running.add(new Running(bench.begin(), 1 + random.nextInt(5)));
                begun++;
            }
            disturb(random);
            Running next = running.get(random.nextInt(running.size()));
            if (!advance(next, random)) {
                running.remove(next);
            }
        }
        assertThat(aborted).as("transactions that met a conflict").isPositive();
        assertThat(committed.size()).as("committed").isGreaterThan(TRANSACTIONS / 4);
        assertThat(committed).extracting(Committed::timestamp).isSorted();
        assertThat(bench.database.runningTransactions()).isZero();
        assertThat(databaseState()).isEqualTo(states.get(states.size() - 1));
    }

    private TreeMap<Long, Long> databaseState() {
        TreeMap<Long, Long> state = new TreeMap<>();
        bench.rows().forEach(row -> state.put((Long) row.get(0), (Long) row.get(1)));
        return state;
    }

    private void disturb(Random random) {
        if (random.nextInt(10) == 0) {
            bench.wall += random.nextInt(3);
        }
        if (random.nextInt(200) == 0) {
            bench.database.splitShard(TABLE, key((long) random.nextInt(KEYS)));
        }
        int shards = bench.database.describeTable(TABLE).shards().size();
        if (shards > 1 && random.nextInt(200) == 0) {
            bench.database.mergeShards(TABLE, random.nextInt(shards - 1));
        }
    }

    /** Does one step; false when the transaction has ended. */
    private boolean advance(Running running, Random random) {
        try {
            if (running.left-- == 0) {
                finish(running, running.transaction.commit());
                return false;
            }
            step(running, random);
            return true;
        } catch (YdbException refused) {
            assertThat(refused.status()).isIn(Status.ABORTED, Status.PRECONDITION_FAILED);
            assertThat(running.transaction.finished()).isTrue();
            aborted += refused.status() == Status.ABORTED ? 1 : 0;
            return false;
        }
    }

    private void step(Running running, Random random) {
        long key = random.nextInt(KEYS);
        long value = random.nextInt(1_000);
        switch (random.nextInt(7)) {
            case 0 ->
                read(running, map -> map.get(key), () -> {
                    @Nullable Object @Nullable [] row = running.transaction.get(bench.schema(), key(key));
                    return row == null ? null : row[1];
                });
            case 1 -> {
                long to = key + random.nextInt(8);
                boolean reverse = random.nextBoolean();
                int limit = 1 + random.nextInt(4);
                read(
                        running,
                        map -> scanMap(map, key, to, reverse, limit),
                        () -> scan(running, key, to, reverse, limit));
            }
            case 2 -> write(running, RowWrite.Kind.DELETE, key, value);
            case 3 -> write(running, RowWrite.Kind.INSERT, key, value);
            case 4 -> write(running, RowWrite.Kind.UPDATE, key, value);
            case 5 -> write(running, RowWrite.Kind.REPLACE, key, value);
            default -> write(running, RowWrite.Kind.UPSERT, key, value);
        }
    }

    private void read(Running running, Step onMap, java.util.function.Supplier<@Nullable Object> onDatabase) {
        noteSnapshot(running);
        running.answers.add(onDatabase.get());
        running.steps.add(onMap);
    }

    private void noteSnapshot(Running running) {
        if (running.commitsAtFirstRead < 0) {
            running.commitsAtFirstRead = states.size() - 1;
        }
    }

    private List<Long> scan(Running running, long from, long to, boolean reverse, int limit) {
        List<Long> seen = new ArrayList<>();
        running.transaction.scan(bench.schema(), new KeyRange(key(from), true, key(to), false), reverse, row -> {
            seen.add((Long) row[0]);
            seen.add((Long) row[1]);
            return seen.size() < 2 * limit;
        });
        return seen;
    }

    private static List<Long> scanMap(TreeMap<Long, Long> map, long from, long to, boolean reverse, int limit) {
        List<Long> seen = new ArrayList<>();
        var part = to <= from ? new TreeMap<Long, Long>() : map.subMap(from, true, to, false);
        (reverse ? part.descendingMap() : part).entrySet().stream().limit(limit).forEach(entry -> {
            seen.add(entry.getKey());
            seen.add(entry.getValue());
        });
        return seen;
    }

    private void write(Running running, RowWrite.Kind kind, long key, long value) {
        if (kind == RowWrite.Kind.INSERT || kind == RowWrite.Kind.UPDATE) {
            noteSnapshot(running);
        }
        boolean found = running.transaction.write(bench.schema(), TableBench.write(kind, key, value));
        // Whether a DELETE found a row is told without a lock, so only an INSERT or UPDATE can be held to its answer.
        boolean told = kind == RowWrite.Kind.INSERT || kind == RowWrite.Kind.UPDATE;
        running.writes |= kind != RowWrite.Kind.UPDATE || found;
        running.answers.add(told ? found : null);
        running.steps.add(map -> {
            boolean there = map.containsKey(key);
            switch (kind) {
                case DELETE -> map.remove(key);
                case UPDATE -> map.computeIfPresent(key, (k, old) -> value);
                default -> map.put(key, value);
            }
            return told ? (kind == RowWrite.Kind.INSERT) != there : null;
        });
    }

    private void finish(Running running, VirtualTimestamp timestamp) {
        int at = states.size() - 1;
        if (!running.writes) {
            at = running.commitsAtFirstRead < 0 ? at : running.commitsAtFirstRead;
        }
        TreeMap<Long, Long> map = new TreeMap<>(states.get(at));
        List<@Nullable Object> again = new ArrayList<>();
        running.steps.forEach(step -> again.add(step.on(map)));
        assertThat(again).as("answers of " + running.transaction.id()).isEqualTo(running.answers);
        if (running.writes) {
            states.add(map);
            committed.add(new Committed(running, timestamp));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {21, 22, 23})
    void canBeReadAsOfEveryTimestamp(long seed) {
        Random random = new Random(seed);
        bench.database.retainHistory();
        TreeMap<VirtualTimestamp, TreeMap<Long, Long>> after = new TreeMap<>();
        TreeMap<Long, Long> map = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            disturb(random);
            long key = random.nextInt(KEYS);
            boolean delete = random.nextInt(4) == 0;
            VirtualTimestamp at =
                    bench.commit(TableBench.write(delete ? RowWrite.Kind.DELETE : RowWrite.Kind.UPSERT, key, i));
            if (delete) {
                map.remove(key);
            } else {
                map.put(key, (long) i);
            }
            after.put(at, new TreeMap<>(map));
        }
        after.forEach((timestamp, expected) -> {
            VirtualTimestamp bound = new VirtualTimestamp(timestamp.step() + 1, 0);
            var below = after.lowerEntry(bound);
            TreeMap<Long, Long> seen = new TreeMap<>();
            bench.database.rowsBelow(TABLE, bound).forEach((k, row) -> seen.put((Long) k.get(0), (Long) row.get(1)));
            assertThat(seen).isEqualTo(below == null ? new TreeMap<>() : below.getValue());
        });
    }
}
