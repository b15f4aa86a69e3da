package io.aardappel.replicator.ydb.topics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Runs what it is given one after the other, in order, where a task may have to wait for something: it is run again later,
 * and what was given after it waits with it. No thread waits meanwhile. Thread-safe; never blocks the giver.
 */
final class PatientLane {
    /** Something to be done in its turn. */
    interface Task {
        /** Answers whether it is done; otherwise it is run again, from its beginning. */
        boolean run();
    }

    private final Executor lane;
    private final Consumer<Runnable> later;
    // both belong to the lane
    private final Deque<Task> tasks = new ArrayDeque<>();
    private boolean waiting;

    /**
     * @param lane runs one thing after the other
     * @param later runs what a task has to wait for, and then what it is given, on any thread
     */
    PatientLane(Executor lane, Consumer<Runnable> later) {
        this.lane = lane;
        this.later = later;
    }

    void execute(Task task) {
        lane.execute(() -> {
            tasks.add(task);
            if (!waiting) {
                work();
            }
        });
    }

    private void work() {
        waiting = false;
        Task task = tasks.poll();
        while (task != null) {
            if (!task.run()) {
                tasks.addFirst(task);
                waiting = true;
                later.accept(() -> lane.execute(this::work));
                return;
            }
            task = tasks.poll();
        }
    }
}
