package io.aardappel.operator.app;

import io.aardappel.operator.settings.OperatorSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Entry of {@code bin/operator}. */
public final class Main {
    public static void main(String[] args) {
        StopRequest stop = new StopRequest();
        Signals signals = Signals.turnInto(stop);
        int code = ExitCode.INTERNAL.code();
        try {
            code = run(args, Seams.ofProcess(stop));
        } finally {
            signals.ended(code);
        }
        System.exit(code);
    }

    /**
     * Runs the program until it ends.
     *
     * @return the process's exit code, of {@link ExitCode}
     */
    public static int run(String[] args, Seams seams) {
        Logging.configure(OperatorSettings.Level.INFO);
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

    /** The program's options. */
    public static CommandLine commandLine(Seams seams) {
        return OperatorCommand.commandLine(seams);
    }

    private Main() {}
}
