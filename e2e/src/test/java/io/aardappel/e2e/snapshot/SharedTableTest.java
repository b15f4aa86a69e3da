package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.e2e.world.Row;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.table.query.Params;

/**
 * Two source tables are written at random, in transactions of their own and in common ones; at every checkpoint the one
 * destination table must hold what all changes below it leave, in the order of their positions, and those of one position
 * in the order of their topics' names.
 */
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("Two streams into one table")
class SharedTableTest {
    private static final List<String> TABLES = List.of("a", "b");
    private static final Length SHORT = new Length(400, 4, false);
    private static final Length LONG = new Length(1_500, 12, true);
    private static final Duration LIMIT = Duration.ofSeconds(45);
    /** Of the keys a third belongs to the first table alone, a third to the second, and the rest to both. */
    private static final int KEYS = 90;

    private static final String COLUMNS = "k Uint64 NOT NULL, v Utf8, w Utf8, PRIMARY KEY (k)";
    private static final String SHARDS = " WITH (UNIFORM_PARTITIONS = 2)";

    @TempDir
    private Path folder;

    /**
     * How much is written and compared at least.
     *
     * @param killed whether the replicator is killed halfway
     */
    private record Length(int transactions, int checkpoints, boolean killed) {
        boolean isReached(int committed, int compared) {
            return committed >= transactions && compared >= checkpoints;
        }
    }

    /** One change of a key, as its feed tells it. */
    private record Change(VirtualTimestamp at, String table, long key, RowWrite write) {}

