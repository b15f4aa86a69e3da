package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.Topic;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tech.ydb.table.query.Params;

/**
 * The Go program is played: its state table, its row, the rows that it applied and the offsets that it committed are made
 * as it leaves them. Every kind of row is in the replicator's own tests; here whole processes start on some of them.
 */
@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A replicator that starts where the Go program was")
class AfterTheGoProgramTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String OVER = "CurrentUtcTimestamp() - Interval('PT1S')";
    private static final int FATAL = 5;

    private Scene scene;
    private int written;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        scene.oneTable(2);
        scene.destination.define("CREATE TABLE state (id Utf8, step_id Uint64, tx_id Uint64, state Utf8, stage Utf8,"
                + " last_msg Utf8, lock_owner Utf8, lock_deadline Timestamp, PRIMARY KEY (id));");
    }

    private void left(String values) {
        scene.destination.write(
                "UPSERT INTO state (id, step_id, tx_id, state, stage, last_msg, lock_owner, lock_deadline) VALUES ('scene', "
                        + values + ");",
                Params.empty());
    }

    /** New rows, changed ones and removed ones, in both shards. */
    private void write(int transactions) {
        for (int i = 0; i < transactions; i++) {
            written++;
            scene.write(
                    "UPSERT INTO t (k, v) VALUES (" + written % 7 + "ul, 'v" + written + "'), (9000000000000000000ul + "
                            + written % 5 + "ul, 'v" + written + "'); DELETE FROM t WHERE k = " + written % 3 + "ul;");
        }
    }

    /** Applies what the source holds and commits its messages; everything of them lies below the position returned. */
    private VirtualTimestamp appliedByTheGoProgram() {
        Topic topic = scene.topic("t");
        long beyond = scene.now();
        await().atMost(LIMIT).until(() -> scene.now() > beyond + 1_500); // the feed has told of it, and a barrier
        for (int partition : topic.activePartitions()) {
            topic.commit(Scene.CONSUMER, partition, topic.partition(partition).end());
        }
        VirtualTimestamp checkpoint = scene.emulator.database(Scene.SOURCE).plannedNow();
        scene.source
                .read("SELECT k, v FROM t;")
                .forEach(row -> scene.destination.write(
                        "UPSERT INTO t (k, v) VALUES (" + row.text("k") + "ul, '" + Scene.plain(row.text("v")) + "');",
                        Params.empty()));
        return checkpoint;
    }

    private void becomesEqual() {
        scene.settle();
        scene.assertCopied("SELECT k, v FROM t;");
        assertThat(scene.state("state")).isEqualTo("OK");
        assertThat(scene.state("stage")).isEqualTo("RUN");
    }

    @Test
    @DisplayName("goes on from a fresh row")
    void fresh() {
        left("0ul, 0ul, 'OK', 'INITIAL_SCAN', NULL, NULL, NULL");
        write(20);
        scene.start();
        becomesEqual();
    }

    @Test
    @DisplayName("goes on from its checkpoint, with its offsets")
    void run() {
        write(20);
        VirtualTimestamp checkpoint = appliedByTheGoProgram();
        write(20);
        left(checkpoint.step() + "ul, " + Long.toUnsignedString(checkpoint.txId())
                + "ul, 'OK', 'RUN', NULL, 'lock_go_1', " + OVER);
        scene.start();
        write(5);
        becomesEqual();
    }

    @Test
    @DisplayName("goes on with a scan of which a part is applied and committed")
    void initialScan() {
        write(20);
        appliedByTheGoProgram();
        write(20);
        left("0ul, 0ul, 'OK', 'INITIAL_SCAN', NULL, 'lock_go_1', " + OVER);
        scene.start();
        write(5);
        becomesEqual();
    }

    @Test
    @DisplayName("waits until its lock has run out")
    void locked() throws IOException {
        left("0ul, 0ul, 'OK', 'INITIAL_SCAN', NULL, 'lock_go_1', " + OVER);
        renewedByTheGoProgram();
        scene.start();
        await().atMost(LIMIT).until(() -> {
            renewedByTheGoProgram();
            return scene.log().contains("standing by");
        });
        renewedByTheGoProgram();
        assertThat(scene.state("lock_owner")).isEqualTo("lock_go_1");
        write(5);
        becomesEqual();
    }

    /** For long enough to outlast a slow start of the other between two renewals. */
    private void renewedByTheGoProgram() {
        scene.destination.write(
                "UPDATE state SET lock_deadline = CurrentUtcTimestamp() + Interval('PT5S')"
                        + " WHERE id = 'scene' AND lock_owner = 'lock_go_1';",
                Params.empty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "9ul, 1ul, 'FATAL_ERROR', 'RUN', 'Unexpected timestamp'|column state: it says FATAL_ERROR: Unexpected timestamp",
                "9ul, 1ul, 'FATAL_ERROR', 'RUN', NULL|column state: it says FATAL_ERROR: last_msg does not say why",
                "9ul, 1ul, 'OK', NULL, NULL|stage is NULL. Set it to 'INITIAL_SCAN' or to 'RUN'"
            })
    @DisplayName("ends with code 5 and changes nothing where a person is needed")
    void refused(String values, String said) throws IOException {
        left(values + ", 'lock_go_1', " + OVER);
        String columns = "SELECT id, step_id, tx_id, state, stage, last_msg FROM state;";
        var before = scene.destination.read(columns);
        scene.start();
        assertThat(scene.exitCode(LIMIT)).isEqualTo(FATAL);
        assertThat(scene.log()).contains("STATE_INVALID", "'scene'", said);
        assertThat(scene.destination.read(columns)).isEqualTo(before);
    }
}
