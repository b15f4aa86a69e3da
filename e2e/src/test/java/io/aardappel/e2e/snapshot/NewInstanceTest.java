package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.model.topic.Topic;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tech.ydb.core.UnexpectedResultException;
import tech.ydb.table.query.Params;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A new instance")
class NewInstanceTest {
    private static final String COLUMNS = " (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k));";
    private static final String LEFT_OUT = "the initial scan left out rows that the source has";

    private Scene scene;

    @BeforeEach
    void fillTheSource(Scene empty) {
        scene = empty;
        scene.source.define("CREATE TABLE t" + COLUMNS);
        scene.destination.define("CREATE TABLE t" + COLUMNS);
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one'), (2, 'two');");
    }

    @Test
    @DisplayName("is told that a feed without a scan left out what was there before it")
    void isToldOfAFeedWithoutAScan() {
        scene.stream("t", "t", "UPDATES", false);
        scene.logLevel("warn");
        scene.start();
        scene.write("UPSERT INTO t (k, v) VALUES (2, 'newer');");

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(scene.log())
                        .contains("aligned: ", LEFT_OUT, "/destination/t", "INITIAL_SCAN = TRUE"));
        assertThat(scene.rows()).containsExactly("2 newer");
    }

    @Test
    @DisplayName("is told of rows that its scan will not take away, by the check and by the start")
    void isToldOfStrayRows() throws Exception {
        scene.stream("t", "t", "UPDATES", true);
        scene.destination.write("UPSERT INTO t (k, v) VALUES (9, 'stray');", Params.empty());

        Scene.Printed checked = scene.command("--check");
        assertThat(checked.code()).as(checked.text()).isZero();
        assertThat(checked.text()).contains("WARNING /destination/t: it has rows", "not there yet");

        scene.start();
        scene.settle();
        assertThat(scene.log()).contains("preflight: WARNING /destination/t: it has rows");
        assertThat(scene.rows()).containsExactly("1 one", "2 two", "9 stray");
    }

    @Test
    @DisplayName("ends, and makes no copy without what was passed over, when another reader commits before it may read")
    void endsWhereAnotherCommitsFirst() {
        scene.stream("t", "t", "UPDATES", true);
        Topic topic = scene.topic("t");
        try (OtherReader first = new OtherReader(scene.emulator, "t", 0)) {
            assertThat(first.isNamed()).isTrue();
            scene.start();
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(UnexpectedResultException.class) // no such table yet
                    .until(() -> topic.partition(0).end() > 1
                            && !scene.destination
                                    .read("SELECT topic FROM state_streams;")
                                    .isEmpty());
            topic.setCommitted(Scene.CONSUMER, 0, topic.partition(0).end());
        }

        assertThat(scene.fatalError(Duration.ofSeconds(20)))
                .contains("OFFSETS_MOVED: ", "t/feed", "partition 0", "consumer replicator stands at offset")
                .contains("never committed beyond 0 (its place here is offset 0)")
                .contains(
                        "If it is another replication's, leave it to that one as it stands",
                        "by a consumer of its own");
        assertThat(scene.rows()).isEmpty();
    }

    @Test
    @DisplayName("that runs can be looked at, and looks like one to go on with when it has ended")
    void canBeLookedAt() throws Exception {
        scene.stream("t", "t", "UPDATES", true);
        scene.start();
        scene.settle();

        Scene.Printed running = scene.command("--check");
        assertThat(running.code()).as(running.text()).isZero();
        assertThat(running.text())
                .contains("stage RUN, state OK, checkpoint [", "members: 1 recorded, 1 in the file")
                .contains("lock: held by lock_", "consumers: all there", "nothing wrong");
        scene.settle();
        assertThat(scene.log()).doesNotContain(LEFT_OUT, "it has rows");
        scene.stop();

        Scene.Printed ended = scene.command("--check");
        assertThat(ended.code()).as(ended.text()).isZero();
        assertThat(ended.text()).contains("lock: free", "nothing wrong");
    }
}
