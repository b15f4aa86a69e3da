package io.aardappel.bench.process;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A program that a benchmark starts: it ends with the benchmark, even when a signal ends that. */
public final class Child {
    private Child() {}

    /** Starts it. */
    public static Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end-" + process.pid()));
        return process;
    }

    /** Ends it, asked first; by force when it takes longer than that, or when the caller is interrupted. */
    static void end(Process process, long patienceSeconds) {
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
