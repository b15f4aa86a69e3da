package io.aardappel.operator.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.operator.app.ExitCode;
import io.aardappel.operator.app.RequiredRights;
import io.aardappel.operator.metrics.Metric;
import io.aardappel.operator.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds the tables of {@code docs/operator.md} to the code. {@code make docs} runs it with {@code DOCS_WRITE=true}, which writes them. */
@DisplayName("The reference page of the operator")
class OperatorPageTest {
    private static final Path PAGE = Path.of("..", "docs", "operator.md");
    private static final String END = "<!-- end -->";

    @Test
    void listsTheSettings() throws IOException {
        StringBuilder table =
                new StringBuilder("| flag | variable | value | default | meaning |\n|---|---|---|---|---|\n");
        for (Setting setting : Setting.values()) {
            String fallback = setting.fallback().isEmpty() ? "" : "`" + setting.fallback() + "`";
            table.append("| `%s` | `%s` | %s | %s | %s |\n"
                    .formatted(setting.flag(), setting.variable(), setting.allowed(), fallback, setting.meaning()));
        }
        holdTo("Setting.java", table.toString());
    }

    @Test
    void listsTheExitCodes() throws IOException {
        StringBuilder table = new StringBuilder("| code | when | what to do |\n|---|---|---|\n");
        for (ExitCode code : ExitCode.values()) {
            table.append("| %d | %s | %s |\n".formatted(code.code(), code.meaning(), code.remedy()));
        }
        holdTo("ExitCode.java", table.toString());
    }

    @Test
    void listsTheMetrics() throws IOException {
        StringBuilder table = new StringBuilder("| name | type | labels | meaning |\n|---|---|---|---|\n");
        for (Metric metric : Metric.values()) {
            String labels =
                    metric.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
            table.append("| `%s` | %s | %s | %s |\n"
                    .formatted(metric.exposed(), metric.type().name().toLowerCase(Locale.ROOT), labels, metric.help()));
        }
        holdTo("Metric.java", table.toString());
    }

    @Test
    void listsTheRights() throws IOException {
        holdTo("RequiredRights.java, where Replications are", rights(RequiredRights.inServedNamespaces()));
        holdTo("RequiredRights.java, with PodMonitors", rights(RequiredRights.forPodMonitors()));
        holdTo("RequiredRights.java, where the lease is", rights(RequiredRights.inLeaseNamespace()));
    }

    private static String rights(List<RequiredRights.Right> rights) {
        StringBuilder table = new StringBuilder("| group | resource | verbs | by which it |\n|---|---|---|---|\n");
        for (RequiredRights.Right right : rights) {
            table.append("| %s | `%s` | %s | %s |\n"
                    .formatted(
                            right.group().isEmpty() ? "" : "`" + right.group() + "`",
                            right.resource(),
                            String.join(", ", right.verbs()),
                            right.purpose()));
        }
        return table.toString();
    }

    private static void holdTo(String madeFrom, String table) throws IOException {
        String text = Files.readString(PAGE);
        int begin = text.indexOf('\n', text.indexOf("<!-- made from " + madeFrom)) + 1;
        String made = text.substring(0, begin) + table + text.substring(text.indexOf(END, begin));
        if ("true".equals(System.getenv("DOCS_WRITE"))) {
            Files.writeString(PAGE, made);
        }
        assertThat(Files.readString(PAGE)).as("stale; run `make docs`").isEqualTo(made);
    }
}
