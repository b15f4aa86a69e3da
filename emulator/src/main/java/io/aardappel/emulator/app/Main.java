package io.aardappel.emulator.app;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The program {@code bin/emulator}. */
@Command(
        name = "emulator",
        description = "A YDB that runs anywhere.",
        mixinStandardHelpOptions = true,
        subcommands = ServeCommand.class)
public final class Main implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }

    @Override
    public void run() {
        if (spec != null) {
            throw new CommandLine.ParameterException(spec.commandLine(), "Name a command: serve");
        }
    }
}
