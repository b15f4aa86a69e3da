package io.aardappel.replicator.config;

import static io.aardappel.contract.ConfigKeys.DEAD_LETTER_QUEUE;
import static io.aardappel.contract.ConfigKeys.INSTANCE_ID;
import static io.aardappel.contract.ConfigKeys.KEY_FILTER;
import static io.aardappel.contract.ConfigKeys.LISTEN;
import static io.aardappel.contract.ConfigKeys.LOG_LEVEL;
import static io.aardappel.contract.ConfigKeys.MAX_EXPECTED_HEARTBEAT_INTERVAL;
import static io.aardappel.contract.ConfigKeys.MON_SERVER;
import static io.aardappel.contract.ConfigKeys.MULTIPLE_INSTANCES_MODE;
import static io.aardappel.contract.ConfigKeys.REPLICATOR;
import static io.aardappel.contract.ConfigKeys.STATE_TABLE;
import static io.aardappel.contract.ConfigKeys.STREAMS;
import static io.aardappel.contract.ConfigKeys.TABLE_PATH;

import io.aardappel.contract.PathText;
import io.aardappel.contract.StateTable;
import io.aardappel.contract.TableName;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/** Reads the text of a configuration file into a {@link ReplicatorConfig}, or into everything that is wrong with it. */
public final class ConfigReader {
    /** H: one second up to a day. */
    static final int HEARTBEAT_MOST = 86_400;

    private static final Pattern LISTEN_ADDRESS = Pattern.compile("(\\[[^\\]]*\\]|[^:\\[\\]]*):(\\d{1,5})");

    private final Problems problems = new Problems();
    private final Problems unknown;
    private final Problems warnings = new Problems();

    private final long heapBytes;

    private ConfigReader(boolean allowUnknown, long heapBytes) {
        this.heapBytes = heapBytes;
        this.unknown = allowUnknown ? warnings : problems;
    }

    /**
     * Reads the text of a file. Touches no file and no network.
     *
     * @param allowUnknown whether unknown keys are warnings instead of problems
     * @param heapBytes Java heap of the process that will run by it
     */
    public static Reading read(String yaml, boolean allowUnknown, long heapBytes) {
        return new ConfigReader(allowUnknown, heapBytes).read(yaml);
    }

    private Reading read(String yaml) {
        ReplicatorConfig config = root(yaml).map(this::config).orElse(null);
        List<Problem> found = problems.list();
        return config == null || !found.isEmpty()
                ? new Reading.Refused(found)
                : new Reading.Accepted(config, warnings.list());
    }

    private Optional<Section> root(String yaml) {
        List<Node> documents = new ArrayList<>();
        try {
            new Yaml(new LoaderOptions()).composeAll(new StringReader(yaml)).forEach(documents::add);
        } catch (MarkedYAMLException malformed) {
            Place place = malformed.getProblemMark() == null
                    ? Place.NONE
                    : new Place(
                            malformed.getProblemMark().getLine() + 1,
                            malformed.getProblemMark().getColumn() + 1);
            problems.add("", place, null, "is no YAML: " + malformed.getProblem(), "correct it there or just before");
            return Optional.empty();
        }
        if (documents.isEmpty()) {
            return Optional.of(new Section("", Place.NONE, problems, unknown)); // every required key is missing
        }
        if (documents.size() > 1) {
            problems.add("", Place.of(documents.get(1)), null, "holds a second document", "keep one document");
        }
        if (documents.get(0) instanceof MappingNode mapping) {
            return Optional.of(new Section("", mapping, problems, unknown));
        }
        problems.add("", Place.of(documents.get(0)), null, "holds no keys", "write KEY: VALUE lines");
        return Optional.empty();
    }

    /** Null after a complaint without which there is nothing to build. */
    private @Nullable ReplicatorConfig config(Section root) {
        Section own = root.section(REPLICATOR).orElseGet(() -> new Section(REPLICATOR, Place.NONE, problems, unknown));
        DatabaseSection source = DatabaseSection.source(root, own);
        DatabaseSection destination = DatabaseSection.destination(root, own);
        Optional<DatabaseConfig> from = source.read();
        Optional<DatabaseConfig> to = destination.read();
        Optional<String> stateTable = stateTable(root, to.map(DatabaseConfig::endpoint));
        String instanceId = root.requiredText(INSTANCE_ID, "name this replication; it keys the state row and the lock");
        boolean waitForLock = root.truth(MULTIPLE_INSTANCES_MODE);
        Duration heartbeat = heartbeat(root);
        LogLevel logLevel = logLevel(root);
        List<StreamConfig> streams = new StreamSections(
                        from.map(DatabaseConfig::endpoint),
                        to.map(DatabaseConfig::endpoint),
                        stateTable.map(ConfigReader::withThoseBeside).orElse(Set.of()))
                .read(root, STREAMS);
        ProblemHandling handling = ProblemSections.read(root, own, to.map(DatabaseConfig::endpoint));
        warnOfSilentSkips(streams, handling);
        warnOfLettersWithoutValues(streams, handling, own);
        Optional<ListenAddress> monitoring = monitoring(root);
        Optional<String> keyFilter = keyFilter(root, to.map(DatabaseConfig::endpoint));
        Tuning tuning = Tuning.read(own, heapBytes);
        own.close();
        root.close();
        if (from.isEmpty() || to.isEmpty() || stateTable.isEmpty()) {
            return null;
        }
        return new ReplicatorConfig(
                from.get(),
                to.get(),
                stateTable.get(),
                instanceId,
                waitForLock,
                heartbeat,
                logLevel,
                streams,
                handling,
                keyFilter,
                monitoring,
                tuning);
    }

