package io.aardappel.replicator.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Random;

/** One scheduler with virtual time: the same seed gives the same run. */
final class Schedule {
    static final long MS = 1_000_000L;
    private static final int REMEMBERED = 50;

    private record Task(long at, long number, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    final Random random;
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final Deque<String> steps = new ArrayDeque<>();
    private long now;
    private long numbers;

    Schedule(long seed) {
        this.random = new Random(seed);
    }

    long nanos() {
        return now;
    }

    long millis() {
        return now / MS;
    }

    void afterMillis(long millis, Runnable action) {
        afterNanos(millis * MS, action);
    }

    void afterNanos(long nanos, Runnable action) {
        tasks.add(new Task(now + nanos, numbers++, action));
    }

    /** Between one and that many milliseconds. */
    long someMillis(int most) {
        return 1 + random.nextInt(most);
    }

    boolean chance(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** @return whether anything was left to run */
    boolean runNext() {
        Task task = tasks.poll();
        if (task == null) {
            return false;
        }
        now = task.at();
        task.action().run();
        return true;
    }

    void note(String step) {
        if (steps.size() == REMEMBERED) {
            steps.removeFirst();
        }
        steps.add(millis() + " ms  " + step);
    }

    String lastSteps() {
        return String.join("\n  ", steps);
    }
}
