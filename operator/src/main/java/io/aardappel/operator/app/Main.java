package io.aardappel.operator.app;

import io.aardappel.program.Program;
import io.aardappel.program.logging.JsonLog;
import io.aardappel.program.stop.Signals;
import io.aardappel.program.stop.StopRequest;
import java.time.Duration;
import org.slf4j.event.Level;
import picocli.CommandLine;

/** Entry of {@code bin/operator}. */
public final class Main {
    /** Beyond every bound that the stop itself keeps, the longest setting of one among them. */
    private static final Duration STOP_LIMIT = Duration.ofMinutes(6);

    public static void main(String[] args) {
        StopRequest stop = new StopRequest();
        Signals signals = Signals.turnInto(stop, STOP_LIMIT);
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
        JsonLog.configure(Level.INFO);
        return Program.run(Main.class, commandLine(seams), args);
    }

    /** The program's options. */
    public static CommandLine commandLine(Seams seams) {
        return OperatorCommand.commandLine(seams);
    }

    private Main() {}
}
