package io.aardappel.program.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

@DisplayName("Log lines")
class JsonLogTest {
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    private Logger logger(String name, Level level) {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        JsonLog.configure(level);
        return LoggerFactory.getLogger(name);
    }

    private List<String> lines() {
        return written.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @AfterEach
    void restore() throws JoranException {
        System.setErr(before);
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        new ContextInitializer(context).autoConfig();
    }

    @Test
    void areOneJsonObjectEachWithTheFieldsOfTheEvent() {
        logger("io.aardappel.Some", Level.INFO)
                .atWarn()
                .addKeyValue("rows", 3)
                .addKeyValue("held", true)
                .addKeyValue("stream", "a/b")
                .log("said \"{}\"", "so");
        assertThat(lines())
                .singleElement()
                .asString()
                .matches(
                        "\\{\"ts\":\"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z\",\"level\":\"warn\",\"message\":\"said \\\\\"so\\\\\"\","
                                + "\"rows\":3,\"held\":true,\"stream\":\"a/b\",\"logger\":\"io\\.aardappel\\.Some\",\"thread\":\"[^\"]+\"}");
    }

    @Test
    void beginAtTheLevelThatIsAskedFor() {
        Logger logger = logger("io.aardappel.Some", Level.WARN);
        logger.info("no");
        logger.warn("yes");
        assertThat(lines()).singleElement().asString().contains("\"message\":\"yes\"");
    }

    @Test
    void keepLibrariesQuietThatPrintHeaders() {
        Logger database = logger("tech.ydb.core", Level.DEBUG);
        Logger cluster = LoggerFactory.getLogger("io.fabric8.kubernetes.client");
        database.info("a header");
        cluster.debug("a header");
        database.warn("one");
        cluster.info("two");
        assertThat(lines()).hasSize(2).noneMatch(line -> line.contains("header"));

        JsonLog.configure(Level.INFO);
        database.warn("a header");
        cluster.info("a header");
        database.error("three");
        cluster.warn("four");
        assertThat(lines()).hasSize(4).noneMatch(line -> line.contains("header"));
    }

    @Test
    void takeInTheFirstLineOfWhatJavaLoggingWarnsOf() {
        logger("io.aardappel.Some", Level.INFO);
        java.util.logging.Logger library = java.util.logging.Logger.getLogger("some.library");
        library.info("no");
        library.warning("yes\n  and more");
        assertThat(lines())
                .singleElement()
                .asString()
                .contains("\"level\":\"warn\",\"message\":\"yes\",\"logger\":\"some.library\"");
    }
}
