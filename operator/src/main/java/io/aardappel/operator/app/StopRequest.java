package io.aardappel.operator.app;

import java.util.ArrayList;
import java.util.List;

/** Asks the program to stop. Once asked, it stays asked. Thread-safe. */
public final class StopRequest {
    private final List<Runnable> actions = new ArrayList<>();
    private boolean requested;

    /** Returns at once; the stop goes on in the program's own thread. */
    public void request() {
        List<Runnable> due;
        synchronized (this) {
            requested = true;
            due = List.copyOf(actions);
            actions.clear();
        }
        due.forEach(Runnable::run);
    }

    /** Runs the action when the stop is requested, at once when it was already. It must not block. */
    void whenRequested(Runnable action) {
        synchronized (this) {
            if (!requested) {
                actions.add(action);
                return;
            }
        }
        action.run();
    }
}
