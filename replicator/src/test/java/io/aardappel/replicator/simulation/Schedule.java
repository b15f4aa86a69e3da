package io.aardappel.replicator.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Random;

/** One scheduler with virtual time: the same seed gives the same run. */
final class Schedule {
    static final long MS = 1_000_000L;
    /** Steps that are remembered, and the longest that one is told. */
    static final int REMEMBERED = 50;

    private static final int LONGEST = 300;

    private record Task(long at, long number, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** Put into words only when somebody asks: most runs hold what they should. */
    private record Step(long millis, String format, Object[] values) {
        @Override
        public String toString() {
            String text = millis + " ms  " + format.formatted(values);
            return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
        }
    }

    final Random random;
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final Deque<Step> steps = new ArrayDeque<>();
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

    void runNext() {
        Task task = tasks.remove();
        now = task.at();
        task.action().run();
    }

    /** @param values immutable: they are put into words later */
    void note(String format, Object... values) {
        if (steps.size() == REMEMBERED) {
            steps.removeFirst();
        }
        steps.add(new Step(millis(), format, values));
    }

    /** The last of what was noted, a line each. */
    String lastSteps() {
        StringBuilder text = new StringBuilder();
        steps.forEach(step -> text.append("\n  ").append(step));
        return text.toString();
    }

    /** A number that two runs share only when they took the same way. */
    long fingerprint() {
        return 31 * (31 * now + numbers) + random.nextLong();
    }
}
