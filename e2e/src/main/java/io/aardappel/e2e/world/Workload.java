package io.aardappel.e2e.world;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.StructValue;

/**
 * Customers of the shop: each transaction moves money between accounts, records the transfer, places an order with its
 * lines and takes an old order's lines away, in four tables at once. One thread writes. Thread-safe but for {@link #fill},
 * which comes first.
 */
public final class Workload implements AutoCloseable {
    private static final long ACCOUNTS = 2_000;
    private static final long OPENING_BALANCE = 1_000;
    private static final int ROWS_PER_FILL = 500;
    /** Orders whose lines are still there; older ones lose theirs. */
    private static final int OPEN_ORDERS = 200;

    private static final int TRANSFERS_PER_TRANSACTION = 5;

    /** Slow enough to leave a small machine to the replicators. */
    private static final long TRANSACTIONS_PER_SECOND = 50;

    private final Database source;
    private final RandomGenerator random;
    private final long[] balances = new long[(int) ACCOUNTS];
    private final Deque<StructValue> openLines = new ArrayDeque<>();
    private final AtomicLong transactions = new AtomicLong();
    private final AtomicLong rows = new AtomicLong();
    private volatile boolean stopped;
    private volatile @Nullable RuntimeException failure;
    private @Nullable Thread thread;
    private long nextId = 1;

    /** Writes nothing yet; equal seeds write equal rows. */
    public Workload(Database source, long seed) {
        this.source = source;
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /** Writes what is there before replication begins. Returns the number of rows. */
    public long fill() {
        for (long from = 0; from < ACCOUNTS; from += ROWS_PER_FILL) {
            List<StructValue> accounts = new ArrayList<>();
            for (long id = from; id < from + ROWS_PER_FILL; id++) {
                balances[(int) id] = OPENING_BALANCE;
                accounts.add(Shop.account(key(id), "customer " + id, OPENING_BALANCE));
            }
            source.write(Shop.upsert(Shop.ACCOUNTS, "$rows"), Params.of("$rows", Shop.rows(accounts)));
        }
        for (int i = 0; i < OPEN_ORDERS; i++) {
            trade();
        }
        return ACCOUNTS + rows.getAndSet(0);
    }

    /** Writes from now on, 50 transactions a second at most, until it is stopped. */
    public void start() {
        transactions.set(0);
        Thread started = new Thread(this::run, "workload");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private void run() {
        try {
            long turn = TimeUnit.SECONDS.toNanos(1) / TRANSACTIONS_PER_SECOND;
            while (!stopped) {
                long next = System.nanoTime() + turn;
                trade();
                LockSupport.parkNanos(this, next - System.nanoTime());
            }
        } catch (RuntimeException broken) {
            failure = broken;
        }
    }

    private void trade() {
        Map<Integer, StructValue> changed = new LinkedHashMap<>();
        List<StructValue> transfers = new ArrayList<>();
        for (int i = 0; i < TRANSFERS_PER_TRANSACTION; i++) {
            int from = random.nextInt(balances.length);
            int to = random.nextInt(balances.length);
            if (from != to) {
                long amount = random.nextLong(1, 100);
                balances[from] -= amount;
                balances[to] += amount;
                changed.put(from, Shop.balance(key(from), balances[from]));
                changed.put(to, Shop.balance(key(to), balances[to]));
                transfers.add(Shop.transfer(key(nextId++), key(from), key(to), amount));
            }
        }
        long order = key(nextId++);
        List<StructValue> lines = new ArrayList<>();
        long total = 0;
        for (int line = 1; line <= 3; line++) {
            long price = random.nextLong(1, 50);
            total += price;
            lines.add(Shop.line(order, line, "goods " + random.nextInt(100), price));
            openLines.add(Shop.lineKey(order, line));
        }
        Params params = Params.create()
                .put(
                        "$orders",
                        Shop.rows(List.of(Shop.order(order, key(random.nextInt(balances.length)), total, "für Zoë ✓"))))
                .put("$lines", Shop.rows(lines));
        String statements = Shop.upsert(Shop.ORDERS, "$orders") + Shop.upsert(Shop.LINES, "$lines");
        if (!transfers.isEmpty()) {
            statements += Shop.upsert(Shop.ACCOUNTS, "$accounts") + Shop.upsert(Shop.TRANSFERS, "$transfers");
            params.put("$accounts", Shop.rows(List.copyOf(changed.values()))).put("$transfers", Shop.rows(transfers));
        }
        List<StructValue> closed = closeOldest();
        if (!closed.isEmpty()) {
            statements += Shop.delete(Shop.LINES, "$closed");
            params.put("$closed", Shop.rows(closed));
        }
        source.write(statements, params);
        transactions.incrementAndGet();
        rows.addAndGet(1 + lines.size() + changed.size() + transfers.size() + closed.size());
    }

    private List<StructValue> closeOldest() {
        List<StructValue> closed = new ArrayList<>();
        while (openLines.size() > 3 * OPEN_ORDERS) {
            closed.add(openLines.remove());
        }
        return closed;
    }

    /** Spreads ids over the key space, so that all shards and partitions get their share. */
    private static long key(long id) {
        return Long.reverse(id);
    }

    /** Committed since the start. */
    public long transactions() {
        return transactions.get();
    }

    /** Written or deleted since the start. */
    public long rows() {
        return rows.get();
    }

    /**
     * Looks whether all went well so far.
     *
     * @throws IllegalStateException when a transaction has failed
     */
    public void check() {
        RuntimeException broken = failure;
        if (broken != null) {
            throw new IllegalStateException("the workload failed: " + broken.getMessage(), broken);
        }
    }

    /** Waits for the transaction under way. */
    public void stop() {
        stopped = true;
        Thread running = thread;
        if (running != null) {
            try {
                running.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        stopped = true;
    }
}
