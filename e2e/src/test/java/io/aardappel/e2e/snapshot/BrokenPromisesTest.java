package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("When the source breaks a promise, the replication stops and says what and where")
class BrokenPromisesTest {
    /** How long a process takes from its start to the lock, on a busy machine. */
    private static final Duration START = Duration.ofSeconds(8);

    private static final String BRING_IN_ANEW = "Bring the stream in anew (docs/runbooks/bring-a-stream-in-anew.md)";

    @TempDir
    private Path folder;

    private Scene scene;

    @BeforeEach
    void begin() {
        scene = Scene.replicating(folder, 1, 1);
    }

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    @DisplayName("a record below a barrier of its partition")
    void lateRecord() {
        scene.emulator.faults().add(FaultRule.of(Fault.LATE_RECORD).times(1));
        scene.write("UPSERT INTO t (k, v) VALUES (77, 'late');");
        stops(
                "LATE_RECORD: ",
                "t/feed",
                "partition 0",
                "77",
                "offset",
                "Order to apply or to skip it in the command queue (cmd_queue), then set state to OK and start again");
    }

    @Test
    @DisplayName("history cut before it was read, while no replicator ran")
    void retentionWhileDown() {
        scene.stop();
        for (int i = 0; i < 50; i++) {
            scene.write("UPSERT INTO t (k, v) VALUES (" + i + ", 'x');");
        }
        scene.topic("t").cutOldest(40);
        scene.start();
        stopsAfterStart("HISTORY_LOST: ", "t/feed", "partition 0", "was not read", BRING_IN_ANEW);
    }

    @Test
    @DisplayName("history cut before it was read, while a replicator waits for data")
    void retentionWhileReading() {
        scene.emulator.topicFaults().silence(scene.topic("t"), 0, Duration.ofMillis(1_500));
        for (int i = 0; i < 50; i++) {
            scene.write("UPSERT INTO t (k, v) VALUES (" + (100 + i) + ", 'x');");
        }
        scene.topic("t").cutOldest(40);
        stops("HISTORY_LOST: ", "t/feed", "partition 0", "was not read", BRING_IN_ANEW);
    }

    @Test
    @DisplayName("a consumer moved forward while no replicator ran")
    void consumerMovedWhileDown() {
        scene.stop();
        for (int i = 0; i < 50; i++) {
            scene.write("UPSERT INTO t (k, v) VALUES (" + i + ", 'x');");
        }
        scene.topic("t")
                .setCommitted("replicator", 0, scene.topic("t").partition(0).end() - 10);
        scene.start();
        stopsAfterStart(
                "OFFSETS_MOVED: ",
                "t/feed",
                "partition 0",
                "consumer replicator",
                "its place here is offset",
                "end who commits, set it back as said, then set state to OK");
    }

    @Test
    @DisplayName("a topic created again while it is read")
    void topicRecreated() {
        scene.topic("t").recreate(new VirtualTimestamp(scene.now(), 1));
        stops("TOPIC_RECREATED: ", "t/feed", BRING_IN_ANEW, "members remove");
    }

    @Test
    @DisplayName("a topic created again that soon holds as much as was read")
    void topicRecreatedAndFilled() {
        scene.emulator.database(Scene.SOURCE).standingStill(() -> {
            scene.topic("t").recreate(new VirtualTimestamp(scene.now(), 1));
        });
        for (int i = 0; i < 50; i++) {
            scene.write("UPSERT INTO t (k, v) VALUES (" + (200 + i) + ", 'x');");
        }
        stops("TOPIC_RECREATED: ", "t/feed", BRING_IN_ANEW, "members remove");
    }

    @Test
    @DisplayName("a consumer that is dropped")
    void consumerDroppedB06() {
        scene.source.define("ALTER TOPIC `t/feed` DROP CONSUMER replicator;");
        stops(
                "SOURCE_FAILED: ",
                "t/feed",
                "Check that consumer replicator exists: ALTER TOPIC `/source/t/feed` ADD CONSUMER `replicator`");
    }

    /** @param words reason, place and remedy */
    private void stops(String... words) {
        assertThat(scene.fatalError(Scene.SOON)).contains(words);
    }

    private void stopsAfterStart(String... words) {
        assertThat(scene.fatalError(Scene.SOON.plus(START))).contains(words);
    }
}
