package io.aardappel.emulator;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of one emulator. All are daemons: an emulator that nobody stops does not keep a program alive. */
final class Workers implements AutoCloseable {
    /** Calls that may wait at one time: slow commits, clients that read slowly. */
    private static final int POOL_THREADS = 128;

    private static final int TIMER_THREADS = 2;
    private static final long IDLE_SECONDS = 10;
    private static final long CYCLE_MILLIS = 5;

    private final ThreadPoolExecutor pool;
    private final ScheduledExecutorService timer;

    Workers() {
        pool = new ThreadPoolExecutor(
                POOL_THREADS,
                POOL_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                named("emulator-worker"));
        pool.allowCoreThreadTimeOut(true);
        timer = Executors.newScheduledThreadPool(TIMER_THREADS, named("emulator-timer"));
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    ExecutorService pool() {
        return pool;
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    /** Runs the cycle again and again, a few milliseconds after it ended. */
    void repeat(Runnable cycle) {
        ScheduledFuture<?> unused =
                timer.scheduleWithFixedDelay(cycle, CYCLE_MILLIS, CYCLE_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        pool.shutdownNow();
    }
}
