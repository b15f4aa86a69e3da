package io.aardappel.replicator.app;

import io.aardappel.replicator.config.ReplicatorConfig;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import tech.ydb.core.grpc.GrpcTransport;

/** A command for a person at a terminal, so it prints plain text; {@code list} and its like are its sub-commands. */
abstract class TerminalCommand {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before a command runs
    private ReplicatorCommand program;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before a command runs
    private CommandSpec spec;

    private @Nullable Report report;

    /** Acts by the configuration. What is wrong with that is printed instead. */
    final int with(Function<ReplicatorConfig, ExitCode> act) {
        return program.configurationFor(out())
                .map(config -> {
                    ExitCode code = act.apply(config);
                    out().explain(config.tuning());
                    return code;
                })
                .orElse(ExitCode.CONFIGURATION)
                .code();
    }

    /** Acts at the destination, the source left alone. What is in the way is printed instead. */
    final ExitCode atDestination(ReplicatorConfig config, Function<GrpcTransport, ExitCode> act) {
        return Visit.destination(config, act, why -> {
            out().println(why);
            return ExitCode.PREFLIGHT;
        });
    }

    final Report out() {
        Report made = report;
        if (made == null) {
            made = new Report(spec.commandLine().getOut());
            report = made;
        }
        return made;
    }
}
