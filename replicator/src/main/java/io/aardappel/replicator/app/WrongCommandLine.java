package io.aardappel.replicator.app;

import io.aardappel.replicator.config.NearestKey;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with a command line, and what was probably meant by it. Stateless. */
final class WrongCommandLine implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        // what is misspelt may be what is said to be missing
        List<String> unmatched = wrong instanceof UnmatchedArgumentException unknown
                ? unknown.getUnmatched()
                : command.getUnmatchedArguments();
        if (!unmatched.isEmpty()) {
            String written = unmatched.get(0);
            err.println(name + " knows no " + written + "; "
                    + meant(written, command).orElseGet(() -> "known here: " + String.join(", ", names(command))));
            err.println("see `" + name + " --help`");
        } else {
            err.println(wrong.getMessage());
            command.usage(err);
        }
        return ExitCode.CONFIGURATION.code();
    }

    private static Optional<String> meant(String written, CommandLine command) {
        String word = written.replaceFirst("=.*", "");
        Optional<String> elsewhere = elsewhere(word, command);
        return elsewhere.isPresent()
                ? elsewhere
                : NearestKey.of(word, names(command)).map(near -> "did you mean " + near + "?");
    }

    /** What is spelled well may have been written in the wrong place. */
    private static Optional<String> elsewhere(String word, CommandLine command) {
        CommandLine root = command;
        for (CommandLine above = root; above != null; above = above.getParent()) {
            root = above;
        }
        List<String> known = all(root)
                .filter(other -> names(other).contains(word))
                .map(other -> other.getCommandSpec().qualifiedName() + " " + word)
                .toList();
        return known.isEmpty() ? Optional.empty() : Optional.of("did you mean " + String.join(" or ", known) + "?");
    }

    private static Stream<CommandLine> all(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(WrongCommandLine::all));
    }

    /** Sub-commands and options, as they are written. */
    private static List<String> names(CommandLine command) {
        List<String> names = new ArrayList<>(command.getSubcommands().keySet());
        Map<String, ?> options = command.getCommandSpec().optionsMap();
        names.addAll(options.keySet().stream().sorted().collect(Collectors.toList()));
        return names;
    }
}
