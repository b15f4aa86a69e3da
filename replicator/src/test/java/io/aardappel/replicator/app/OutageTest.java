package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.aardappel.replicator.ydb.preflight.Finding;
import io.aardappel.replicator.ydb.preflight.Finding.Severity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A database that is away at the start")
class OutageTest {
    private static final Finding CLOSED =
            new Finding(Severity.UNREACHABLE, "the source database grpc://h:1/db", "the port is closed", "Start it");
    private static final Finding SILENT =
            new Finding(Severity.UNREACHABLE, "the source database grpc://h:1/db", "nothing answers", "Check it");

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Outage outage;

    OutageTest() {
        LoggerContext context = new LoggerContext();
        lines.setContext(context);
        lines.start();
        Logger logger = context.getLogger("test");
        logger.addAppender(lines);
        outage = new Outage(logger, Duration.ofSeconds(60), Duration.ofMinutes(10));
    }

    private void lasts(Finding finding, long second) {
        outage.lasts(List.of(finding), 0, TimeUnit.SECONDS.toNanos(second));
    }

    private List<String> messages() {
        return lines.list.stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage())
                .toList();
    }

    @Test
    void isToldOnceAMinuteHoweverOftenItIsTried() {
        for (int second = 2; second <= 120; second += 2) {
            lasts(CLOSED, second);
        }
        assertThat(messages())
                .hasSize(2)
                .containsOnly("WARN the source database grpc://h:1/db: the port is closed. Start it; trying again");
    }

    @Test
    void isToldAnewWhenItTurnsIntoSomethingElse() {
        lasts(CLOSED, 2);
        lasts(SILENT, 4);
        assertThat(messages()).element(1).asString().contains("nothing answers");
    }

    @Test
    void isToldToBeOverAtTheLevelOfItsBeginning() {
        lasts(CLOSED, 2);
        outage.passed();
        outage.passed();
        assertThat(messages()).hasSize(2).last().isEqualTo("WARN both databases answer again");
    }

    @Test
    void isNotToldToBeOverWhenThereWasNone() {
        outage.passed();
        assertThat(messages()).isEmpty();
    }

    @Test
    void isToldAsAnErrorAtTheEndOfThePatience() {
        lasts(CLOSED, 2);
        outage.ends();
        assertThat(messages())
                .last()
                .asString()
                .startsWith("ERROR the source database grpc://h:1/db: the port is closed")
                .contains("600 s (replicator.retry_time_max)");
    }
}
