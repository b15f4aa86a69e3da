package io.aardappel.bench.process;

import io.aardappel.emulator.app.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The emulator's program, run with this program's Java and class path. It is gone when closed. */
public final class EmulatorProcess implements AutoCloseable {
    private static final String READY = "READY ";
    private static final String CONTROL = "CONTROL ";
    private static final long STOP_SECONDS = 10;

    private final Process process;
    private final URI url;
    private final URI control;

    private EmulatorProcess(Process process, List<String> lines) {
        this.process = process;
        this.url = URI.create(after(READY, lines));
        this.control = URI.create(after(CONTROL, lines));
    }

    private static String after(String word, List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(word))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the emulator ended before it was ready"))
                .substring(word.length());
    }

    public static EmulatorProcess start() {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx6g",
                "-Dlogback.configurationFile=io/aardappel/emulator/app/logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--control",
                "127.0.0.1:0",
                "--database",
                "/local");
        try {
            Process process = Child.start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
            return new EmulatorProcess(process, ready(process));
        } catch (IOException e) {
            throw new UncheckedIOException("the emulator cannot be started", e);
        }
    }

    @SuppressWarnings("MustBeClosedChecker") // the reader lives as long as the process
    private static List<String> ready(Process process) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        String line = out.readLine();
        while (line != null) {
            lines.add(line);
            if (line.startsWith(READY)) {
                break;
            }
            line = out.readLine();
        }
        return lines;
    }

    /** {@code grpc://HOST:PORT/?database=/local}. */
    public String url() {
        return url.toString();
    }

    public String host() {
        return url.getHost();
    }

    public int port() {
        return url.getPort();
    }

    /** Where faults are ordered. */
    public URI control() {
        return control;
    }

    /** Processor time that it used so far. */
    public Duration cpu() {
        return Usage.cpu(process.toHandle());
    }

    @Override
    public void close() {
        Child.end(process, STOP_SECONDS);
    }
}
