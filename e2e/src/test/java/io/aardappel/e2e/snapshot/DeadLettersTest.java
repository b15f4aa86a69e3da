package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.model.fault.Fault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A record that was left out as a dead letter")
class DeadLettersTest {
    private static final int LOCKED = 6;
    private static final int REFUSED = 8;

    private Scene scene;

    @BeforeEach
    void leaveOneOut(Scene empty) {
        scene = empty;
        scene.oneTable(1);
        scene.destination.define("CREATE TOPIC dead;");
        scene.configure("dead_letter_queue: {path: dead}");
        scene.setStrategy(0, "continue");
        scene.start("dead_letter_format: json");
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
        scene.settle();
        scene.emulator.faults().add(FaultRule.of(Fault.LATE_RECORD).times(1));
        scene.write("UPSERT INTO t (k, v) VALUES (77, 'late');");
        scene.settle();
    }

    @Test
    @DisplayName("is written by a replay while no replicator runs, and stays when one goes on")
    void isReplayed() {
        assertThat(scene.rows()).containsExactly("1 one");
        assertThat(scene.command("dlq", "list").text()).contains("0:0", "left out", "LATE_RECORD", "t/feed", "[77]");
        assertThat(scene.command("dlq", "replay", "--letter", "0:0", "--wait", "0")
                        .code())
                .isEqualTo(LOCKED);
        scene.stop();

        Scene.Printed printed = scene.command("dlq", "replay", "--letter", "0:0");

        assertThat(printed.text()).contains("0:0 replayed: update of " + Scene.DESTINATION + "/t, key [77]");
        assertThat(printed.code()).isZero();
        assertThat(scene.rows()).containsExactly("1 one", "77 late");
        scene.start("dead_letter_format: json");
        scene.write("UPSERT INTO t (k, v) VALUES (2, 'two');");
        scene.settle();
        assertThat(scene.rows()).containsExactly("1 one", "2 two", "77 late");
        assertThat(scene.command("dlq", "list").text()).contains("replayed");
    }

    @Test
    @DisplayName("is not replayed when its row was written again meanwhile")
    void isRefused() {
        scene.write("UPSERT INTO t (k, v) VALUES (77, 'newer');");
        scene.settle();
        scene.stop();

        Scene.Printed printed = scene.command("dlq", "replay", "--all");

        assertThat(printed.code()).isEqualTo(REFUSED);
        assertThat(printed.text()).contains("0:0 not replayed: the row was changed since: column v");
        assertThat(scene.rows()).containsExactly("1 one", "77 newer");
    }
}
