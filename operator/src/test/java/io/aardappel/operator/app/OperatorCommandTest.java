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

    @Test
    void reportsEveryWrongSettingBeforeAnythingIsTouched() {
        Logger logger = (Logger) LoggerFactory.getLogger(OperatorCommand.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        logger.setLevel(Level.INFO);
        lines.start();
        logger.addAppender(lines);
        try {
            assertThat(execute(Map.of("LISTEN", "8080"), "--poll-period=soon")).isEqualTo(2);
        } finally {
            logger.detachAppender(lines);
        }
        List<String> told =
                lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        assertThat(told).hasSize(4);
        assertThat(told).anyMatch(line -> line.startsWith("--poll-period: \"soon\""));
        assertThat(told).anyMatch(line -> line.startsWith("LISTEN: \"8080\""));
        assertThat(told).anyMatch(line -> line.startsWith("REPLICATOR_IMAGE: is not set"));
        assertThat(told).anyMatch(line -> line.contains("problems: 3; nothing was touched"));
        assertThat(touched).hasValue(0);
    }

    @Test
    void suggestsWhatAMisspeltFlagMayMean() {
        assertThat(execute(Map.of(), "--pol-period=3s")).isEqualTo(2);
        assertThat(err.toString()).contains("--pol-period=3s").contains("--poll-period");
        assertThat(touched).hasValue(0);
    }

    @Test
    void namesEverySettingInItsHelp() {
        assertThat(execute(Map.of(), "--help")).isZero();
        for (Setting setting : Setting.values()) {
            assertThat(out.toString()).contains(setting.flag() + "=").contains(setting.variable());
        }
    }
}
