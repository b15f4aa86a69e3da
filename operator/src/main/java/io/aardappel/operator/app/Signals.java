package io.aardappel.operator.app;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns SIGTERM, SIGINT and SIGHUP into a request to stop, and lets the process end with the code of that stop instead of the
 * signal's. Works as a shutdown hook, which the runtime also starts when the program ends by itself; then it does nothing.
 */
final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    /** Beyond every bound that the stop itself keeps, the longest setting of one among them. */
    private static final Duration LIMIT = Duration.ofMinutes(6);

    private final StopRequest stop;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile int code = ExitCode.INTERNAL.code();

    private Signals(StopRequest stop) {
        this.stop = stop;
    }

    /** From now on signals ask for a stop. */
    static Signals turnInto(StopRequest stop) {
        Signals signals = new Signals(stop);
        Runtime.getRuntime().addShutdownHook(new Thread(signals::onShutdown, "stop"));
        return signals;
    }

    /** The program has come to its end; what follows is no request. */
    void ended(int with) {
        code = with;
        ended.countDown();
    }

    private void onShutdown() {
        if (ended.getCount() == 0) {
            return;
        }
        LOG.info("a signal asks for a stop");
        stop.request();
        try {
            if (!ended.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.error("the stop took more than {} s; ending by force", LIMIT.toSeconds());
            }
        } catch (InterruptedException interrupted) {
            LOG.error("interrupted while stopping; ending by force");
        }
        Runtime.getRuntime().halt(code);
    }
}
