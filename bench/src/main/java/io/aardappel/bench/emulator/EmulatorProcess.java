package io.aardappel.bench.emulator;

import io.aardappel.emulator.app.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The emulator's program, run with this program's Java and class path. It is gone when closed. */
final class EmulatorProcess implements AutoCloseable {
    private static final String READY = "READY ";
    private static final long STOP_SECONDS = 10;

    private final Process process;
    private final String url;

    private EmulatorProcess(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    static EmulatorProcess start() {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx3g",
                "-Dlogback.configurationFile=io/aardappel/emulator/app/logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--database",
                "/local");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new EmulatorProcess(process, ready(process));
        } catch (IOException e) {
            throw new UncheckedIOException("the emulator cannot be started", e);
        }
    }

    @SuppressWarnings("MustBeClosedChecker") // the reader lives as long as the process
    private static String ready(Process process) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        while (line != null && !line.startsWith(READY)) {
            line = out.readLine();
        }
        if (line == null) {
            throw new IOException("the emulator ended before it was ready");
        }
        return line.substring(READY.length());
    }

    /** {@code grpc://HOST:PORT/?database=/local}. */
    String url() {
        return url;
    }

    String host() {
        String authority = url.substring("grpc://".length(), url.indexOf('/', "grpc://".length()));
        return authority.substring(0, authority.lastIndexOf(':'));
    }

    int port() {
        String authority = url.substring("grpc://".length(), url.indexOf('/', "grpc://".length()));
        return Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1));
    }

    /** Processor time that it used so far. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
