package io.aardappel.e2e.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Says what goes on, and waits for it with a bound. Not thread-safe. */
final class Narration {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final PrintStream out;
    private final long beganNanos = System.nanoTime();

    Narration(PrintStream out) {
        this.out = out;
    }

    PrintStream out() {
        return out;
    }

    /** A headline with the time since the beginning. */
    void step(String text) {
        out.printf("%n== [%3d s] %s%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNanos), text);
    }

    /** A line below a headline. */
    void say(String text) {
        out.println("   " + text);
    }

    /**
     * Waits until the condition holds.
     *
     * @throws IllegalStateException when it does not within the limit
     */
    static void await(String what, Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("waited " + limit.toSeconds() + " s in vain for " + what);
            }
            pause(PAUSE);
        }
    }

    /** @throws IllegalStateException when this thread is interrupted */
    static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
