package io.aardappel.kube.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** etcd and kube-apiserver in a folder of this machine, where one script of the repository puts them. */
record ServerPrograms(Path folder) {
    private static final Path SCRIPT = Path.of("scripts", "kube-apiserver.sh");

    /**
     * Asks the script, which alone knows versions and folder. Builds nothing.
     *
     * @throws IllegalStateException if this JVM does not run below the repository, or the script fails
     */
    static ServerPrograms find() {
        Path script = script(Path.of("").toAbsolutePath());
        try {
            Process asked = new ProcessBuilder("bash", script.toString(), "--where")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int code = asked.waitFor();
            if (code != 0) {
                throw new IllegalStateException("%s --where ended with %d: %s".formatted(script, code, answer));
            }
            return new ServerPrograms(Path.of(answer));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run bash " + script + "; bash is needed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + script + " was asked for its folder", e);
        }
    }

    private static Path script(Path below) {
        for (Path at = below; at != null; at = at.getParent()) {
            if (Files.isRegularFile(at.resolve(SCRIPT))) {
                return at.resolve(SCRIPT);
            }
        }
        throw new IllegalStateException(
                "no %s in %s or above it: run the tests within the repository".formatted(SCRIPT, below));
    }

    Path etcd() {
        return folder.resolve("etcd");
    }

    Path kubeApiServer() {
        return folder.resolve("kube-apiserver");
    }

    /** What is not there and how to get it; empty when both programs can be started. */
    Optional<String> missing() {
        return Stream.of(etcd(), kubeApiServer())
                .filter(program -> !Files.isExecutable(program))
                .findFirst()
                .map(program -> ("there is no %s: run %s, which builds it once (about five minutes on two processors;"
                                + " needs go and the network)")
                        .formatted(program, SCRIPT));
    }
}
