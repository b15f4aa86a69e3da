package io.aardappel.replicator.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.contract.ConfigKeys;
import io.aardappel.replicator.app.ExitCode;
import io.aardappel.replicator.app.FixedBounds;
import io.aardappel.replicator.app.Main;
import io.aardappel.replicator.app.Seams;
import io.aardappel.replicator.config.Setting;
import io.aardappel.replicator.config.Tuning;
import io.aardappel.replicator.http.Metric;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Holds the tables of {@code docs/} to the code. {@code make docs} runs it with {@code DOCS_WRITE=true}, which writes them. */
@DisplayName("The reference pages")
class ReferencePagesTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final String END = "<!-- end -->";

    @Test
    void listTheSettings() throws IOException {
        StringBuilder table = new StringBuilder("| key | value | default | range | meaning |\n|---|---|---|---|---|\n");
        Tuning.SETTINGS.forEach(setting -> table.append(row(setting)));
        holdTo("configuration.md", "Tuning.java", table.toString());
    }

    private static <T extends Comparable<T>> String row(Setting<T> setting) {
        return "| `%s` | %s | %s | %s | %s |%n"
                .formatted(
                        setting.key(),
                        setting.unit(),
                        setting.print().apply(setting.fallback()),
                        setting.range(),
                        setting.meaning())
                .replace(System.lineSeparator(), "\n");
    }

    @Test
    void listTheBoundsThatAreFixed() throws IOException {
        StringBuilder table =
                new StringBuilder("| bound | value | what it bounds, and why it is so |\n|---|---|---|\n");
        for (FixedBounds.Bound bound : FixedBounds.all()) {
            table.append("| %s | %s | %s |\n".formatted(bound.name(), bound.value(), bound.meaning()));
        }
        holdTo("configuration.md", "FixedBounds.java", table.toString());
    }

    @Test
    void listTheMetrics() throws IOException {
        holdTo("metrics.md", "Metric.java, those of the Go program", metrics(Metric.Owner.GO));
        holdTo("metrics.md", "Metric.java, ours", metrics(Metric.Owner.OURS));
    }

    private static String metrics(Metric.Owner owner) {
        StringBuilder table = new StringBuilder("| name | type | labels | meaning |\n|---|---|---|---|\n");
        for (Metric metric : Metric.values()) {
            if (metric.owner() == owner) {
                String labels =
                        metric.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
                table.append("| `%s` | %s | %s | %s |\n"
                        .formatted(
                                metric.exposed(),
                                metric.type().name().toLowerCase(Locale.ROOT),
                                labels,
                                metric.help()));
            }
        }
        return table.toString();
    }

    @Test
    void listTheExitCodes() throws IOException {
        StringBuilder table = new StringBuilder("| code | when | what to do |\n|---|---|---|\n");
        for (ExitCode code : ExitCode.values()) {
            table.append("| %d | %s | %s |\n".formatted(code.code(), code.meaning(), code.remedy()));
        }
        holdTo("exit-codes.md", "ExitCode.java", table.toString());
    }

    @Test
    void listTheCommands() throws IOException {
        StringBuilder commands = new StringBuilder();
        describe("bin/", Main.commandLine(Seams.SOUND), commands);
        holdTo("commands.md", "ReplicatorCommand.java", commands.toString());
    }

    private static void describe(String above, CommandLine command, StringBuilder to) {
        String name = above + command.getCommandName();
        String usage = command.getUsageMessage(Ansi.OFF).replace(System.lineSeparator(), "\n");
        to.append("\n## %s\n\n```\n%s\n```\n".formatted(name, usage.stripTrailing()));
        command.getSubcommands().values().forEach(below -> describe(name + " ", below, to));
    }

    static Stream<String> keys() {
        return Arrays.stream(ConfigKeys.class.getFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .map(field -> {
                    try {
                        return (String) field.get(null);
                    } catch (IllegalAccessException impossible) {
                        throw new IllegalStateException(impossible);
                    }
                })
                .filter(key -> !List.of("path", "table_path").contains(key)); // of sections that are refused as a whole
    }

    @ParameterizedTest
    @MethodSource("keys")
    void nameEveryKeyOfTheFile(String key) throws IOException {
        assertThat(Files.readString(DOCS.resolve("configuration.md"))).containsPattern("\\b" + key + "\\b");
    }

    private static void holdTo(String page, String madeFrom, String table) throws IOException {
        Path file = DOCS.resolve(page);
        String text = Files.readString(file);
        int begin = text.indexOf('\n', text.indexOf("<!-- made from " + madeFrom)) + 1;
        String made = text.substring(0, begin) + table + text.substring(text.indexOf(END, begin));
        if ("true".equals(System.getenv("DOCS_WRITE"))) {
            Files.writeString(file, made);
        }
        assertThat(Files.readString(file)).as("stale; run `make docs`").isEqualTo(made);
    }
}
