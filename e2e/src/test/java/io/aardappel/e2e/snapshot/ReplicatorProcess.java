package io.aardappel.e2e.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A replicator in a process of its own, so that it can be killed at any instruction. */
final class ReplicatorProcess implements AutoCloseable {
    private final Process process;
    private final Path log;

    private ReplicatorProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static ReplicatorProcess start(SnapshotRun.Program program, Path config, Path log) {
        return start(program, config, log, "256m", Map.of());
    }

    /**
     * Starts it.
     *
     * @param heap such as {@code 256m}
     * @param environment variables beside those of this process
     */
    static ReplicatorProcess start(
            SnapshotRun.Program program, Path config, Path log, String heap, Map<String, String> environment) {
        List<String> command = new ArrayList<>(JavaCommand.of(program, heap));
        command.addAll(List.of("-config", config.toString()));
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            return new ReplicatorProcess(builder.start(), log);
        } catch (IOException e) {
            throw new IllegalStateException("cannot start a replicator", e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** What it occupies of this machine's memory, in MiB. */
    double residentMib() throws IOException {
        String size = Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(size.replaceAll("\\D", "")) / 1_024.0;
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        await();
    }

    /** SIGSTOP. */
    void freeze() {
        signal("STOP");
    }

    /** SIGCONT. */
    void thaw() {
        signal("CONT");
    }

    /** SIGQUIT and SIGSEGV: the runtime prints all threads, then dies and writes a report about that. */
    void crash() {
        signal("QUIT");
        signal("SEGV");
        await();
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, String.valueOf(pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " " + pid() + " ended with code " + code);
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot signal replicator " + pid(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** SIGTERM; the exit code. */
    int terminate() {
        process.destroy();
        return await();
    }

    int exitCode() {
        return process.exitValue();
    }

    private int await() {
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("replicator " + pid() + " did not stop within 30 s: " + tail());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The end of its log, for messages about failures. */
    String tail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
        } catch (IOException e) {
            return "no log: " + e.getMessage();
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
