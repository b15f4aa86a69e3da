package io.aardappel.emulator.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

@DisplayName("The program")
class ServeCommandTest {
    private static final int WRONG_USAGE = 2;

    static Stream<Arguments> wrongFlags() {
        return Stream.of(
                Arguments.of(List.of("serve", "--listen", "nowhere"), "--listen wants HOST:PORT, was nowhere"),
                Arguments.of(List.of("serve", "--listen", "localhost:70000"), "--listen wants HOST:PORT"),
                Arguments.of(List.of("serve", "--user", "ann"), "--user wants NAME:PASSWORD"),
                Arguments.of(List.of("serve", "--tls", "yes"), "--tls knows self-signed only"),
                Arguments.of(List.of("serve", "--tls-cert", "server.pem"), "--tls-cert and --tls-key belong together"),
                Arguments.of(List.of("serve", "--nothing"), "Unknown option"),
                Arguments.of(List.of(), "Name a command"));
    }

    @ParameterizedTest
    @MethodSource("wrongFlags")
    void saysWhatIsWrongWithAFlag(List<String> arguments, String message) {
        StringWriter errors = new StringWriter();
        int code = new CommandLine(new Main())
                .setErr(new PrintWriter(errors, true))
                .execute(arguments.toArray(String[]::new));
        assertThat(code).isEqualTo(WRONG_USAGE);
        assertThat(errors.toString()).contains(message);
    }

    @Nested
    @DisplayName("that serves")
    class ThatServes {
        /** That of this test, whether a tool gave it to the virtual machine or to a class loader of its own. */
        private static String classPath() {
            if (ServeCommandTest.class.getClassLoader() instanceof URLClassLoader loader) {
                return Stream.of(loader.getURLs()).map(URL::getPath).collect(Collectors.joining(File.pathSeparator));
            }
            return System.getProperty("java.class.path");
        }

        private static Process start() throws Exception {
            return new ProcessBuilder(
                            System.getProperty("java.home") + "/bin/java",
                            "-Xmx256m",
                            "-cp",
                            classPath(),
                            "-Dlogback.configurationFile=io/aardappel/emulator/app/logback.xml",
                            Main.class.getName(),
                            "serve",
                            "--listen",
                            "127.0.0.1:0",
                            "--database",
                            "/local",
                            "--database",
                            "/other")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        }

        @Test
        void printsItsConnectionStringsAndStopsCleanlyOnSigterm() throws Exception {
            Process program = start();
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8))) {
                String line = String.valueOf(out.readLine());
                assertThat(line).startsWith("READY grpc://127.0.0.1:").endsWith("/?database=/local");
                assertThat(URI.create(line.substring("READY ".length())).getPort())
                        .isPositive();
                assertThat(out.readLine()).isEqualTo(line.replace("/local", "/other"));
                program.destroy();
                assertThat(program.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(program.exitValue()).isZero();
            } finally {
                program.destroyForcibly();
            }
        }
    }
}