    private static Optional<String> stateTable(Section root, Optional<Endpoint> destination) {
        String text = root.requiredText(STATE_TABLE, "name a table in the destination, such as aardappel_state");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return destination.map(endpoint -> Inside.destination(endpoint).table(root, STATE_TABLE, text));
    }

    /** Where the path is none, that was complained of. */
    private static Set<String> withThoseBeside(String stateTable) {
        return PathText.fault(stateTable).isPresent()
                ? Set.of()
                : StateTable.withThoseBeside(new TableName(stateTable)).stream()
                        .map(TableName::path)
                        .collect(Collectors.toUnmodifiableSet());
    }

    private static Duration heartbeat(Section root) {
        String remedy = "write whole seconds from 1 to " + HEARTBEAT_MOST
                + ", more than the RESOLVED_TIMESTAMPS interval of the feeds";
        Optional<Scalar> scalar = root.scalar(MAX_EXPECTED_HEARTBEAT_INTERVAL, "whole seconds");
        if (scalar.isEmpty()) {
            if (!root.has(MAX_EXPECTED_HEARTBEAT_INTERVAL)) {
                root.lacks(MAX_EXPECTED_HEARTBEAT_INTERVAL, remedy);
            }
            return Duration.ofSeconds(1);
        }
        int seconds = scalar.get().count().orElse(0);
        if (seconds < 1 || seconds > HEARTBEAT_MOST) {
            String form = scalar.get().plain() ? "; without a unit" : "; without quotes";
            root.wrong(MAX_EXPECTED_HEARTBEAT_INTERVAL, scalar.get().text(), notSeconds(scalar.get()), remedy + form);
        }
        return Duration.ofSeconds(Math.max(1, seconds));
    }

    private static String notSeconds(Scalar scalar) {
        if (!scalar.text().matches("-?\\d+")) {
            return "is no whole number";
        }
        return scalar.plain() ? "is out of range" : "is text, not a number, because it stands in quotes";
    }

    private static LogLevel logLevel(Section root) {
        String text = root.text(LOG_LEVEL);
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "debug" -> LogLevel.DEBUG;
            case "info" -> LogLevel.INFO;
            case "", "warn" -> LogLevel.WARN;
            case "error", "dpanic", "panic", "fatal" -> LogLevel.ERROR;
            default -> {
                root.wrong(LOG_LEVEL, text, "is no log level", "choose debug, info, warn or error");
                yield LogLevel.WARN;
            }
        };
    }

    private static Optional<ListenAddress> monitoring(Section root) {
        Optional<Section> section = root.section(MON_SERVER);
        if (section.isEmpty()) {
            return Optional.empty();
        }
        Section server = section.get();
        String text = server.requiredText(LISTEN, "write HOST:PORT or :PORT, such as :8080");
        server.close();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Matcher match = LISTEN_ADDRESS.matcher(text);
        if (!match.matches() || Integer.parseInt(match.group(2)) > 65_535) {
            server.wrong(LISTEN, text, "is no listen address", "write HOST:PORT or :PORT, such as :8080");
            return Optional.empty();
        }
        return Optional.of(new ListenAddress(match.group(1), Integer.parseInt(match.group(2))));
    }

    private void warnOfSilentSkips(List<StreamConfig> streams, ProblemHandling handling) {
        if (handling.deadLetters().isEmpty()) {
            streams.stream()
                    .filter(StreamConfig::continues)
                    .forEach(stream -> warnings.add(
                            DEAD_LETTER_QUEUE,
                            Place.NONE,
                            null,
                            "is missing, and records of stream " + stream.sourceTopic()
                                    + " that come late or do not fit are left out and kept nowhere",
                            "name a topic under dead_letter_queue.path"));
        }
    }

    /** Only where nobody chose the format: whoever writes {@code text} knows it. */
    private void warnOfLettersWithoutValues(List<StreamConfig> streams, ProblemHandling handling, Section own) {
        String skipping = streams.stream()
                .filter(StreamConfig::continues)
                .map(StreamConfig::sourceTopic)
                .collect(Collectors.joining(", "));
        if (skipping.isEmpty() || handling.deadLetters().isEmpty() || own.has(ProblemSections.DEAD_LETTER_FORMAT)) {
            return;
        }
        warnings.add(
                own.pathOf(ProblemSections.DEAD_LETTER_FORMAT),
                Place.NONE,
                null,
                "is not given and means text: letters of records that are left out carry no values and can never be"
                        + " replayed; the strategy leaves records out of " + skipping,
                "choose json, or text if the topic's readers need the Go program's lines");
    }

    /** An empty path would leave out nothing, which nobody who writes the section means. */
    private static Optional<String> keyFilter(Section root, Optional<Endpoint> destination) {
        return root.section(KEY_FILTER).map(section -> {
            String text = section.requiredText(TABLE_PATH, "name the table of blocked keys");
            section.close();
            return text.isEmpty() || destination.isEmpty()
                    ? text
                    : Inside.destination(destination.get()).table(section, TABLE_PATH, text);
        });
    }
}
