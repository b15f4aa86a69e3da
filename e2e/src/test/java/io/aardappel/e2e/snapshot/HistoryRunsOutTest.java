package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("Before a topic forgets what was not committed, metric, status and log tell how long that is away")
class HistoryRunsOutTest {
    private static final Duration RETENTION = Duration.ofHours(1);
    /** How soon the pages know of a clock that jumped: an interval of description and one of the status. */
    private static final Duration SOON = Duration.ofSeconds(6);
    /** And a new process, from its start on. */
    private static final Duration START = Duration.ofSeconds(14);

    private Scene scene;
    private Pages pages;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        scene.oneTable(2);
        scene.source.define("ALTER TOPIC `t/feed` SET (retention_period = Interval('PT1H'));");
        pages = Pages.of(scene);
        scene.start("describe_interval: 1s");
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
        scene.settle();
    }

    private double gauge() {
        return pages.metric("aardappel_replicator_stream_history_left_seconds")
                .findFirst()
                .orElse(Double.NaN);
    }

    private double onStatus() {
        return pages.status()
                .path("streams")
                .path(0)
                .path("history")
                .path("leftSeconds")
                .asDouble(Double.NaN);
    }

    private void jump(Duration time) {
        scene.emulator.database(Scene.SOURCE).jumpClock(time.toMillis());
    }

    @Test
    @DisplayName("while a partition is silent for as long as the retention, up to the loss that a successor meets")
    void whileAPartitionIsSilent() throws IOException {
        assertThat(gauge()).as("seconds left at first").isBetween(RETENTION.toSeconds() - 120.0, 3_600.0);

        scene.emulator.feedKnobs(Scene.SOURCE + "/t/feed").silencePartition(0);
        scene.write("UPSERT INTO t (k, v) VALUES (4000000000, 'not to be committed');");
        jump(Duration.ofMinutes(50));
        await().atMost(SOON).until(() -> gauge() < 600);
        double before = gauge();
        assertThat(onStatus()).isBetween(before - 10, before);
        await().atMost(SOON).until(() -> gauge() < before - 1);
        assertThat(scene.log()).doesNotContain("history runs out");

        jump(Duration.ofMinutes(5));
        await().atMost(SOON).until(() -> scene.log().contains("history runs out"));

        scene.stop();
        jump(Duration.ofMinutes(10));
        scene.start();
        assertThat(scene.fatalError(START)).contains("HISTORY_LOST", "t/feed", "was not read");
    }
}
