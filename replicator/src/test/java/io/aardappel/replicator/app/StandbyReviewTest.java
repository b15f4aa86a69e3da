package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import io.aardappel.replicator.engine.EngineStatus.Totals;
import io.aardappel.replicator.ydb.preflight.Finding;
import io.aardappel.replicator.ydb.preflight.Finding.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("What a standby looks at again")
class StandbyReviewTest {
    private static final long BEGIN = 1_800_000_000_000L;
    private static final int INTERVAL_SECONDS = 600;
    private static final Finding TTL = new Finding(Severity.WARNING, "/dst/a", "it has a TTL", "Remove it");
    private static final Finding ANEW = new Finding(Severity.WARNING, "/dst/a", "it was made anew", "Bring it in anew");
    private static final Finding GONE = new Finding(Severity.ERROR, "/dst/b", "it is not there", "Make it");
    private static final Finding AWAY = new Finding(Severity.UNREACHABLE, "the source", "it is away", "See to it");

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final StandbyReview review;
    private List<Finding> found = List.of(TTL);
    private int looks;
    private boolean over;

    StandbyReviewTest() {
        LoggerContext context = new LoggerContext();
        lines.setContext(context);
        lines.start();
        Logger logger = context.getLogger("test");
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        review = new StandbyReview(logger, this::look, () -> over, Duration.ofSeconds(INTERVAL_SECONDS), List.of(TTL));
    }

    private List<Finding> look() {
        looks++;
        return found;
    }

    private void observe(int second, Mode mode, String owner) {
        review.observe(new EngineStatus(
                BEGIN + second * 1_000L,
                mode,
                Optional.empty(),
                Optional.empty(),
                ScanPhase.NONE,
                Position.ZERO,
                new EngineStatus.Lock(mode == Mode.ACTIVE, owner, BEGIN, 0),
                false,
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                BEGIN,
                List.of(),
                new Totals(0, 0, 0, 0, 0, Map.of(), 0, 0, 0, 0, 0, 0, 0, 0, 0),
                Optional.empty(),
                Optional.empty()));
    }

    /** What was logged since it was asked for last. */
    private List<String> told() {
        List<String> messages = lines.list.stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage() + " "
                        + line.getKeyValuePairs().get(0).value)
                .toList();
        lines.list.clear();
        return messages;
    }

    @Test
    @DisplayName("is nothing where the lock was free at the start")
    void isNothingWithoutAWait() {
        found = List.of(GONE);
        observe(0, Mode.STANDBY, "");
        observe(1, Mode.LOADING, "us");
        for (int second = 2; second < 3 * INTERVAL_SECONDS; second++) {
            observe(second, Mode.ACTIVE, "us");
        }
        assertThat(looks).isZero();
    }

    @Nested
    @DisplayName("while another holds the lock")
    class WhileItWaits {
        @BeforeEach
        void begin() {
            observe(0, Mode.STANDBY, "another");
        }

        private void atTheNextLook(int number, Finding... findings) {
            found = List.of(findings);
            observe(number * INTERVAL_SECONDS, Mode.STANDBY, "another");
        }

        @Test
        @DisplayName("is all of it, once in each interval")
        void looksOnceAnInterval() {
            for (int second = 1; second < 2 * INTERVAL_SECONDS; second++) {
                observe(second, Mode.STANDBY, "another");
            }
            assertThat(looks).isEqualTo(1);
        }

        @Test
        @DisplayName("is told where it is new")
        void tellsWhatIsNew() {
            atTheNextLook(1, TTL, ANEW, GONE);
            assertThat(told())
                    .containsExactly(
                            "WARN preflight: WARNING /dst/a: it was made anew. Bring it in anew standby",
                            "ERROR preflight: ERROR /dst/b: it is not there. Make it standby");
            atTheNextLook(2, TTL, ANEW, GONE);
            assertThat(told()).isEmpty();
        }

        @Test
        @DisplayName("is told to be no more, and then anew when it comes back")
        void tellsWhatIsNoMore() {
            atTheNextLook(1, TTL, GONE);
            told();
            atTheNextLook(2);
            assertThat(told())
                    .containsExactlyInAnyOrder(
                            "WARN preflight: no more WARNING /dst/a: it has a TTL. Remove it standby",
                            "WARN preflight: no more ERROR /dst/b: it is not there. Make it standby");
            atTheNextLook(3, GONE);
            assertThat(told()).hasSize(1);
        }

        @Test
        @DisplayName("is not thought to be mended while a database is away")
        void knowsNothingOfADatabaseThatIsAway() {
            atTheNextLook(1, GONE);
            told();
            atTheNextLook(2, AWAY);
            assertThat(told()).containsExactly("WARN preflight: UNREACHABLE the source: it is away. See to it standby");
            atTheNextLook(3, GONE);
            assertThat(told())
                    .containsExactly("WARN preflight: no more UNREACHABLE the source: it is away. See to it standby");
        }

        @Test
        @DisplayName("is told no more when the process ends")
        void isSilentAtTheEnd() {
            over = true;
            atTheNextLook(1, AWAY);
            assertThat(looks).isEqualTo(1);
            assertThat(told()).isEmpty();
        }

        @Nested
        @DisplayName("and then is taken over")
        class TakenOver {
            @Test
            @DisplayName("is looked at once and told whole, as a start does")
            void tellsAll() {
                found = List.of(TTL, ANEW);
                observe(1, Mode.LOADING, "us");
                assertThat(looks)
                        .as("nothing stands in the way of the takeover")
                        .isZero();
                observe(2, Mode.ACTIVE, "us");
                observe(3, Mode.ACTIVE, "us");

                assertThat(looks).isEqualTo(1);
                assertThat(told())
                        .containsExactly(
                                "WARN preflight: WARNING /dst/a: it has a TTL. Remove it active",
                                "WARN preflight: WARNING /dst/a: it was made anew. Bring it in anew active");
            }

            @Test
            @DisplayName("is looked at again after the next takeover")
            void looksAtEachTakeover() {
                observe(2, Mode.ACTIVE, "us");
                observe(3, Mode.STANDBY, "another");
                observe(4, Mode.ACTIVE, "us");
                assertThat(looks).isEqualTo(2);
            }
        }
    }
}
