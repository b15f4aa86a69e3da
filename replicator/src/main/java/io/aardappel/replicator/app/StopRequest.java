package io.aardappel.replicator.app;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns SIGTERM, SIGINT and SIGHUP into a request to stop, and lets the process end with the code of that stop instead of
 * the signal's. Works as a shutdown hook, which the runtime also starts when the program ends by itself; then it does
 * nothing. Thread-safe.
 */
final class StopRequest {
    private static final Logger LOG = LoggerFactory.getLogger(StopRequest.class);

    private final Duration limit;
    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Runnable action;
    private volatile ExitCode code = ExitCode.INTERNAL;

    /** The limit is how long the stop may take before the process ends by force. */
    StopRequest(Duration limit) {
        this.limit = limit;
    }

    void install() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::onShutdown, "stop"));
    }

    boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** Waits for a request, at most that long. An interrupt counts as one. */
    boolean isRequestedWithin(Duration time) {
        try {
            return requested.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Runs the action when the stop is requested, at once when it was already; must not block. */
    synchronized void whenRequested(Runnable stop) {
        action = stop;
        if (isRequested()) {
            stop.run();
        }
    }

    /** The program has come to its end; what follows is no request. */
    void ended(ExitCode with) {
        code = with;
        ended.countDown();
    }

    private synchronized void request() {
        requested.countDown();
        if (action != null) {
            action.run();
        }
    }

    private void onShutdown() {
        if (ended.getCount() == 0) {
            return;
        }
        LOG.info("Got OS signal, stopping");
        request();
        try {
            if (!ended.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.error("the stop took more than {} ms; ending by force", limit.toMillis());
            }
        } catch (InterruptedException interrupted) {
            LOG.error("interrupted while stopping; ending by force");
        }
        Runtime.getRuntime().halt(code.code());
    }
}
