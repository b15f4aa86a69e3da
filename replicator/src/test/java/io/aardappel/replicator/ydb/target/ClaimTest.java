package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.StreamState;
import io.aardappel.replicator.engine.TargetEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@WithYdb
@DisplayName("A stream that two instances of one state table begin")
class ClaimTest {
    private static final long CREATED = 77;

    private final Destination destination;
    private final DrivenTarget one;
    private final DrivenTarget two;
    private long batches;

    ClaimTest(YdbEmulator ydb) {
        this.destination = new Destination(ydb);
        this.one = destination.targetOf("one");
        this.two = destination.targetOf("two");
    }

    @BeforeEach
    void begin() {
        one.begin();
        two.begin();
    }

    @AfterEach
    void close() throws Exception {
        destination.close();
    }

    private static StreamRow row(String topic, String consumer, String table, StreamState state, long created) {
        return new StreamRow(topic, consumer, table, created, state, Map.of());
    }

    private static StreamRow member(String topic, String consumer, String table) {
        return row(topic, consumer, table, StreamState.MEMBER, CREATED);
    }

    private TargetEvent records(DrivenTarget target, StreamRow... rows) {
        return target.commit(destination.batch(++batches, Optional.empty(), List.of(rows)));
    }

    private List<String> recorded() {
        return ResultRow.all(destination
                        .query("SELECT id, topic FROM `" + destination.stateTable.path()
                                + "_streams` ORDER BY id, topic")
                        .getResultSets(0))
                .stream()
                .map(found -> found.text("id") + " " + found.text("topic"))
                .toList();
    }

    private static Problem refusal(TargetEvent answer) {
        assertThat(answer).isInstanceOf(TargetEvent.Refused.class);
        TargetEvent.Refused refused = (TargetEvent.Refused) answer;
        assertThat(refused.blame()).isEqualTo(TargetEvent.Blame.NO_ROW);
        return refused.problem();
    }

    @Test
    @DisplayName("is recorded for the first, and the second is told whose it is and records nothing")
    void isTheFirstOnes() {
        assertThat(records(one, member("/s/a", "c", "/d/a"))).isInstanceOf(TargetEvent.Committed.class);

        TargetEvent answer = records(two, member("/s/b", "c", "/d/b"), member("/s/a", "c", "/d/other"));

        Problem problem = refusal(answer);
        assertThat(problem.reason()).isEqualTo(Problem.Reason.SHARED_CONSUMER);
        assertThat(problem.text())
                .contains("stream /s/a", "instance one", "consumer c", "table /d/a")
                .contains("use its name, instance_id: one", "name a consumer and tables that no other instance uses");
        assertThat(recorded()).containsExactly("one /s/a");
    }

    @Test
    @DisplayName("is recorded for exactly one of them when they do it at once")
    void isOneOnesWhenBothBeginAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 20; round++) {
                StreamRow row = member("/s/topic" + round, "c", "/d/t" + round);
                List<Future<TargetEvent>> answers = new ArrayList<>();
                for (DrivenTarget target : List.of(one, two)) {
                    long number = ++batches;
                    answers.add(threads.submit(() -> untilCertain(target, number, row)));
                }
                List<TargetEvent> ended =
                        List.of(answers.get(0).get(), answers.get(1).get());

                assertThat(ended)
                        .as("round %d", round)
                        .filteredOn(TargetEvent.Committed.class::isInstance)
                        .hasSize(1);
                assertThat(ended)
                        .filteredOn(TargetEvent.Refused.class::isInstance)
                        .singleElement()
                        .satisfies(answer ->
                                assertThat(refusal(answer).reason()).isEqualTo(Problem.Reason.SHARED_CONSUMER));
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(recorded()).hasSize(20);
    }

    /** As the engine does it: what was not applied is tried again. */
    private TargetEvent untilCertain(DrivenTarget target, long number, StreamRow row) {
        TargetEvent answer;
        do {
            answer = target.commit(destination.batch(number, Optional.empty(), List.of(row)));
        } while (answer instanceof TargetEvent.Retryable);
        return answer;
    }

    @Test
    @DisplayName("is written again by the one that has it")
    void isWrittenAgain() {
        records(one, member("/s/a", "c", "/d/a"));

        assertThat(records(one, member("/s/a", "c", "/d/a"))).isInstanceOf(TargetEvent.Committed.class);
    }

    @Nested
    @DisplayName("is no matter")
    class IsNoMatter {
        private void bothMayHave(StreamRow first, StreamRow second) {
            assertThat(records(one, first)).isInstanceOf(TargetEvent.Committed.class);
            assertThat(records(two, second)).isInstanceOf(TargetEvent.Committed.class);
        }

        @Test
        @DisplayName("by consumers of their own")
        void byOtherConsumers() {
            bothMayHave(member("/s/a", "c", "/d/a"), member("/s/a", "other", "/d/b"));
        }

        @Test
        @DisplayName("where one had it and it was taken out")
        void whereItWasTakenOut() {
            bothMayHave(row("/s/a", "c", "/d/a", StreamState.REMOVED, CREATED), member("/s/a", "c", "/d/a"));
        }

        @Test
        @DisplayName("where another source has a topic of that path")
        void ofAnotherSource() {
            bothMayHave(row("/s/a", "c", "/d/a", StreamState.MEMBER, CREATED + 1), member("/s/a", "c", "/d/b"));
        }
    }

    @Nested
    @DisplayName("into one table")
    class IntoOneTable {
        private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
        private final Logger log = (Logger) LoggerFactory.getLogger(Claim.class);

        @BeforeEach
        void listen() {
            lines.start();
            log.setLevel(Level.WARN);
            log.addAppender(lines);
        }

        @AfterEach
        void stopListening() {
            log.detachAppender(lines);
            log.setLevel(null);
        }

        @Test
        @DisplayName("by consumers of their own is told, and done")
        void isTold() {
            records(one, member("/s/a", "c", "/d/a"));

            assertThat(records(two, member("/s/a", "other", "/d/a"))).isInstanceOf(TargetEvent.Committed.class);
            assertThat(lines.list)
                    .singleElement()
                    .satisfies(line -> assertThat(line.getKeyValuePairs())
                            .extracting(pair -> pair.key + "=" + pair.value)
                            .contains("table=/d/a", "instances=[one]"));
        }
    }

    @Test
    @DisplayName("leaves the second as it was, so that it goes on once it has a consumer of its own")
    void leavesTheSecondAsItWas() {
        records(one, member("/s/a", "c", "/d/a"));
        records(two, member("/s/a", "c", "/d/b"));
        two.release();
        two.begin();

        assertThat(two.saved().streams()).isEmpty();
        assertThat(two.commit(
                        destination.batch(1, Optional.of(new Position(5, 0)), List.of(member("/s/a", "own", "/d/b")))))
                .isInstanceOf(TargetEvent.Committed.class);
    }
}
