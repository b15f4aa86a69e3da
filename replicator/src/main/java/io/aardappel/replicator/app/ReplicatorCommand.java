package io.aardappel.replicator.app;

import io.aardappel.program.logging.JsonLog;
import io.aardappel.replicator.config.ConfigReader;
import io.aardappel.replicator.config.Problem;
import io.aardappel.replicator.config.Reading;
import io.aardappel.replicator.config.ReplicatorConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line of {@code bin/replicator}. */
@Command(
        name = "replicator",
        description = "Keeps tables of one YDB a consistent snapshot of another's.",
        sortOptions = false,
        subcommands = {MembersCommand.class, KeyFilterCommand.class, DlqCommand.class},
        footer = {"", "Exit codes are listed in docs/exit-codes.md, the file's keys in docs/configuration.md."})
final class ReplicatorCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicatorCommand.class);

    /** Said by bin/replicator: Java does not tell it of stderr alone. A collector of logs gets JSON lines and nothing else. */
    static final String STDERR_IS_A_TERMINAL = "aardappel.terminal";

    private final Seams seams;

    @Option(
            names = {"-config", "--config"},
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            defaultValue = "config.yaml",
            description = "The configuration file (default: ${DEFAULT-VALUE}).")
    private Path file = Path.of("config.yaml");

    @Option(
            names = "--allow-unknown",
            scope = ScopeType.INHERIT,
            description = "Warn about unknown keys in the file instead of refusing it.")
    private boolean allowUnknown;

    @Option(
            names = "--check",
            description =
                    "Print what a start would find in the file, both databases and the instance's state, with every"
                            + " problem, change nothing and end with the code that a start would end with.")
    private boolean check;

    @Option(
            names = {"-h", "-help", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Print this.")
    @SuppressWarnings("UnusedVariable") // picocli prints the usage when it is set
    private boolean help;

    @Option(names = "--version", versionHelp = true, description = "Print the version.")
    @SuppressWarnings("UnusedVariable") // picocli prints the version when it is set
    private boolean version;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    ReplicatorCommand(Seams seams) {
        this.seams = seams;
    }

    @Override
    public Integer call() {
        return (check ? check() : run()).code();
    }

    private ExitCode run() {
        Optional<ReplicatorConfig> config = configuration();
        if (config.isEmpty()) {
            return ExitCode.CONFIGURATION;
        }
        JsonLog.configure(Level.valueOf(config.get().logLevel().name()));
        return new ReplicatorProcess(config.get(), seams).run();
    }

    /** For a person at a terminal, so in plain text. */
    private ExitCode check() {
        PrintWriter out = spec.commandLine().getOut();
        Optional<ReplicatorConfig> config = configurationFor(out);
        if (config.isEmpty()) {
            return ExitCode.CONFIGURATION;
        }
        Optional<String> deaf = new ReplicatorProcess(config.get(), seams).checkListening();
        Report report = new Report(out);
        ExitCode code = new StartCheck(config.get(), file.toString(), report).run(deaf);
        report.explain(config.get().tuning());
        return code;
    }

    /**
     * The configuration for a command of a person at a terminal, who is to see no log.
     *
     * @param out gets every problem, and then the answer is empty; and every warning
     */
    Optional<ReplicatorConfig> configurationFor(PrintWriter out) {
        JsonLog.configure(Level.ERROR);
        Reading reading = read();
        if (reading instanceof Reading.Refused refused) {
            print(refused.problems(), out);
            return Optional.empty();
        }
        Reading.Accepted accepted = (Reading.Accepted) reading;
        accepted.warnings().forEach(warning -> out.println("warning: " + warning));
        return Optional.of(accepted.config());
    }

    private void print(List<Problem> problems, PrintWriter to) {
        to.println(file + " cannot be used:");
        problems.forEach(problem -> to.println("  " + problem));
    }

    /** Empty after every problem has been logged; a person who looks on gets them as plain text as well. */
    private Optional<ReplicatorConfig> configuration() {
        Reading reading = read();
        if (reading instanceof Reading.Accepted accepted) {
            accepted.warnings().forEach(warning -> LOG.warn("{}: {}", file, warning));
            return Optional.of(accepted.config());
        }
        List<Problem> problems = ((Reading.Refused) reading).problems();
        for (Problem problem : problems) {
            LOG.atError()
                    .addKeyValue("path", problem.path())
                    .addKeyValue("line", problem.line())
                    .log("{}: {}", file, problem);
        }
        LOG.error("{} cannot be used; problems: {}; nothing was touched", file, problems.size());
        if (Boolean.getBoolean(STDERR_IS_A_TERMINAL)) {
            print(problems, spec.commandLine().getErr());
        }
        return Optional.empty();
    }

    private Reading read() {
        try {
            return ConfigReader.read(
                    Files.readString(file), allowUnknown, Runtime.getRuntime().maxMemory());
        } catch (NoSuchFileException missing) {
            return unreadable("there is no such file", "name the configuration file with -config FILE");
        } catch (MalformedInputException encoding) {
            return unreadable("is not text in UTF-8", "save it as UTF-8");
        } catch (IOException io) {
            return unreadable("cannot be read: " + io.getMessage(), "check that this user may read it");
        }
    }

    private static Reading unreadable(String fault, String remedy) {
        return new Reading.Refused(List.of(new Problem("", 0, 0, null, fault, remedy)));
    }
}
