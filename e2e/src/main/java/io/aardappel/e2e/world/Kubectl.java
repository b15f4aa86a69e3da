package io.aardappel.e2e.world;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The program kubectl in one namespace of the cluster that {@code KUBECONFIG} names. Thread-safe. */
public final class Kubectl {
    private static final String REQUEST_TIMEOUT = "--request-timeout=20s";

    /** What a shell takes as it is. */
    private static final Pattern PLAIN = Pattern.compile("[\\w/:=.,@%+-]+");

    private final String program;
    private final String namespace;
    private final Path errors;

    /** @param errors file to which what it says on stderr is appended */
    public Kubectl(String program, String namespace, Path errors) {
        this.program = program;
        this.namespace = namespace;
        this.errors = errors;
    }

    /** The whole command, for a process that somebody else starts. */
    public List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(program, "-n", namespace));
        command.addAll(List.of(arguments));
        return command;
    }

    /** The command as a person types it in a shell; no argument may have an apostrophe. */
    public String typed(String... arguments) {
        return Stream.of(arguments)
                .map(Kubectl::quoted)
                .collect(Collectors.joining(" ", "kubectl -n " + namespace + " ", ""));
    }

    private static String quoted(String argument) {
        return PLAIN.matcher(argument).matches() ? argument : "'" + argument + "'";
    }

    /**
     * Runs it to its end, each request to the API server for 20 seconds at most.
     *
     * @return what it printed on stdout
     * @throws IllegalStateException when it cannot be run or ends with another code than 0
     */
    public String run(String... arguments) {
        List<String> command = command(arguments);
        command.add(REQUEST_TIMEOUT);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                    .start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(
                        "`%s` ended with code %d; what it said is in %s".formatted(typed(arguments), code, errors));
            }
            return printed;
        } catch (IOException notRun) {
            throw new IllegalStateException("cannot run `%s`".formatted(typed(arguments)), notRun);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in `%s`".formatted(typed(arguments)), interrupted);
        }
    }
}
