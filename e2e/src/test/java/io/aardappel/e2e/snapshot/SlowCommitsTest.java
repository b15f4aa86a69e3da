package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.model.fault.Fault;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@WithScene
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("Told to stop while the destination is slow to commit")
class SlowCommitsTest {
    /** {@code shutdown_timeout}, and what a busy machine adds. */
    private static final Duration BOUND = Duration.ofSeconds(12);

    /** Named in transactions that carry changes, and not in those of the lock. */
    private static final String DATA = Scene.DESTINATION + "/goods";

    private Scene scene;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        for (String table : new String[] {"goods", "stock"}) {
            scene.table(
                    table, "k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)", " WITH (UNIFORM_PARTITIONS = 2)", "UPDATES");
        }
        scene.start();
        write(0);
        scene.settle();
    }

    private void write(int key) {
        scene.write("UPSERT INTO goods (k, v) VALUES (" + key + ", 'x'); UPSERT INTO stock (k, v) VALUES (" + key
                + ", 'x');");
    }

    private static FaultRule atCommits(Fault fault) {
        return FaultRule.of(fault).inDatabase(Scene.DESTINATION).during(Operation.COMMIT);
    }

    private void stopsAndGoesOn(FaultRule rule) {
        scene.emulator.faults().add(rule);
        write(1);
        await().atMost(Scene.HEARTBEAT.multipliedBy(3))
                .until(() -> scene.emulator.faults().fired(rule.fault()) > 0);
        long began = System.nanoTime();
        scene.stop();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        System.out.printf("%s: stopped within %d ms%n", rule.fault(), took.toMillis());
        assertThat(took).isLessThan(BOUND);
        halfDone();
        scene.emulator.faults().clear();
        write(2);
        scene.start();
        scene.settle();
        halfDone();
        assertThat(scene.destination.read("SELECT k FROM goods;")).hasSize(3);
    }

    /** Every transaction of the source wrote the same keys into both tables. */
    private void halfDone() {
        assertThat(scene.destination.read("SELECT k, v FROM goods;"))
                .containsExactlyInAnyOrderElementsOf(scene.destination.read("SELECT k, v FROM stock;"));
    }

    @Test
    @DisplayName("by seconds, every time: ends with 0, nothing half done, and the next goes on")
    void everyCommit() {
        stopsAndGoesOn(atCommits(Fault.COMMIT_SLOW).withDelay(Duration.ofMillis(1_500)));
    }

    @Test
    @DisplayName("by longer than a transaction may take: ends with 0, and the late commit takes no effect")
    void beyondTheTimeout() {
        stopsAndGoesOn(atCommits(Fault.COMMIT_SLOW)
                .at(DATA)
                .withDelay(Duration.ofSeconds(8))
                .times(1));
    }

    @Test
    @DisplayName("and silent about one: ends with 0, nothing half done")
    void unanswered() {
        stopsAndGoesOn(atCommits(Fault.COMMIT_UNANSWERED).at(DATA).times(1));
    }
}
