package io.aardappel.bench.process;

import java.util.concurrent.TimeUnit;

/** How a program is ended: asked first. */
final class Ending {
    private Ending() {}

    /** Ends the process; by force when it takes longer than that, or when the caller is interrupted. */
    static void of(Process process, long patienceSeconds) {
        process.destroy();
        try {
            if (!process.waitFor(patienceSeconds, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
