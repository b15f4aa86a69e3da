package io.aardappel.replicator.app;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns SIGTERM, SIGINT and SIGHUP into a request to stop, and lets the process end with the code of that stop instead of
 * the signal's. Works as a shutdown hook, which the runtime also starts when the program ends by itself; then it does
 * nothing.
 */
final class StopRequest {
    private static final Logger LOG = LoggerFactory.getLogger(StopRequest.class);

    private final Duration limit;
    private final Runnable stop;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean requested;
    private volatile int code = ExitCode.INTERNAL.code();

    /**
     * @param stop asks for the stop; called at most once, from a thread of its own
     * @param limit how long the stop may take before the process ends by force
     */
    StopRequest(Runnable stop, Duration limit) {
        this.stop = stop;
        this.limit = limit;
    }

    void install() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::onShutdown, "stop"));
    }

    boolean isRequested() {
        return requested;
    }

    /** The program has come to its end; what follows is no request. */
    void ended(ExitCode with) {
        code = with.code();
        ended.countDown();
    }

    private void onShutdown() {
        if (ended.getCount() == 0) {
            if (requested) {
                Runtime.getRuntime().halt(code);
            }
            return;
        }
        requested = true;
        LOG.info("Got OS signal, stopping");
        stop.run();
        try {
            if (!ended.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.error("the stop took more than {} ms; ending by force", limit.toMillis());
            }
        } catch (InterruptedException interrupted) {
            LOG.error("interrupted while stopping; ending by force");
        }
        Runtime.getRuntime().halt(code);
    }
}
