package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.model.fault.Fault;
import java.time.Duration;
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
    /** How long a process takes from its start to the lock, on a busy machine. */
    private static final Duration START = Duration.ofSeconds(8);
    /** The log tells what has lasted for three intervals. */
    private static final Duration LOGGED = Scene.SOON.plus(Scene.HEARTBEAT);

    private Scene scene;
    private Pages pages;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        scene.table(
                "t",
                "k Uint32 NOT NULL, v Utf8, PRIMARY KEY (k)",
                " WITH (UNIFORM_PARTITIONS = " + PARTITIONS + ")",
                "UPDATES");
        pages = Pages.of(scene);
    }

    private void replicate() {
        scene.start();
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one'), (4000000000, 'two');");
        scene.settle();
    }

    private void isWaitedFor(String reason, Duration within, String... words) {
        await().atMost(within)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptions() // the process may not listen yet
                .untilAsserted(() -> {
                    assertThat(pages.blocking()).startsWith(reason + ": ").contains(words);
                    assertThat(pages.text("/metrics").lines())
                            .anyMatch(line -> line.startsWith("aardappel_replicator_blocking_seconds{")
                                    && line.contains("reason=\"" + reason + "\"")
                                    && line.contains("stream=\"/source/t/feed\""));
                });
        await().atMost(LOGGED)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> scene.log()
                        .lines()
                        .anyMatch(line ->
                                line.contains("\"no progress\"") && line.contains("\"reason\":\"" + reason + "\"")));
    }

    @Test
    @DisplayName("a partition that falls silent")
    void aPartitionThatFallsSilent() {
        replicate();
        scene.emulator.feedKnobs(Scene.SOURCE + "/t/feed").silencePartition(0);
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
    @DisplayName("a source that refuses")
    void aSourceThatRefuses() {
        replicate();
        scene.emulator.faults().add(FaultRule.of(Fault.OVERLOADED).inDatabase(Scene.SOURCE));
        scene.emulator
                .faults()
                .add(FaultRule.of(Fault.STREAM_CUT).inDatabase(Scene.SOURCE).times(PARTITIONS));
        isWaitedFor("source", Scene.SOON, "reading /source/t/feed", "OVERLOADED");
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
                "decision", Scene.SOON, "a record waits for a decision: stream /source/t/feed, partition ", "key [77]");
    }
}
