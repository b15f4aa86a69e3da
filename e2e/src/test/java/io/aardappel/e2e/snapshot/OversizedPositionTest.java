package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A transaction of the source that is larger than one of ours may be")
class OversizedPositionTest {
    private static final String[] SMALL = {
        "transaction_rows: 2", "transaction_rows_max: 3", "command_wait: 500ms", "dead_letter_format: json"
    };

    private Scene scene;
    private ProblemTopics problems;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        scene.oneTable(2);
        problems = ProblemTopics.of(scene);
    }

    private void fiveRowsAtOnce() {
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
        scene.settle();
        scene.write("UPSERT INTO t (k, v) VALUES (2, 'x'), (3, 'x'), (4, 'x'), (5, 'x'), (18446744073709551615, 'x');");
    }

    @Test
    @DisplayName("is left out whole by strategy continue, each of its rows a dead letter, and everything else goes on")
    void isLeftOut() {
        scene.setStrategy(0, "continue");
        scene.start(SMALL);
        fiveRowsAtOnce();
        scene.settle();
        scene.write("UPSERT INTO t (k, v) VALUES (6, 'six');");
        scene.settle();

        assertThat(scene.rows()).containsExactly("1 one", "6 six");
        assertThat(problems.deadLetters())
                .hasSize(5)
                .allSatisfy(letter -> assertThat(letter).contains("OVERSIZED_POSITION", "\"operation\":\"update\""));
        assertThat(scene.destination.read("SELECT action FROM state_decisions;"))
                .singleElement()
                .satisfies(row -> assertThat(Scene.plain(row.text("action"))).isEqualTo("skip_all"));
    }

    @Test
    @DisplayName("stops by strategy stop, and is applied whole when a command about any of its rows says so")
    void isApplied() {
        scene.start(SMALL);
        fiveRowsAtOnce();
        String text = scene.fatalError(Scene.SOON.multipliedBy(3));
        assertThat(text).startsWith("OVERSIZED_POSITION").contains("t/feed");

        String ts = problems.deadLetters().get(3).replaceFirst(".*\"ts\":(\\[\\d+,\\d+]).*", "$1");
        byte[] order = ("{\"aardapel_instance_id\":\"scene\",\"path\":\"t/feed\",\"key\":[4],\"ts\":" + ts
                        + ",\"action\":\"apply\"}")
                .getBytes(StandardCharsets.UTF_8);
        problems.answer(order);
        scene.start(SMALL);
        scene.settle();

        assertThat(scene.rows()).containsExactly("1 one", "2 x", "3 x", "4 x", "5 x", "18446744073709551615 x");
    }
}
