package io.aardappel.e2e.snapshot;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads on in a log that processes write to, each line once. Not thread-safe. */
final class LogReading {
    private final Path log;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long at;

    LogReading(Path log) {
        this.log = log;
    }

    /** Gives the whole lines that have come since the last call. */
    void readOn(Consumer<String> lines) {
        if (!Files.exists(log)) {
            return;
        }
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(at);
            byte[] more = new byte[(int) (file.length() - at)];
            file.readFully(more);
            at += more.length;
            int from = 0;
            for (int i = 0; i < more.length; i++) {
                if (more[i] == '\n') {
                    line.write(more, from, i - from);
                    lines.accept(line.toString(StandardCharsets.UTF_8));
                    line.reset();
                    from = i + 1;
                }
            }
            line.write(more, from, more.length - from);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + log, e);
        }
    }
}
