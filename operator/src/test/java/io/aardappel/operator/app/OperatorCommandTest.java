package io.aardappel.operator.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.aardappel.operator.settings.Setting;
import io.aardappel.program.stop.StopRequest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

@DisplayName("The command line")
class OperatorCommandTest {
    private final AtomicInteger touched = new AtomicInteger();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(Map<String, String> environment, String... arguments) {
        Seams seams = new Seams(
                environment,
                interceptor -> {
                    touched.incrementAndGet();
                    throw new IllegalStateException("the cluster is not to be touched");
                },
                DatabaseAccess::of,
                new StopRequest());
        CommandLine line = Main.commandLine(seams).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    private List<String> refused(Map<String, String> environment, String... arguments) {
        Logger logger = (Logger) LoggerFactory.getLogger(OperatorCommand.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        logger.setLevel(Level.INFO);
        lines.start();
        logger.addAppender(lines);
        try {
            assertThat(execute(environment, arguments)).isEqualTo(2);
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(touched).hasValue(0);
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void reportsEveryWrongSettingBeforeAnythingIsTouched() {
        List<String> told = refused(Map.of("LISTEN", "8080"), "--poll-period=soon");
        assertThat(told).hasSize(4);
        assertThat(told).anyMatch(line -> line.startsWith("--poll-period is \"soon\""));
        assertThat(told).anyMatch(line -> line.startsWith("LISTEN is \"8080\""));
        assertThat(told).anyMatch(line -> line.startsWith("neither --replicator-image nor REPLICATOR_IMAGE is set"));
        assertThat(told).endsWith("the settings cannot be used; problems: 3; nothing was touched");
    }

    @Test
    void suggestsWhatAMisspeltFlagMayMeanBesideAllElseThatIsWrong() {
        List<String> told = refused(
                Map.of("LISTEN", "8080"),
                "--pol-period=3s",
                "--watch-namespace",
                "shop",
                "--log-level=info",
                "--log-level=warn",
                "--replicator-image=image",
                "--poll-period");
        assertThat(told)
                .anyMatch(
                        line -> line.matches("--pol-period is no flag of the operator; did you mean .*--poll-period.*"))
                .anyMatch(line -> line.matches("--watch-namespace is no flag .*--watch-namespaces.*"))
                .anyMatch(line -> line.startsWith("\"shop\" belongs to no flag"))
                .contains("--log-level is given more than once; write it once")
                .contains("--poll-period has no value; write --poll-period=VALUE")
                .anyMatch(line -> line.startsWith("LISTEN is \"8080\""))
                .endsWith("the settings cannot be used; problems: 6; nothing was touched");
    }

    @Test
    void namesEverySettingInItsHelp() {
        assertThat(execute(Map.of(), "--help")).isZero();
        for (Setting setting : Setting.values()) {
            assertThat(out.toString()).contains(setting.flag() + "=").contains(setting.variable());
        }
    }
}
