package io.aardappel.e2e.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A replicator in a process of its own, so that it can be killed at any instruction. */
final class ReplicatorProcess implements AutoCloseable {
    private final Process process;
    private final Path log;

    private ReplicatorProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts one.
     *
     * @param main class with the entry point; tests that plant faults give one of their own
     */
    static ReplicatorProcess start(String main, Path config, Path log, List<String> systemProperties) {
        List<String> command = new java.util.ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(systemProperties);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main, "-config", config.toString()));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            return new ReplicatorProcess(process, log);
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

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        await();
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
