package io.aardappel.replicator.app;

import io.aardappel.program.Program;
import io.aardappel.program.Version;
import io.aardappel.program.logging.JsonLog;
import org.slf4j.event.Level;
import picocli.CommandLine;

/** Entry of {@code bin/replicator}. */
public final class Main {
    public static void main(String[] args) {
        System.exit(run(args, Seams.SOUND));
    }

    /**
     * Runs the program until it ends.
     *
     * @param seams {@link Seams#SOUND} in programs
     * @return the process's exit code, of {@link ExitCode}
     */
    public static int run(String[] args, Seams seams) {
        JsonLog.configure(Level.INFO);
        return Program.run(Main.class, commandLine(seams), args);
    }

    /** The program's commands and options. */
    public static CommandLine commandLine(Seams seams) {
        CommandLine line = new CommandLine(new ReplicatorCommand(seams));
        line.getCommandSpec().version("replicator " + Version.of(Main.class));
        return line.setPosixClusteredShortOptionsAllowed(false).setParameterExceptionHandler(new WrongCommandLine());
    }

    private Main() {}
}
