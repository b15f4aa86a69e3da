package io.aardappel.program.stop;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks a program to stop. Once asked, it stays asked. Thread-safe. */
public final class StopRequest {
    private final CountDownLatch requested = new CountDownLatch(1);
    private @Nullable Runnable action;

    /** Returns when the action that is due now has run; the stop goes on in the program's own threads. */
    public synchronized void request() {
        requested.countDown();
        if (action != null) {
            action.run();
        }
    }

    public boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** Waits for a request, at most that long. An interrupt counts as one. */
    public boolean isRequestedWithin(Duration time) {
        try {
            return requested.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /**
     * Runs the action when the stop is requested, at once when it was already.
     *
     * @param stop takes the place of the one before; must not block
     */
    public synchronized void whenRequested(Runnable stop) {
        action = stop;
        if (isRequested()) {
            stop.run();
        }
    }
}
