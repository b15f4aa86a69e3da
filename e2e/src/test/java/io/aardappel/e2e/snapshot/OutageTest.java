package io.aardappel.e2e.snapshot;

import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.model.fault.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@DisplayName("An outage that outlasts the lock is told within three heartbeat intervals, and survived")
class OutageTest {
    private static final Duration OUTAGE = Scene.HEARTBEAT.multipliedBy(5);

    @TempDir
    private Path folder;

    private Scene scene;

    @BeforeEach
    void begin() {
        scene = Scene.replicating(folder, 2, 2);
    }

    @AfterEach
    void end() {
        scene.close();
    }

    private void survives(FaultRule rule, String told) {
        scene.emulator.faults().add(rule);
        scene.emulator.restartNode();
        long end = System.nanoTime() + OUTAGE.toNanos();
        await().atMost(Scene.SOON)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> scene.log().lines().anyMatch(line -> line.contains("\"warn\"") && line.contains(told)));
        LockSupport.parkNanos(Math.max(0, end - System.nanoTime()));
        scene.emulator.faults().clear();
        scene.write("UPSERT INTO t (k, v) VALUES (3, 'three');");
        scene.settle();
        scene.assertCopied("SELECT * FROM t;");
        scene.stop();
    }

    @Test
    @DisplayName("of the destination, which refuses everything")
    void destinationRefuses() {
        survives(FaultRule.of(Fault.UNAVAILABLE).inDatabase(Scene.DESTINATION), "UNAVAILABLE");
    }

    @Test
    @DisplayName("of the destination, which answers no commit")
    void destinationDoesNotAnswer() {
        survives(
                FaultRule.of(Fault.COMMIT_UNANSWERED)
                        .inDatabase(Scene.DESTINATION)
                        .during(Operation.COMMIT),
                "DEADLINE");
    }

    @Test
    @DisplayName("of the source, which refuses everything")
    void sourceRefuses() {
        survives(FaultRule.of(Fault.OVERLOADED).inDatabase(Scene.SOURCE), "OVERLOADED");
    }

    @Test
    @DisplayName("of the source, whose streams are cut as soon as they are opened")
    void sourceCuts() {
        survives(FaultRule.of(Fault.STREAM_CUT).inDatabase(Scene.SOURCE), "UNAVAILABLE");
    }
}
