package io.aardappel.kube.junit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A JVM that runs a class of the tests until it is killed. */
final class ChildJvm implements AutoCloseable {
    private static final String READY = "READY ";

    private final Process process;

    private ChildJvm(Process process) {
        this.process = process;
    }

    static ChildJvm running(Class<?> main) throws IOException {
        return new ChildJvm(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Called in the child: tells the parent and waits to be killed. */
    static void ready(List<String> told) throws InterruptedException {
        System.out.println(READY + String.join(" ", told));
        Thread.currentThread().join();
    }

    /** What the child told, once it is ready. */
    List<String> told() throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(READY)) {
                return List.of(line.substring(READY.length()).split(" "));
            }
        }
        throw new IllegalStateException("the child ended before it was ready; its errors are printed above");
    }

    /** As the system does when memory is short: no hook of the JVM runs. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
