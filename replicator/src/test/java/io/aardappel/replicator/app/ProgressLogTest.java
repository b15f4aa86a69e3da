package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.EngineStatus.Blocking;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import io.aardappel.replicator.engine.EngineStatus.Totals;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The log of progress")
class ProgressLogTest {
    private static final long BEGIN = 1_800_000_000_000L;

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final ProgressLog log;

    ProgressLogTest() {
        LoggerContext context = new LoggerContext();
        lines.setContext(context);
        lines.start();
        Logger logger = context.getLogger("test");
        logger.setLevel(Level.DEBUG);
        logger.addAppender(lines);
        log = new ProgressLog(logger, Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @Test
    void tellsOfSteadyProgressNowAndThen() {
        log.observe(status(0, Mode.ACTIVE).build());
        log.observe(status(9, Mode.ACTIVE).changes(500).build());
        log.observe(status(10, Mode.ACTIVE).changes(600).build());
        log.observe(status(11, Mode.ACTIVE).changes(700).build());
        assertThat(messages()).containsExactly("INFO Replication step ok");
        assertThat(lines.list.get(0).getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .contains("modifications=600", "mps=60", "checkpoint=[1799999999000,7]", "lag_seconds=11.0");
    }

    @Test
    void tellsOfAStandbyAtOnceAndRemindsOfIt() {
        log.observe(status(0, Mode.STANDBY).build());
        log.observe(status(1, Mode.STANDBY).build());
        log.observe(status(20, Mode.STANDBY).build());
        assertThat(messages())
                .containsExactly("INFO unable to get lock, standing by", "INFO unable to get lock, standing by");
    }

    @Test
    void tellsTheBeginningAndTheEndOfMisalignment() {
        log.observe(status(0, Mode.ACTIVE).aligned(false).build());
        log.observe(status(1, Mode.ACTIVE).aligned(false).build());
        log.observe(status(2, Mode.ACTIVE).build());
        assertThat(messages()).hasSize(2);
        assertThat(messages()).element(0).asString().startsWith("WARN not aligned");
        assertThat(messages()).element(1).asString().startsWith("WARN aligned");
    }

    @Test
    void tellsHowFarAnInitialScanIs() {
        String parts = "InitialScan goods/feed 3/8 parts: partition 5 waits for its first barrier";
        Blocking scan = new Blocking(Blocking.Reason.INITIAL_SCAN, "goods/feed", 5, BEGIN, parts);
        log.observe(status(0, Mode.ACTIVE).build());
        log.observe(status(10, Mode.ACTIVE).blocking(scan).build());
        assertThat(lines.list.get(0).getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .contains("initial_scan=" + parts);
    }

    private List<String> messages() {
        return lines.list.stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage())
                .toList();
    }

    private static Builder status(int second, Mode mode) {
        return new Builder(BEGIN + second * 1_000L, mode);
    }

    private static final class Builder {
        private final long at;
        private final Mode mode;
        private boolean aligned = true;
        private long changes;
        private Optional<Blocking> blocking = Optional.empty();

        Builder(long at, Mode mode) {
            this.at = at;
            this.mode = mode;
        }

        Builder aligned(boolean now) {
            aligned = now;
            return this;
        }

        Builder blocking(Blocking now) {
            blocking = Optional.of(now);
            return this;
        }

        Builder changes(long now) {
            changes = now;
            return this;
        }

        EngineStatus build() {
            return new EngineStatus(
                    at,
                    mode,
                    Optional.of(Stage.RUN),
                    Optional.of(new Position(BEGIN - 1_000, 7)),
                    ScanPhase.NONE,
                    Position.ZERO,
                    new EngineStatus.Lock(true, "lock_a", BEGIN, BEGIN),
                    aligned,
                    0,
                    0,
                    0,
                    Optional.empty(),
                    blocking,
                    BEGIN,
                    List.of(),
                    new Totals(0, changes, 0, 0, 0, Map.of(), 0, 0, 0, 0, 0, 0, 0, 0, 0),
                    Optional.empty(),
                    Optional.empty());
        }
    }
}
