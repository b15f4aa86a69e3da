package io.aardappel.replicator.app;

import io.aardappel.replicator.config.LogLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
        Logging.configure(LogLevel.INFO);
        Logger log = LoggerFactory.getLogger(Main.class);
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, bug) -> log.error("thread {} ended by an exception", thread.getName(), bug));
        return commandLine(seams)
                .setExecutionExceptionHandler((bug, command, parsed) -> {
                    log.error("ended by an exception", bug);
                    return ExitCode.INTERNAL.code();
                })
                .execute(args);
    }

    /** The program's commands and options. */
    public static CommandLine commandLine(Seams seams) {
        return new CommandLine(new ReplicatorCommand(seams))
                .setPosixClusteredShortOptionsAllowed(false)
                .setParameterExceptionHandler(new WrongCommandLine());
    }

    private Main() {}
}
