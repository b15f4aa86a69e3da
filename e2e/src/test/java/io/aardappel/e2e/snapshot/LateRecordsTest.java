package io.aardappel.e2e.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.e2e.world.Row;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.model.fault.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A record that comes below a barrier of its partition")
class LateRecordsTest {
    private static final String QUICK = "command_wait: 500ms";
    private static final int FATAL = 5;

    private Scene scene;
    private ProblemTopics problems;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        scene.oneTable(1);
        problems = ProblemTopics.of(scene);
    }

    private void lateRecord() {
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
        scene.settle();
        scene.emulator.faults().add(FaultRule.of(Fault.LATE_RECORD).times(1));
        scene.write("UPSERT INTO t (k, v) VALUES (77, 'late');");
    }

    private List<String> row77() {
        return scene.destination.read("SELECT v FROM t WHERE k = 77;").stream()
                .map(LateRecordsTest::value)
                .toList();
    }

    private static String value(Row row) {
        return Scene.plain(row.text("v"));
    }

    @Test
    @DisplayName("is a dead letter by strategy continue, and everything else goes on")
    void isLeftOut() {
        scene.setStrategy(0, "Continue");
        scene.start(QUICK);
        lateRecord();
        scene.settle();
        scene.write("UPSERT INTO t (k, v) VALUES (2, 'two');");
        scene.settle();

        assertThat(row77()).isEmpty();
        assertThat(problems.deadLetters())
                .singleElement()
                .asString()
                .startsWith("Unexpected timestamp in stream, last hb ts:[")
                .contains("got tx {\"topic\":\"t/feed\",\"key\":[77],\"ts\":[");
    }

    @Test
    @DisplayName(
            "is named in last_msg in the words that a command about it needs; one that is not quite so is answered")
    void isNamedAsACommandNeedsIt() throws IOException {
        scene.start(QUICK);
        lateRecord();
        String text = scene.fatalError(Scene.HEARTBEAT.multipliedBy(10));
        Matcher words = Pattern.compile("stream (\\S+), partition .* key (\\S+): the change at (\\S+) ")
                .matcher(text);
        assertThat(words.find()).as(text).isTrue();
        String command =
                "{\"aardapel_instance_id\": \"scene\", \"path\": \"%s\", \"key\": %s, \"ts\": %s, \"action\": \"%s\"}"
                        .formatted(words.group(1), words.group(2), words.group(3), "%s");

        problems.answer(command.formatted("Apply").getBytes(UTF_8));
        scene.start(QUICK);
        scene.fatalError(Scene.HEARTBEAT.multipliedBy(10));
        assertThat(scene.log())
                .contains(
                        "a command is passed over",
                        "action is \\\"Apply\\\" and must be \\\"apply\\\" or \\\"skip\\\"");

        problems.answer(command.formatted("apply").getBytes(UTF_8));
        scene.start(QUICK);
        await().atMost(Duration.ofMinutes(2)).until(() -> !row77().isEmpty());
    }

    @Test
    @DisplayName("is met again after FATAL_ERROR was repaired, and applied when a command says so")
    void isAppliedB14B15() {
        scene.start(QUICK);
        lateRecord();
        assertThat(scene.exitCode(Scene.HEARTBEAT.multipliedBy(10))).isEqualTo(FATAL);

        problems.order("apply", problems.deadLetters().get(0));
        scene.kill();
        scene.start(QUICK);

        await().atMost(Duration.ofMinutes(2)).until(() -> !row77().isEmpty());
        assertThat(row77()).containsExactly("late");
        assertThat(scene.destination.read("SELECT action, decided_by FROM state_decisions;"))
                .singleElement()
                .satisfies(row -> {
                    assertThat(Scene.plain(row.text("action"))).isEqualTo("apply");
                    assertThat(Scene.plain(row.text("decided_by"))).isEqualTo("command");
                });
    }
}
