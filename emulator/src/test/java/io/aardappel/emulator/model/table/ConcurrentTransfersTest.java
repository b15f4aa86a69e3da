package io.aardappel.emulator.model.table;

import static io.aardappel.emulator.model.table.TableBench.TABLE;
import static io.aardappel.emulator.model.table.TableBench.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Transfers from several threads")
class ConcurrentTransfersTest {
    private static final int ACCOUNTS = 16;
    private static final int THREADS = 4;
    private static final int TRANSFERS = 300;

    private final TableBench bench = new TableBench().table();

    @Test
    void neverChangeTheSum() throws Exception {
        for (long account = 0; account < ACCOUNTS; account++) {
            bench.commit(TableBench.upsert(account, 100L, null));
        }
        bench.database.splitShard(TABLE, key(ACCOUNTS / 2L));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Integer>> workers = new ArrayList<>();
            for (int seed = 0; seed < THREADS - 1; seed++) {
                Random random = new Random(seed);
                workers.add(() -> transferAll(random));
            }
            workers.add(this::sumAgainAndAgain);
            for (Future<Integer> worker : threads.invokeAll(workers)) {
                worker.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(sum()).isEqualTo(100L * ACCOUNTS);
        assertThat(bench.database.runningTransactions()).isZero();
    }

    private int transferAll(Random random) {
        int done = 0;
        while (done < TRANSFERS) {
            try {
                transfer(random.nextInt(ACCOUNTS), random.nextInt(ACCOUNTS), random.nextInt(10));
                done++;
            } catch (YdbException conflict) {
                assertThat(conflict.status()).isEqualTo(Status.ABORTED);
            }
        }
        return done;
    }

    private void transfer(long from, long to, long amount) {
        if (from == to) {
            return;
        }
        Transaction transaction = bench.begin();
        TableSchema table = transaction.schema(TABLE);
        long left = balance(transaction, table, from) - amount;
        long right = balance(transaction, table, to) + amount;
        transaction.write(table, TableBench.upsert(from, left, null));
        transaction.write(table, TableBench.upsert(to, right, null));
        transaction.commit();
    }

    private static long balance(Transaction transaction, TableSchema table, long account) {
        @Nullable Object @Nullable [] row = transaction.get(table, key(account));
        assertThat(row).isNotNull();
        return row == null || row[1] == null ? 0 : (Long) row[1];
    }

    private int sumAgainAndAgain() {
        for (int i = 0; i < TRANSFERS; i++) {
            assertThat(sum()).isEqualTo(100L * ACCOUNTS);
        }
        return TRANSFERS;
    }

    private long sum() {
        return bench.rows().stream().mapToLong(row -> (Long) row.get(1)).sum();
    }
}
