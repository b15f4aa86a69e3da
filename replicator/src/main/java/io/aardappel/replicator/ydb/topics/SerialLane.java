package io.aardappel.replicator.ydb.topics;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs what it is given one after the other, in order, on threads of a pool. Thread-safe; never blocks the giver. */
final class SerialLane implements Executor {
    /** After so many tasks in a row the thread is given back, so that lanes take turns. */
    private static final int TURN = 64;

    private final Executor pool;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    SerialLane(Executor pool) {
        this.pool = pool;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (waiting.getAndIncrement() == 0) {
            schedule();
        }
    }

    private void schedule() {
        try {
            pool.execute(this::turn);
        } catch (RejectedExecutionException closed) {
            tasks.clear(); // the pool only refuses once the source is closed: nobody listens any more
        }
    }

    private void turn() {
        int done = 0;
        try {
            while (done < TURN) {
                Runnable task = tasks.poll();
                if (task == null) {
                    break;
                }
                done++;
                task.run();
            }
        } finally {
            if (waiting.addAndGet(-done) > 0) {
                schedule();
            }
        }
    }
}
