package io.aardappel.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Metrics and their labels are those of the reference pages, which other tests hold to the code. */
@DisplayName("The alerts")
class AlertsTest {
    private static final Path REPOSITORY = Path.of("..");
    private static final Path RULES = REPOSITORY.resolve("deploy/kustomize/components/alerts/prometheus-rule.yaml");
    private static final String CRD = "crds/replications.aardappel.ydb.tech.yaml";
    private static final Pattern ROW = Pattern.compile("^\\| `([a-z_]+)` \\| [a-z]+ \\| (.*?) \\|");
    private static final Pattern METRIC = Pattern.compile("\\b(aardappel_[a-z_]+)(\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(=~|!~|=|!=)\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)");
    private static final Pattern TEMPLATE = Pattern.compile("\\{\\{ \\$labels\\.([a-z_]+) }}");
    private static final Pattern STATES = Pattern.compile("In a word: ([A-Za-z, ]+)\\.");

    /** Given to every series of a pod by whoever collects it. */
    private static final Set<String> OF_THE_TARGET = Set.of("namespace", "pod");

    static List<JsonNode> rules() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        JsonNode file = Serialization.unmarshal(Files.readString(RULES), JsonNode.class);
        file.path("spec").path("groups").forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }

    private static Map<String, Set<String>> metrics() throws IOException {
        Map<String, Set<String>> metrics = new HashMap<>();
        for (String page : List.of("docs/operator.md", "docs/metrics.md")) {
            for (String line : Files.readAllLines(REPOSITORY.resolve(page))) {
                Matcher row = ROW.matcher(line);
                if (row.find()) {
                    metrics.put(row.group(1), words(row.group(2).replace("`", "")));
                }
            }
        }
        return metrics;
    }

    private static Set<String> words(String list) {
        Set<String> words = new HashSet<>(List.of(list.split("[ ,]+", -1)));
        words.remove("");
        return words;
    }

    @Test
    void haveNamesOfTheirOwn() throws IOException {
        assertThat(rules()).hasSizeGreaterThan(5);
        assertThat(rules()).extracting(rule -> rule.path("alert").asText()).doesNotHaveDuplicates();
    }

    @MethodSource("rules")
    @ParameterizedTest
    void goByMetricsAndLabelsThatThereAre(JsonNode rule) throws IOException {
        String expression = rule.path("expr").asText();
        Map<String, Set<String>> metrics = metrics();
        Set<String> labels = new HashSet<>(OF_THE_TARGET);
        Matcher metric = METRIC.matcher(expression);
        int found = 0;
        while (metric.find()) {
            found++;
            assertThat(metrics).as(expression).containsKey(metric.group(1));
            labels.addAll(metrics.get(metric.group(1)));
            Matcher matcher = MATCHER.matcher(metric.group(3) == null ? "" : metric.group(3));
            while (matcher.find()) {
                assertThat(metrics.get(metric.group(1))).as(expression).contains(matcher.group(1));
                expectValues(matcher.group(1), matcher.group(3));
            }
        }
        assertThat(found).as(expression).isPositive();
        Matcher grouping = GROUPING.matcher(expression);
        while (grouping.find()) {
            assertThat(labels).as(expression).containsAll(words(grouping.group(1)));
        }
        Matcher template = TEMPLATE.matcher(rule.path("annotations").toString());
        while (template.find()) {
            assertThat(labels).as(template.group()).contains(template.group(1));
        }
    }

    /** A word that nobody says would never raise an alarm, or always. */
    private static void expectValues(String label, String values) throws IOException {
        String said = switch (label) {
            case "state" -> {
                Matcher states = STATES.matcher(Serialization.unmarshal(
                                Files.readString(REPOSITORY.resolve(CRD)), JsonNode.class)
                        .at("/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/state/description")
                        .asText());
                assertThat(states.find()).isTrue();
                yield states.group(1).replace(" or ", ", ");
            }
            case "stage" -> "INITIAL_SCAN, RUN";
            case "result" -> "success, failure";
            case "target" -> "database, page";
            case "reason" -> String.join(",", blockingReasons());
            default -> throw new AssertionError("add the values of the label " + label);
        };
        assertThat(words(said)).contains(values.split("\\|", -1));
    }

    private static List<String> blockingReasons() throws IOException {
        try (var pages = Files.list(REPOSITORY.resolve("docs/runbooks/blocking"))) {
            return pages.map(page -> page.getFileName().toString().replace(".md", ""))
                    .toList();
        }
    }

    @MethodSource("rules")
    @ParameterizedTest
    void areWhole(JsonNode rule) {
        String expression = rule.path("expr").asText();
        assertThat(expression.chars().filter(one -> one == '(').count())
                .as(expression)
                .isEqualTo(expression.chars().filter(one -> one == ')').count());
        assertThat(expression.chars().filter(one -> one == '"').count() % 2)
                .as(expression)
                .isZero();
        assertThat(rule.path("for").asText()).matches("[0-9]+[smhd]");
        assertThat(rule.path("labels").path("severity").asText()).isIn("critical", "warning", "info");
        assertThat(rule.path("annotations").path("summary").asText()).isNotBlank();
        assertThat(rule.path("annotations").path("description").asText()).isNotBlank();
    }

    @MethodSource("rules")
    @ParameterizedTest
    void leadToAPageThatThereIs(JsonNode rule) throws IOException {
        String[] parts = rule.path("annotations").path("runbook_url").asText().split("#", 2);
        Path page = REPOSITORY.resolve(parts[0]);
        assertThat(page).isRegularFile();
        if (parts.length > 1) {
            assertThat(Files.readAllLines(page))
                    .filteredOn(line -> line.startsWith("#"))
                    .extracting(line -> line.replaceFirst("^#+ ", "")
                            .toLowerCase(Locale.ROOT)
                            .replace(' ', '-'))
                    .contains(parts[1]);
        }
    }
}
