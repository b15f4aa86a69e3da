package io.aardappel.operator.app;

import io.aardappel.operator.settings.OperatorSettings;
import io.aardappel.operator.settings.Reading;
import io.aardappel.operator.settings.Setting;
import io.aardappel.operator.settings.SettingsReader;
import io.aardappel.program.Version;
import io.aardappel.program.logging.JsonLog;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of {@code bin/operator}: a flag for each {@link Setting}. */
@Command(
        name = "operator",
        description = "Keeps the pods of Replications as their resources say.",
        sortOptions = false,
        footer = {
            "",
            "Each flag may be given by a variable of the environment instead; the flag wins. See docs/operator.md."
        })
final class OperatorCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorCommand.class);

    private final Seams seams;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    @SuppressWarnings("UnusedVariable") // picocli prints the usage when it is set
    private boolean help;

    @Option(names = "--version", versionHelp = true, description = "Print the version.")
    @SuppressWarnings("UnusedVariable") // picocli prints the version when it is set
    private boolean version;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    private OperatorCommand(Seams seams) {
        this.seams = seams;
    }

    static CommandLine commandLine(Seams seams) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new OperatorCommand(seams))
                .version("operator " + Version.of(Main.class));
        for (Setting setting : Setting.values()) {
            spec.addOption(OptionSpec.builder(setting.flag())
                    .type(String.class)
                    .paramLabel("VALUE")
                    .description(description(setting))
                    .build());
        }
        // Every mistake is told, beside those in the settings: see run.
        spec.parser().collectErrors(true);
        return new CommandLine(spec).setPosixClusteredShortOptionsAllowed(false);
    }

    private static String description(Setting setting) {
        String fallback = setting.fallback().isEmpty() ? "" : " (default: " + setting.fallback() + ")";
        return (setting.meaning() + " Value: " + setting.allowed() + fallback + ". Variable: " + setting.variable()
                        + ".")
                .replace("`", "")
                .replace("%", "%%");
    }

    @Override
    public Integer call() {
        return run().code();
    }

    private ExitCode run() {
        List<String> problems = new ArrayList<>(misspelt());
        Reading reading = SettingsReader.read(flags(), seams.environment());
        if (reading instanceof Reading.Refused refused) {
            problems.addAll(refused.problems());
        }
        if (!problems.isEmpty()) {
            problems.forEach(problem -> LOG.error("{}", problem));
            LOG.error("the settings cannot be used; problems: {}; nothing was touched", problems.size());
            return ExitCode.CONFIGURATION;
        }
        OperatorSettings settings = ((Reading.Accepted) reading).settings();
        JsonLog.configure(Level.valueOf(settings.logLevel().name()));
        return new OperatorProcess(settings, seams).run();
    }

    /** What is no command line of this program. */
    private List<String> misspelt() {
        List<String> problems = new ArrayList<>();
        for (Exception error : spec.commandLine().getParseResult().errors()) {
            if (error instanceof UnmatchedArgumentException unmatched) {
                unmatched.getUnmatched().forEach(argument -> problems.add(unknown(argument)));
            } else if (error instanceof MissingParameterException missing) {
                missing.getMissing()
                        .forEach(flag -> problems.add(flag(flag) + " has no value; write " + flag(flag) + "=VALUE"));
            } else if (error instanceof OverwrittenOptionException twice) {
                problems.add(flag(twice.getOverwritten()) + " is given more than once; write it once");
            } else {
                problems.add(error.getMessage());
            }
        }
        return problems;
    }

    private static String flag(ArgSpec argument) {
        return ((OptionSpec) argument).longestName();
    }

    private String unknown(String argument) {
        if (!argument.startsWith("-")) {
            return "\"" + argument + "\" belongs to no flag; write --flag=VALUE, and see `operator --help`";
        }
        String flag = argument.replaceFirst("=.*", "");
        List<String> near = new UnmatchedArgumentException(spec.commandLine(), List.of(flag)).getSuggestions();
        return flag + " is no flag of the operator; "
                + (near.isEmpty() ? "" : "did you mean " + String.join(" or ", near) + "? ")
                + "`operator --help` lists all";
    }

    private Map<Setting, String> flags() {
        ParseResult parsed = spec.commandLine().getParseResult();
        Map<Setting, String> flags = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            if (parsed.hasMatchedOption(setting.flag())) {
                flags.put(setting, parsed.matchedOptionValue(setting.flag(), ""));
            }
        }
        return flags;
    }
}
