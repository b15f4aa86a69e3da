package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.topic.Topic;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("What a replicator waits for is on its status and in its metrics within three intervals, then in its log")
class WhatItWaitsForTest {
    private static final int PARTITIONS = 2;
    private static final String TOPIC = Scene.SOURCE + "/t/feed";
    /** How long a process takes from its start to the lock, on a busy machine. */
    private static final Duration START = Duration.ofSeconds(8);
    /** The log tells what has lasted for three intervals. */
    private static final Duration LOGGED = Scene.SOON.plus(Scene.HEARTBEAT);
    /** How far the pages may be apart in what they say of one time: both are looked at one after the other. */
    private static final Offset<Double> APART = Offset.offset(1.5);

    /** One row fills a transaction, and the memory is full for as long as it takes to apply some. */
    private static final String[] SMALL_MEMORY = {"memory: 2MiB", "transaction_bytes: 8KiB", "read_credit: 64KiB"};

    private static final String PAYLOAD = "x".repeat(5_000);
    /** More rows than it holds. */
    private static final int BACKLOG = 450;
    /** With a barrier after so many. */
    private static final int ROWS_OF_A_BARRIER = 25;

    private final Instant began = Instant.now();
    private Scene scene;
    private Pages pages;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        scene.oneTable(PARTITIONS);
        pages = Pages.of(scene);
    }

    private void replicate(String... settings) {
        scene.start(settings);
        rows("first");
        scene.settle();
    }

    /** Writes rows in all partitions. */
    private void rows(String value) {
        scene.write(LongStream.rangeClosed(1, 20)
                .mapToObj(key -> "(" + key + ", '" + value + "')")
                .collect(Collectors.joining(", ", "UPSERT INTO t (k, v) VALUES ", ";")));
    }

    /** On the status and in the metric: reason, stream, partition, and since when. */
    private Pages.Waiting isTold(String reason, Duration within, String... words) {
        List<Pages.Waiting> told = new ArrayList<>();
        await().atMost(within)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptions() // the process may not listen yet
                .untilAsserted(() -> {
                    Pages.Waiting waiting = pages.waiting().orElseThrow();
                    assertThat(waiting.reason()).isEqualTo(reason);
                    assertThat(waiting.stream()).isEqualTo(TOPIC);
                    assertThat(waiting.why()).contains(words);
                    assertThat(waiting.since()).isBetween(began, Instant.now());
                    assertThat(blockingSeconds(waiting))
                            .isCloseTo(
                                    Duration.between(waiting.since(), Instant.now())
                                                    .toMillis()
                                            / 1_000.0,
                                    APART);
                    told.add(waiting);
                });
        return told.get(0);
    }

    private double blockingSeconds(Pages.Waiting waiting) {
        return pages.metric(
                        "aardappel_replicator_blocking_seconds",
                        "reason=\"" + waiting.reason() + "\"",
                        "stream=\"" + waiting.stream() + "\"",
                        "partition=\"" + (waiting.partition() < 0 ? "" : waiting.partition()) + "\"")
                .findFirst()
                .orElseThrow();
    }

    /** In the log too, and since the same moment all the while. */
    private Pages.Waiting isWaitedFor(String reason, Duration within, String... words) {
        Pages.Waiting told = isTold(reason, within, words);
        await().atMost(LOGGED)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> scene.log()
                        .lines()
                        .anyMatch(line -> line.contains("\"no progress\"")
                                && line.contains("\"reason\":\"" + reason + "\"")
                                && line.contains("\"stream\":\"" + TOPIC + "\"")
                                && line.contains("\"partition\":" + told.partition() + ",")));
        assertThat(pages.waiting()).hasValueSatisfying(still -> {
            assertThat(still.reason()).isEqualTo(reason);
            assertThat(still.partition()).isEqualTo(told.partition());
            assertThat(still.since()).isEqualTo(told.since());
        });
        return told;
    }

    /** Nothing is waited for any more, and the replica has become equal to the source. */
    private void goesOn() {
        rows("last");
        scene.settle();
        await().atMost(Scene.SOON)
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(pages.blocking()).isEmpty());
        scene.assertCopied("SELECT k, v FROM t;");
    }

    @Test
    @DisplayName("a partition that falls silent")
    void aPartitionThatFallsSilent() {
        replicate();
        scene.emulator.feedKnobs(TOPIC).silencePartition(0);
        isWaitedFor("barrier_stale", Scene.SOON, "waits for a barrier above");
    }

    @Test
    @DisplayName("a partition that was silent from the start on")
    void aPartitionThatWasSilentFromTheStartOn() {
        replicate();
        scene.stop();
        scene.emulator.topicFaults().silence(scene.topic("t"), 0, Duration.ofMinutes(1));
        scene.start();
        isWaitedFor("no_barrier", Scene.SOON.plus(START), "waits for its first barrier");
    }

    @Test
    @DisplayName("a partition that another reader of the consumer has, until that one ends")
    void aPartitionThatAnotherReaderHas() throws IOException {
        replicate();
        scene.stop();
        try (OtherReader other = new OtherReader(scene.emulator, "t", 0)) {
            scene.start();
            Pages.Waiting told = isWaitedFor("no_session", Scene.SOON.plus(START), "waits for a read session");
            assertThat(told.partition()).isZero();
            assertThat(other.isNamed()).isTrue();
            assertThat(pages.partition(0, 0).path("session").asBoolean(true)).isFalse();
            assertThat(scene.log())
                    .contains("the server does not give us partitions", "Look for another reader of consumer")
                    .doesNotContain("source does not answer");
        }
        goesOn();
        assertThat(scene.log()).contains("progress is made again");
    }

    @Test
    @DisplayName(
            "the children of a partition that is not committed to its end, as another reader has it, until that one ends")
    void childrenWhoseParentIsNotCommittedToItsEnd() throws IOException {
        replicate();
        Topic topic = scene.topic("t");
        List<Integer> children = new ArrayList<>();
        try (OtherReader other = new OtherReader(scene.emulator, "t", 0)) {
            scene.emulator.database(Scene.SOURCE).standingStill(() -> children.addAll(topic.split(0, null)));
            Pages.Waiting told = isWaitedFor(
                    "parent",
                    LOGGED,
                    "is not given out before its parent, partition 0, is committed to its end",
                    " of " + topic.partition(0).end() + ")");
            assertThat(children).contains(told.partition());
            assertThat(other.isNamed()).isTrue();
            assertThat(pages.partition(0, 0).path("session").asBoolean(true)).isFalse();
        }
        goesOn();
        await().atMost(LOGGED).until(() -> topic.isCommittedToEnd(Scene.CONSUMER, 0));
        assertThat(scene.log()).contains("progress is made again");
    }

    /** It is not in the log: each transaction is progress. */
    @Test
    @DisplayName("a partition that is not read while what a slow destination has yet to take fills the memory")
    void aPartitionThatIsNotReadForWantOfMemory() {
        replicate(SMALL_MEMORY);
        scene.emulator
                .faults()
                .add(FaultRule.of(Fault.COMMIT_SLOW)
                        .at(Scene.DESTINATION + "/t")
                        .during(Operation.COMMIT)
                        .withDelay(Duration.ofSeconds(1)));
        writeABacklog();
        Pages.Waiting told =
                isTold("memory", LOGGED, "is not read until there is room in memory", "raise replicator.memory");
        assertThat(pages.partition(0, told.partition()).path("parked").asBoolean())
                .isTrue();
        JsonNode memory = pages.status().path("memory");
        assertThat(memory.path("bufferedBytes").asLong())
                .isGreaterThan(memory.path("budgetBytes").asLong() / 2);
        scene.emulator.faults().clear();
        goesOn();
    }

    /** In transactions of one row, with barriers between them. */
    private void writeABacklog() {
        for (int key = 1; key <= BACKLOG; key++) {
            scene.write(
                    "t",
                    List.of(new RowWrite(
                            RowWrite.Kind.UPSERT, List.of(1_000L + key), new int[] {1}, new Object[] {PAYLOAD + key})));
            if (key % ROWS_OF_A_BARRIER == 0) {
                scene.emulator
                        .database(Scene.SOURCE)
                        .jumpClock(Duration.ofSeconds(1).toMillis());
            }
        }
    }

    @Test
    @DisplayName("a source that refuses")
    void aSourceThatRefuses() {
        replicate();
        scene.emulator.faults().add(FaultRule.of(Fault.OVERLOADED).inDatabase(Scene.SOURCE));
        scene.emulator
                .faults()
                .add(FaultRule.of(Fault.STREAM_CUT).inDatabase(Scene.SOURCE).times(PARTITIONS));
        isWaitedFor("source", Scene.SOON, "reading " + TOPIC, "OVERLOADED");
    }

    @Test
    @DisplayName("a decision that nobody takes")
    void aDecisionThatNobodyTakes() {
        ProblemTopics problems = ProblemTopics.of(scene);
        problems.withholdCommands(Duration.ofMinutes(1));
        replicate();
        scene.emulator.faults().add(FaultRule.of(Fault.LATE_RECORD).times(1));
        scene.write("UPSERT INTO t (k, v) VALUES (77, 'late');");
        isWaitedFor(
                "decision", Scene.SOON, "a record waits for a decision: stream " + TOPIC + ", partition ", "key [77]");
    }
}
