package io.aardappel.program;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@DisplayName("A program")
class ProgramTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(ProgramTest.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @Command(name = "it")
    private record It(Callable<Integer> work) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            return work.call();
        }
    }

    private static int run(Callable<Integer> work) {
        return Program.run(ProgramTest.class, new CommandLine(new It(work)));
    }

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void restore() {
        logger.detachAppender(lines);
        logger.setAdditive(true);
        Thread.setDefaultUncaughtExceptionHandler(null);
    }

    @Test
    void endsWithWhatItsCommandReturns() {
        assertThat(run(() -> 4)).isEqualTo(4);
        assertThat(lines.list).isEmpty();
    }

    @Test
    void endsWithOneAfterABug() {
        int code = run(() -> {
            throw new IllegalStateException("a bug");
        });
        assertThat(code).isEqualTo(1);
        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).isEqualTo("ended by an exception");
            assertThat(line.getThrowableProxy().getMessage()).isEqualTo("a bug");
        });
    }

    @Test
    void tellsOfAThreadThatABugEnded() {
        int code = run(() -> {
            Thread thread = new Thread(
                    () -> {
                        throw new IllegalStateException("a bug");
                    },
                    "worker");
            thread.start();
            thread.join();
            return 0;
        });
        assertThat(code).isZero();
        assertThat(lines.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .isEqualTo("thread worker ended by an exception");
    }
}
