package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.model.fault.Fault;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("What the destination cannot take ends the replication in time")
class RefusedWorkTest {
    private static final Duration RETRIES = Duration.ofSeconds(4);

    private Scene scene;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        scene.table("goods", "k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)", "", "UPDATES");
        scene.start(
                "transaction_rows: 2",
                "transaction_rows_max: 3",
                "retry_time_max: " + RETRIES.toSeconds() + "s",
                "retry_pause_max: 500ms");
        scene.write("UPSERT INTO goods (k, v) VALUES (1, 'one');");
        scene.settle();
    }

    @Test
    @DisplayName("a position with more rows than a transaction may have: at once")
    void oversizedPosition() {
        scene.write("UPSERT INTO goods (k, v) VALUES (1, 'a'), (2, 'a'), (3, 'a'), (4, 'a');");
        assertThat(scene.fatalError(Scene.SOON)).contains("OVERSIZED_POSITION", "4");
    }

    @Test
    @DisplayName("a table whose every commit is aborted: after retry_time_max")
    void abortedForEver() {
        scene.emulator
                .faults()
                .add(FaultRule.of(Fault.ABORTED)
                        .inDatabase(Scene.DESTINATION)
                        .at(Scene.DESTINATION + "/goods")
                        .during(Operation.COMMIT));
        scene.write("UPSERT INTO goods (k, v) VALUES (2, 'two');");
        assertThat(scene.fatalError(RETRIES.plus(Scene.SOON))).contains("DESTINATION_FAILED", "ABORTED");
    }

    @Test
    @DisplayName("a table whose every commit is answered UNDETERMINED and done: not at all")
    void undeterminedForEver() {
        scene.emulator
                .faults()
                .add(FaultRule.of(Fault.COMMIT_UNDETERMINED)
                        .inDatabase(Scene.DESTINATION)
                        .at(Scene.DESTINATION + "/goods")
                        .during(Operation.COMMIT));
        for (int k = 0; k < 5; k++) {
            scene.write("UPSERT INTO goods (k, v) VALUES (" + k + ", 'x');");
            scene.settle();
        }
        scene.emulator.faults().clear();
        assertThat(scene.destination.read("SELECT k FROM goods WHERE v = 'x';")).hasSize(5);
    }
}
