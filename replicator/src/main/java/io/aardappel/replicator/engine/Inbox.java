package io.aardappel.replicator.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The engine's one entrance. {@link #accept} may be called from any thread and never blocks; what waits here is bounded
 * by the sources' read credit and by one answer for each request. {@link #poll} and {@link #await} belong to the engine's
 * thread.
 */
public final class Inbox implements Consumer<Event> {
    private final ConcurrentLinkedQueue<Event> events = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread waiting;

    @Override
    public void accept(Event event) {
        events.add(event);
        wake();
    }

    /** Ends a wait early. */
    void wake() {
        Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    @Nullable
    Event poll() {
        return events.poll();
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    /** Waits until something is there, {@link #wake} is called or the time is over; may return early. */
    void await(long nanos) {
        waiting = Thread.currentThread();
        try {
            if (events.isEmpty()) {
                LockSupport.parkNanos(this, nanos);
            }
        } finally {
            waiting = null;
        }
    }
}
