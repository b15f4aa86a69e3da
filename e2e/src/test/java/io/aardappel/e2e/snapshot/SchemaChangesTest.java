package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A column that is added at the source first")
class SchemaChangesTest {
    private Scene scene;
    private Pages pages;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
    }

    private ReplicatorProcess replicate(String feedOptions, String... settings) {
        pages = Pages.of(scene);
        scene.feedOptions(feedOptions);
        scene.oneTable(2);
        ReplicatorProcess replicator = scene.start(settings);
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
        scene.settle();
        return replicator;
    }

    private void awaitTheWait(Duration within) {
        await().atMost(within)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertThat(pages.blocking())
                        .startsWith("schema: ")
                        .contains("carries column added", "/destination/t"));
    }

    private void equal() {
        scene.assertCopied("SELECT k, v, added FROM t;");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SCHEMA_CHANGES = TRUE, USER_SIDS = TRUE"})
    @DisplayName("is waited for by the records that carry it, which says what is missing, and is gone on with")
    void lateAtTheDestinationB44(String feedOptions) {
        ReplicatorProcess replicator = replicate(feedOptions);
        scene.source.define("ALTER TABLE t ADD COLUMN added Int32;");
        scene.write("UPSERT INTO t (k, v, added) VALUES (2, 'two', 2), (1, 'one', 1);");
        scene.write("UPSERT INTO t (k, added) VALUES (3, 3);");
        awaitTheWait(Scene.SOON);
        assertThat(pages.status().path("blocking").path("stream").asText()).isEqualTo("/source/t/feed");

        scene.destination.define("ALTER TABLE t ADD COLUMN added Int32;");
        scene.settle();

        equal();
        assertThat(replicator.alive()).isTrue();
        assertThat(scene.state("state")).isEqualTo("OK");
    }

    @Test
    @DisplayName("is waited for by a standby too, when the process that waits is killed")
    void lateAtATakeover() {
        scene.oneTable(2);
        ReplicatorProcess first = scene.start();
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
        scene.settle();
        pages = Pages.of(scene);
        scene.start();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(scene.log()).contains("unable to get lock, standing by"));
        scene.source.define("ALTER TABLE t ADD COLUMN added Int32;");
        scene.write("UPSERT INTO t (k, v, added) VALUES (2, 'two', 2);");
        scene.write("UPSERT INTO t (k, v) VALUES (2, 'behind it'), (3, 'three');");
        await().atMost(Scene.SOON).untilAsserted(() -> assertThat(scene.log()).contains("records carry a column"));
        scene.dismiss(first);
        first.kill();
        awaitTheWait(Scene.SOON.multipliedBy(2));

        scene.destination.define("ALTER TABLE t ADD COLUMN added Int32;");
        scene.settle();

        equal();
    }

    @Test
    @DisplayName(
            "and never at the destination ends the process after the time for it, which names the column and its type")
    void neverAtTheDestination() {
        replicate("SCHEMA_CHANGES = TRUE", "schema_wait: 2s");
        scene.source.define("ALTER TABLE t ADD COLUMN added Int32;");
        scene.write("UPSERT INTO t (k, v, added) VALUES (2, 'two', 2);");

        assertThat(scene.fatalError(Duration.ofSeconds(2).plus(Scene.SOON)))
                .contains(
                        "UNFIT_RECORD",
                        "t/feed",
                        "key [2]",
                        "column `added` (Int32 at the source) is not in the destination table /destination/t; add it, with"
                                + " the DEFAULT that it has at the source, if any");

        scene.destination.define("ALTER TABLE t ADD COLUMN added Int32;");
        scene.clearFatalError();
        scene.start();
        scene.settle();
        equal();
    }

    /** The process has read a record for the column, and learns from the destination that it is gone. */
    private void dropUnder(Duration wait) {
        scene.source.define("CREATE TABLE t (k Uint64 NOT NULL, v Utf8, added Int32, PRIMARY KEY (k));");
        scene.destination.define("CREATE TABLE t (k Uint64 NOT NULL, v Utf8, added Int32, PRIMARY KEY (k));");
        scene.stream("t", "t", "UPDATES", false);
        scene.setStrategy(0, "continue");
        pages = Pages.of(scene);
        scene.start("schema_wait: " + wait.toSeconds() + "s");
        scene.write("UPSERT INTO t (k, v, added) VALUES (1, 'one', 1);");
        scene.settle();
        scene.destination.define("ALTER TABLE t DROP COLUMN added;");
    }

    @Test
    @DisplayName(
            "and vanishes at the destination later is waited for too, and what carries it is written when it is back")
    void vanishesAndComesBack() {
        dropUnder(Duration.ofSeconds(60));
        scene.write("UPSERT INTO t (k, v, added) VALUES (2, 'two', 2);");
        scene.write("UPSERT INTO t (k, v) VALUES (3, 'three');");
        awaitTheWait(Scene.SOON);

        scene.destination.define("ALTER TABLE t ADD COLUMN added Int32;");
        scene.settle();

        scene.assertCopied("SELECT k, v, added FROM t WHERE k > 1;");
        assertThat(pages.status().path("totals").path("skippedByDecision").asInt())
                .isZero();
    }

    @Test
    @DisplayName(
            "and vanishes at the destination for good: what carries it is left out after the time for it, and counted")
    void vanishesForGood() {
        Duration wait = Duration.ofSeconds(4);
        dropUnder(wait);
        long began = System.nanoTime();
        scene.write("UPSERT INTO t (k, v, added) VALUES (2, 'two', 2);");
        scene.write("UPSERT INTO t (k, v) VALUES (3, 'three');");
        awaitTheWait(Scene.SOON);
        scene.settle();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(wait);
        assertThat(scene.rows()).containsExactly("1 one", "3 three");
        await("the page is made anew four times a second").atMost(Scene.SOON).untilAsserted(() -> {
            JsonNode totals = pages.status().path("totals");
            assertThat(totals.path("unfit").asInt()).isEqualTo(1);
            assertThat(totals.path("skippedByDecision").asInt()).isEqualTo(1);
        });
    }

    @Test
    @DisplayName(
            "is told with the statement that adds it before any row has it, where the feed tells of schema changes")
    void toldBeforeTheFirstRow() throws IOException {
        ReplicatorProcess replicator = replicate("SCHEMA_CHANGES = TRUE");
        scene.source.define("ALTER TABLE t ADD COLUMN added Int32;");
        await().atMost(Scene.SOON)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertThat(scene.log())
                        .contains("lacks columns that the source table has")
                        .contains("ALTER TABLE `/destination/t` ADD COLUMN `added` Int32"));
        scene.write("UPSERT INTO t (k, v) VALUES (2, 'without it');");
        scene.settle();
        assertThat(replicator.alive()).isTrue();
        assertThat(scene.log()).doesNotContain("records carry a column");
    }
}
