package io.aardappel.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What a process uses of the machine. */
public final class Usage {
    private static final String PEAK = "VmHWM:";

    private Usage() {}

    /** Processor time so far, of user and system. */
    public static Duration cpu(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Most memory that it had resident so far, in MiB; 0 on systems without {@code /proc}. */
    public static double peakResidentMib(ProcessHandle process) {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return 0;
        }
        try {
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith(PEAK))
                    .mapToDouble(line -> Double.parseDouble(line.substring(PEAK.length())
                                    .replace("kB", "")
                                    .strip())
                            / 1_024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + status, e);
        }
    }
}
