package io.aardappel.e2e.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The demo, interrupted")
class DemoInterruptTest {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final int SIGINT = 2;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Moments by how many processes there are: the demo itself, the emulator, two replicators. */
    @ParameterizedTest(name = "when {0} children have been started")
    @ValueSource(ints = {0, 1, 2, 3})
    void leavesNoProcessBehind(int children, @TempDir Path folder) throws Exception {
        Process demo = new ProcessBuilder(HOME.resolve("bin/demo").toString(), folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("demo.txt").toFile())
                .start();
        Set<ProcessHandle> seen = new HashSet<>();
        try {
            await().atMost(LIMIT).pollInterval(Duration.ofMillis(50)).until(() -> {
                demo.descendants().forEach(seen::add);
                return seen.size() >= children || !demo.isAlive();
            });
            assertThat(demo.isAlive()).as("the demo runs").isTrue();
            interrupt(demo);
            await().atMost(LIMIT).pollInterval(Duration.ofMillis(50)).until(() -> {
                demo.descendants().forEach(seen::add);
                return !demo.isAlive();
            });
            await().atMost(Duration.ofSeconds(5))
                    .untilAsserted(() -> assertThat(seen).noneMatch(ProcessHandle::isAlive));
            if (children > 0) { // before that it may not have begun to speak
                assertThat(folder.resolve("demo.txt"))
                        .content()
                        .contains("Interrupted", "VERDICT: none")
                        .doesNotContain("FAILED");
            }
        } finally {
            seen.forEach(ProcessHandle::destroyForcibly);
            demo.destroyForcibly();
        }
    }

    /** SIGINT, as Ctrl-C sends it; SIGTERM where this very process ignores the other, as what is run in the background does. */
    private static void interrupt(Process process) throws IOException, InterruptedException {
        String signal = ignoresInterrupts(process) ? "-TERM" : "-INT";
        int code = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(code).isZero();
    }

    private static boolean ignoresInterrupts(Process process) throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return false; // no Linux
        }
        String ignored = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> line.substring("SigIgn:".length()).trim())
                .findFirst()
                .orElse("0");
        return (Long.parseUnsignedLong(ignored, 16) & 1L << (SIGINT - 1)) != 0;
    }
}
