package io.aardappel.program;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Runs a program by its command line. */
public final class Program {
    /** What a program ends with after a bug, and after a stop that took too long. */
    public static final int INTERNAL = 1;

    /**
     * Runs it to its end, in this thread. An exception that nobody expected is logged, whichever thread it ended, and is no
     * reason to end without a word.
     *
     * @param main in whose name exceptions are logged
     * @param line the program's commands and options
     * @return the process's exit code: what the command returned, {@link #INTERNAL} when it threw
     */
    public static int run(Class<?> main, CommandLine line, String... arguments) {
        Logger log = LoggerFactory.getLogger(main);
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, bug) -> log.error("thread {} ended by an exception", thread.getName(), bug));
        return line.setExecutionExceptionHandler((bug, command, parsed) -> {
                    log.error("ended by an exception", bug);
                    return INTERNAL;
                })
                .execute(arguments);
    }

    private Program() {}
}
