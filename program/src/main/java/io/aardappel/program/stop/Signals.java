package io.aardappel.program.stop;

import io.aardappel.program.Program;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns SIGTERM, SIGINT and SIGHUP into a request to stop, and lets the process end with the code of that stop instead
 * of the signal's. Works as a shutdown hook, which the runtime also starts when the program ends by itself; then it does
 * nothing. Thread-safe.
 */
public final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private final StopRequest stop;
    private final Duration limit;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile int code = Program.INTERNAL;

    private Signals(StopRequest stop, Duration limit) {
        this.stop = stop;
        this.limit = limit;
    }

    /**
     * From now on signals ask for a stop.
     *
     * @param limit how long the stop may take before the process ends by force, with {@link Program#INTERNAL}
     */
    public static Signals turnInto(StopRequest stop, Duration limit) {
        Signals signals = new Signals(stop, limit);
        Runtime.getRuntime().addShutdownHook(new Thread(signals::onShutdown, "stop"));
        return signals;
    }

    /**
     * The program has come to its end; what follows is no request.
     *
     * @param with what the process ends with where a signal asked for the stop
     */
    public void ended(int with) {
        code = with;
        ended.countDown();
    }

    private void onShutdown() {
        if (ended.getCount() == 0) {
            return;
        }
        LOG.info("Got OS signal, stopping");
        stop.request();
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
