package io.aardappel.emulator.grpc.topic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** An executor without a thread: tasks wait until a test runs them, delayed ones until it says that their time has come. */
final class StepScheduler extends AbstractExecutorService implements ScheduledExecutorService {
    private static final class Later<T> extends FutureTask<T> implements ScheduledFuture<T> {
        Later(Callable<T> task) {
            super(task);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<Runnable> delayed = new ArrayList<>();

    /** Runs all that waits, and what that brings about. */
    void run() {
        Runnable task = tasks.pollFirst();
        while (task != null) {
            task.run();
            task = tasks.pollFirst();
        }
    }

    /** Lets the time of all delayed tasks come. */
    void elapse() {
        tasks.addAll(delayed);
        delayed.clear();
        run();
    }

    @Override
    public void execute(Runnable task) {
        tasks.addLast(task);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        Later<Boolean> later = new Later<>(() -> {
            task.run();
            return true;
        });
        delayed.add(later);
        return later;
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long initial, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initial, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {
        tasks.clear();
    }

    @Override
    public List<Runnable> shutdownNow() {
        tasks.clear();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
