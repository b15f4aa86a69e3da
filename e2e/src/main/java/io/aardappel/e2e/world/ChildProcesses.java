package io.aardappel.e2e.world;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The processes that this one started. None outlives it: {@link #close} also runs when the runtime is told to stop, and a
 * start that is under way at that moment is either refused or ended. Thread-safe.
 */
public final class ChildProcesses implements AutoCloseable {
    /** How long a process may take to stop by itself before it is killed. */
    private static final long GRACE_SECONDS = 3;

    /** Several runtimes share this machine for a minute: starting quickly matters more than running fast. */
    private static final String SMALL_MACHINE = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx512m";

    private final Path logs;
    private final List<Process> children = new ArrayList<>();
    private boolean closed;

    /**
     * None yet.
     *
     * @param logs existing folder for what they print
     */
    public ChildProcesses(Path logs) {
        this.logs = logs;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "end-children"));
    }

    /** Where a process of that name writes. */
    public Path log(String name) {
        return logs.resolve(name + ".log");
    }

    /** Starts a process whose output goes to its log. */
    public synchronized Process start(String name, List<String> command) throws IOException {
        if (closed) {
            throw new IOException("stopping; " + name + " is not started any more");
        }
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()));
        builder.environment().put("JAVA_OPTS", SMALL_MACHINE);
        builder.environment().put("EMULATOR_JAVA_OPTS", SMALL_MACHINE);
        Process child = builder.start();
        children.add(child);
        return child;
    }

    @Override
    public synchronized void close() {
        closed = true;
        children.forEach(Process::destroy);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
        for (Process child : children) {
            try {
                if (!child.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                    child.destroyForcibly();
                }
            } catch (InterruptedException interrupted) {
                child.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        children.clear();
    }
}
