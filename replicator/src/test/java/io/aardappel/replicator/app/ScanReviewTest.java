package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import io.aardappel.replicator.engine.EngineStatus.Totals;
import io.aardappel.replicator.ydb.target.TargetSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.core.grpc.GrpcTransport;

@WithYdb(
        lifetime = WithYdb.Lifetime.TEST,
        databases = {"/src", "/dst"})
@DisplayName("The review of an initial scan")
class ScanReviewTest {
    private static final String COLUMNS = " (a Utf8 NOT NULL, b Uint64, v Utf8, PRIMARY KEY (a, b))";
    private static final long LONG_PASSED = Long.MAX_VALUE / 2;

    private final Terminal source;
    private final Terminal destination;
    private final GrpcTransport from;
    private final GrpcTransport to;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final ScanReview review;

    ScanReviewTest(YdbEmulator ydb) {
        this.source = new Terminal(ydb.port(), "/src");
        this.destination = new Terminal(ydb.port());
        this.from = source.open();
        this.to = destination.open();
        LoggerContext context = new LoggerContext();
        lines.setContext(context);
        lines.start();
        Logger log = context.getLogger("test");
        log.addAppender(lines);
        this.review = new ScanReview(
                log,
                from,
                to,
                TargetSettings.of(Duration.ofSeconds(10)),
                List.of(new ScanReview.Pair("/src/goods", "/dst/copy")),
                Duration.ofSeconds(5));
    }

    @BeforeEach
    void fill() {
        source.scheme("CREATE TABLE goods" + COLUMNS);
        destination.scheme("CREATE TABLE copy" + COLUMNS);
        write(source, "goods", "('a', 1ul), ('m', NULL), ('z', 9ul)");
    }

    @AfterEach
    void close() {
        from.close();
        to.close();
    }

    private static void write(Terminal where, String table, String rows) {
        where.write("UPSERT INTO " + table + " (a, b) VALUES " + rows);
    }

    private void scan() {
        review.observe(status(Stage.INITIAL_SCAN, 0, 0));
        review.observe(status(Stage.RUN, 10, 0));
    }

    private void pass() {
        review.observe(status(Stage.RUN, LONG_PASSED, 0));
    }

    private static EngineStatus status(Stage stage, long step, long skipped) {
        return new EngineStatus(
                1,
                Mode.ACTIVE,
                Optional.of(stage),
                Optional.of(new Position(step, 0)),
                ScanPhase.NONE,
                Position.ZERO,
                new EngineStatus.Lock(true, "lock_a", 1, 1),
                true,
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                1,
                List.of(),
                new Totals(0, 0, 0, 0, 0, Map.of(), 0, 0, 0, 0, 0, 0, 0, skipped, 1),
                Optional.empty(),
                Optional.empty());
    }

    @Nested
    @DisplayName("warns once, with both tables,")
    class Warns {
        private void assertWarnedOnce() {
            pass();
            assertThat(lines.list)
                    .singleElement()
                    .satisfies(line -> assertThat(line.getKeyValuePairs())
                            .extracting(pair -> pair.key + "=" + pair.value)
                            .contains("table=/dst/copy", "source_table=/src/goods"));
        }

        @Test
        @DisplayName("when the first row is not there once a checkpoint has passed it")
        void ofTheFirst() {
            write(destination, "copy", "('z', 9ul)");
            scan();
            review.observe(status(Stage.RUN, 20, 0));
            assertThat(lines.list).isEmpty();

            assertWarnedOnce();
        }

        @Test
        @DisplayName("when the last row is not there")
        void ofTheLast() {
            write(destination, "copy", "('a', 1ul)");
            scan();

            assertWarnedOnce();
        }
    }

    @Nested
    @DisplayName("says nothing")
    class SaysNothing {
        @Test
        @DisplayName("when first and last row are there")
        void whenAllIsThere() {
            write(destination, "copy", "('a', 1ul), ('z', 9ul)");
            scan();
        }

        @Test
        @DisplayName("of a row that the source has no more")
        void ofADeletedRow() {
            scan();
            source.write("DELETE FROM goods");
        }

        @Test
        @DisplayName("of an empty table")
        void ofAnEmptyTable() {
            source.write("DELETE FROM goods");
            scan();
        }

        @Test
        @DisplayName("where a decision left records out")
        void whereRecordsWereLeftOut() {
            scan();
            review.observe(status(Stage.RUN, LONG_PASSED, 1));
        }

        @Test
        @DisplayName("of a table that cannot be read")
        void ofAnAbsentTable() {
            source.scheme("DROP TABLE goods");
            scan();
        }

        @Test
        @DisplayName("without a scan")
        void withoutAScan() {
            review.observe(status(Stage.RUN, 10, 0));
        }

        @AfterEach
        void assertNothingSaid() {
            pass();
            assertThat(lines.list).isEmpty();
        }
    }

    @Test
    @DisplayName("compares a key with NULL in it")
    void comparesNull() {
        source.write("DELETE FROM goods WHERE a != 'm'");
        scan();
        pass();
        assertThat(lines.list).hasSize(1);

        write(destination, "copy", "('m', NULL)");
        scan();
        pass();
        assertThat(lines.list).hasSize(1);
    }
}
