package io.aardappel.program.stop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
@DisplayName("A process that gets SIGTERM")
class SignalsTest {
    private Process process;

    private int codeAfterTermination(String argument) throws IOException, InterruptedException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SignalledProgram.class.getName(),
                        argument)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).isEqualTo("ready");
            process.destroy();
            return process.waitFor();
        }
    }

    @BeforeEach
    void needSignals() {
        assertThat(ProcessHandle.current().supportsNormalTermination()).isTrue();
    }

    @AfterEach
    void end() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void endsWithTheCodeOfTheStop() throws Exception {
        assertThat(codeAfterTermination("7")).isEqualTo(7);
    }

    @Test
    void endsByForceWhenTheStopTakesTooLong() throws Exception {
        assertThat(codeAfterTermination("never")).isEqualTo(1);
    }
}
