package io.aardappel.kube.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program with a folder of its own that ends with this JVM, even when the JVM is killed, and takes the folder with it.
 *
 * <p>A shell stands between: it is the program's parent and reads its standard input, which ends when this object is
 * closed, or when the system closes the pipes of a JVM that is no more.
 */
final class TetheredProcess implements AutoCloseable {
    private static final long SECONDS_TO_STOP = 20;
    private static final int LINES_TOLD = 20;

    /**
     * Killed, not asked: there is nothing worth saving. Signals of a terminal, which go to all its processes, are left
     * to the JVM. The file {@code ended} keeps a number that another process may have by now from being killed.
     */
    private static final String TETHER = """
            folder=$1
            shift
            exec 3<&0
            trap '' HUP INT TERM
            "$@" >"$folder/log" 2>&1 3<&- &
            program=$!
            (read -r _ <&3; [ -e "$folder/ended" ] || kill -9 $program) &
            wait $program
            echo $? >"$folder/ended"
            wait
            rm -rf "$folder"
            """;

    private final Path folder;
    private final Process shell;

    private TetheredProcess(Path folder, Process shell) {
        this.folder = folder;
        this.shell = shell;
    }

    /** A new folder for the program's files, for its owner alone. Deleted when the program has ended by {@link #close}. */
    static Path folder(String name) {
        try {
            return Files.createTempDirectory("aardappel-" + name + "-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder for " + name, e);
        }
    }

    /**
     * Starts a program whose output goes to a file in the folder.
     *
     * @param folder made by {@link #folder}; belongs to the process from now on
     */
    static TetheredProcess start(Path folder, List<String> command) {
        List<String> tethered = new ArrayList<>(List.of("sh", "-c", TETHER, "tether", folder.toString()));
        tethered.addAll(command);
        try {
            Process shell = new ProcessBuilder(tethered)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new TetheredProcess(folder, shell);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.get(0) + " by way of sh", e);
        }
    }

    /** The program's own; not there any more once it has ended by {@link #close}. */
    Path folder() {
        return folder;
    }

    /** Whether the program has ended by itself. */
    boolean hasEnded() {
        return !shell.isAlive() || Files.exists(folder.resolve("ended"));
    }

    /** The last lines that the program printed. */
    String lastLines() {
        Path log = folder.resolve("log");
        if (!Files.exists(log)) {
            return "(no output)";
        }
        try {
            List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_TOLD), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + log, e);
        }
    }

    /** Returns when program and folder are gone. Closing again does nothing. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            if (!shell.waitFor(SECONDS_TO_STOP, TimeUnit.SECONDS)) {
                throw new IllegalStateException("process %d did not end %d s after it was told to; its files are in %s"
                        .formatted(shell.pid(), SECONDS_TO_STOP, folder));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot end process " + shell.pid(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while process " + shell.pid() + " was ending", e);
        }
    }
}