    private final List<Change> changes = new ArrayList<>();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = 1)
    @DisplayName("leave in it what the last of them by position said")
    void lastByPositionB35(long seed) {
        run(seed, SHORT);
    }

    @Tag("slow")
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {2, 3, 4})
    @DisplayName("leave in it what the last of them by position said, whoever applied what came before")
    void lastByPositionThroughKills(long seed) {
        run(seed, LONG);
    }

    private void run(long seed, Length length) {
        Random random = new Random(seed);
        try (Scene scene = new Scene(folder)) {
            begin(scene);
            Database source = scene.emulator.database(Scene.SOURCE);
            source.setClockResolution(1 + random.nextInt(40)); // so that transactions share positions
            int halfway = length.transactions() / 4 + random.nextInt(length.transactions() / 2);
            Set<String> compared = new HashSet<>();
            long end = System.nanoTime() + LIMIT.toNanos();
            for (int i = 0; !length.isReached(i, compared.size()) && System.nanoTime() < end; i++) {
                commit(source, random);
                if (length.killed() && i == halfway) {
                    scene.kill();
                    scene.start("transaction_rows: 40");
                }
                if (i % 25 == 0) {
                    compare(scene, compared);
                }
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            }
            scene.settle();
            compare(scene, compared);
            System.out.printf("seed %d: changes %d, checkpoints %d%n", seed, changes.size(), compared.size());
            assertThat(compared).hasSizeGreaterThanOrEqualTo(length.checkpoints());
        }
    }

    /** In stage RUN, as a predecessor leaves it: streams that share a table cannot begin with a scan. */
    private static void begin(Scene scene) {
        scene.table("b", COLUMNS, SHARDS, "UPDATES");
        scene.table("a", COLUMNS, SHARDS, "UPDATES");
        scene.start();
        for (String table : TABLES) {
            for (int i = 0; i < 8; i++) {
                scene.write("UPSERT INTO " + table + " (k) VALUES (" + key(i) + "ul);");
                scene.write("DELETE FROM " + table + " WHERE k = " + key(i) + "ul;");
            }
        }
        scene.settle();
        scene.stop();
        scene.destination.write(
                "DELETE FROM state_instances WHERE id = 'scene'; DELETE FROM state_streams WHERE id = 'scene';",
                Params.empty());
        scene.redirectStream(0, "t");
        scene.redirectStream(1, "t");
        scene.destination.define("CREATE TABLE t (" + COLUMNS + ");");
        scene.start("transaction_rows: 40");
        scene.settle();
    }

    /** Spread over the shards. */
    private static String key(long index) {
        return Long.toUnsignedString(Long.divideUnsigned(-1L, KEYS) * index);
    }

    private void commit(Database source, Random random) {
        List<String> tables = random.nextInt(3) == 0 ? TABLES : List.of(TABLES.get(random.nextInt(TABLES.size())));
        Transaction transaction = source.begin(Transaction.Mode.SERIALIZABLE_READ_WRITE);
        List<Function<VirtualTimestamp, Change>> made = new ArrayList<>();
        for (String table : tables) {
            Set<Long> used = new HashSet<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                int third = table.equals("a") ? 0 : KEYS / 3;
                long index = random.nextBoolean() ? third + random.nextInt(KEYS / 3) : 2 * KEYS / 3 + random.nextInt(5);
                long key = Long.parseUnsignedLong(key(index));
                if (used.add(key)) {
                    RowWrite write = write(random, key);
                    transaction.write(transaction.schema(Scene.SOURCE + "/" + table), write);
                    made.add(at -> new Change(at, table, key, write));
                }
            }
        }
        VirtualTimestamp at = transaction.commit();
        made.forEach(change -> changes.add(change.apply(at)));
    }

    private static RowWrite write(Random random, long key) {
        String text = "x" + random.nextInt(100_000);
        return switch (random.nextInt(6)) {
            case 0 -> new RowWrite(RowWrite.Kind.DELETE, List.of(key), new int[0], new Object[0]);
            case 1 -> new RowWrite(RowWrite.Kind.REPLACE, List.of(key), new int[] {2}, new Object[] {text});
            case 2 -> new RowWrite(RowWrite.Kind.UPSERT, List.of(key), new int[] {1, 2}, new Object[] {text, text});
            default ->
                new RowWrite(
                        RowWrite.Kind.UPSERT, List.of(key), new int[] {1 + random.nextInt(2)}, new Object[] {text});
        };
    }

    private void compare(Scene scene, Set<String> compared) {
        List<Row> seen = scene.destination.read(
                "SELECT step_id, tx_id, stage FROM state WHERE id = 'scene'; SELECT k, v, w FROM t;");
        Row state = seen.get(0);
        VirtualTimestamp checkpoint = new VirtualTimestamp(
                Long.parseUnsignedLong(Scene.plain(state.text("step_id"))),
                Long.parseUnsignedLong(Scene.plain(state.text("tx_id"))));
        if (compared.add(checkpoint.toString())) {
            Map<String, String> mine = seen.subList(1, seen.size()).stream()
                    .collect(Collectors.toMap(
                            row -> Scene.plain(row.text("k")),
                            row -> Scene.plain(row.text("v")) + "|" + Scene.plain(row.text("w"))));
            assertThat(new TreeMap<>(mine)).as("at %s", checkpoint).isEqualTo(expected(checkpoint));
        }
    }

    private Map<String, String> expected(VirtualTimestamp checkpoint) {
        Map<Long, @Nullable Object[]> rows = new TreeMap<>();
        changes.stream()
                .filter(change -> change.at().compareTo(checkpoint) < 0)
                .sorted(Comparator.comparing(Change::at).thenComparing(Change::table))
                .forEach(change -> apply(rows, change.key(), change.write()));
        Map<String, String> printed = new TreeMap<>();
        rows.forEach((key, row) -> printed.put(Long.toUnsignedString(key), print(row[1]) + "|" + print(row[2])));
        return printed;
    }

    private static void apply(Map<Long, @Nullable Object[]> rows, long key, RowWrite write) {
        if (write.kind() == RowWrite.Kind.DELETE) {
            rows.remove(key);
            return;
        }
        @Nullable Object[] row = rows.get(key);
        if (row == null || write.kind() == RowWrite.Kind.REPLACE) {
            row = new @Nullable Object[3];
            rows.put(key, row);
        }
        for (int i = 0; i < write.columns().length; i++) {
            row[write.columns()[i]] = write.values()[i];
        }
    }

    private static String print(@Nullable Object value) {
        return Objects.requireNonNullElse(value, "Empty[]").toString();
    }
}
