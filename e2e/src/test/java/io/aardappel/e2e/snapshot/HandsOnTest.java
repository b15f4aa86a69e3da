package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tech.ydb.table.query.Params;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("Whatever people do to tables, state and configuration, no change is lost without a word")
class HandsOnTest {
    private Scene scene;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        scene.table(
                "t", "k Uint64 NOT NULL, v Utf8, w Utf8, PRIMARY KEY (k)", " WITH (UNIFORM_PARTITIONS = 3)", "UPDATES");
        scene.start();
        rows(0, 30);
        scene.settle();
    }

    private void rows(int from, int to) {
        for (int k = from; k < to; k++) {
            scene.write("UPSERT INTO t (k, v, w) VALUES (" + k + "00000000000000000ul, 'v" + k + "', 'w');");
        }
    }

    private void equal() {
        scene.assertCopied("SELECT * FROM t;");
    }

    private void setCheckpoint(long step) {
        scene.destination.write(
                "UPDATE state SET step_id = " + step + "ul, tx_id = 0ul WHERE id = 'scene';", Params.empty());
    }

    @Test
    @DisplayName("a checkpoint moved down")
    void checkpointDown() {
        scene.stop();
        rows(30, 40);
        setCheckpoint(scene.checkpoint() - 20_000);
        scene.start();
        rows(40, 50);
        scene.settle();
        equal();
    }

    @Test
    @DisplayName("a checkpoint moved up over changes that wait")
    void checkpointUp() {
        scene.stop();
        rows(30, 40);
        long moved = scene.now() + 2_000;
        setCheckpoint(moved);
        rows(40, 45);
        scene.start();
        rows(45, 50);
        scene.settleAbove(moved);
        equal();
    }

    @Test
    @DisplayName("a checkpoint moved down and up while a replicator runs")
    void checkpointWhileRunning() {
        for (long distance : new long[] {-20_000, 3_000, -1}) {
            rows(30, 40);
            long moved = scene.checkpoint() + distance;
            setCheckpoint(moved);
            rows(40, 50);
            scene.settleAbove(Math.max(moved, scene.now()));
            equal();
        }
    }

    @Test
    @DisplayName("a predecessor without rows of ours")
    void noRowsOfOurs() {
        scene.kill();
        rows(30, 40);
        scene.destination.write("DELETE FROM state_instances WHERE id = 'scene';", Params.empty());
        scene.start();
        rows(40, 50);
        scene.settle();
        equal();
    }

    @Test
    @DisplayName("a column dropped at the destination while changes name it")
    void columnDropped() {
        scene.stop();
        scene.start("schema_wait: 1s");
        rows(29, 30);
        scene.settle();
        scene.destination.define("ALTER TABLE t DROP COLUMN w;");
        rows(30, 31);
        assertThat(scene.exitCode(Duration.ofSeconds(30))).isEqualTo(5);
        assertThat(scene.state("last_msg"))
                .contains("/destination/t", "column `w`", "t/feed", "partition ", "key [3000000000000000000]");
        scene.destination.define("ALTER TABLE t ADD COLUMN w Utf8;");
        scene.clearFatalError();
        scene.start();
        scene.settle();
        assertThat(scene.destination.read("SELECT k, v FROM t;"))
                .containsExactlyInAnyOrderElementsOf(scene.source.read("SELECT k, v FROM t;"));
    }

    @Test
    @DisplayName("a column added on both sides")
    void columnAdded() {
        scene.destination.define("ALTER TABLE t ADD COLUMN x Int32;");
        scene.source.define("ALTER TABLE t ADD COLUMN x Int32;");
        scene.write("UPSERT INTO t (k, x) VALUES (5, 5), (1, 1);");
        scene.settle();
        equal();
    }

    @Test
    @DisplayName("a stream left out of the configuration")
    void streamLeftOut() throws IOException {
        scene.stop();
        scene.table("other", "k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)", "", "UPDATES");
        scene.forgetStream(0);
        long before = scene.checkpoint();
        scene.start();
        assertThat(scene.exitCode(Duration.ofSeconds(30))).isNotZero();
        assertThat(scene.log()).contains("STREAM_MISSING", "t/feed");
        assertThat(scene.checkpoint()).isEqualTo(before);
    }
}
