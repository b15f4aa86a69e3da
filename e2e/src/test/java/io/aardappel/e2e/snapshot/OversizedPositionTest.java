package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.topic.TopicMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tech.ydb.table.query.Params;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A transaction of the source that is larger than one of ours may be")
class OversizedPositionTest {
    private static final String[] SMALL = {
        "transaction_rows: 2", "transaction_rows_max: 3", "command_wait: 500ms", "dead_letter_format: json"
    };

    @TempDir
    private Path folder;

    private Scene scene;

    @BeforeEach
    void begin() {
        scene = new Scene(folder);
        scene.table("t", "k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)", " WITH (UNIFORM_PARTITIONS = 2)", "UPDATES");
        scene.destination.define("CREATE TOPIC dead;");
        scene.destination.define("CREATE TOPIC commands (CONSUMER repl);");
        scene.configure("dead_letter_queue: {path: dead}");
        scene.configure("cmd_queue: {path: commands, consumer: repl}");
    }

    @AfterEach
    void end() {
        scene.close();
    }

    private void fiveRowsAtOnce() {
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
        scene.settle();
        scene.write("UPSERT INTO t (k, v) VALUES (2, 'x'), (3, 'x'), (4, 'x'), (5, 'x'), (18446744073709551615, 'x');");
    }

    private List<String> rows() {
        return scene.destination.read("SELECT k, v FROM t ORDER BY k;").stream()
                .map(row -> row.text("k") + " " + Scene.plain(row.text("v")))
                .toList();
    }

    private List<String> deadLetters() {
        return scene.destinationTopic("dead").read(0, 0).messages().stream()
                .map(message -> new String(message.data(), StandardCharsets.UTF_8))
                .toList();
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

        assertThat(rows()).containsExactly("1 one", "6 six");
        assertThat(deadLetters())
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

        String ts = deadLetters().get(3).replaceFirst(".*\"ts\":(\\[\\d+,\\d+]).*", "$1");
        byte[] order = ("{\"aardapel_instance_id\":\"scene\",\"path\":\"t/feed\",\"key\":[4],\"ts\":" + ts
                        + ",\"action\":\"apply\"}")
                .getBytes(StandardCharsets.UTF_8);
        long now = scene.now();
        scene.destinationTopic("commands")
                .write(0, List.of(new TopicMessage("", 1, now, now, 1, order.length, Map.of(), order)));
        scene.destination.write("UPDATE state SET state = 'OK', last_msg = NULL WHERE id = 'scene';", Params.empty());
        scene.start(SMALL);
        scene.settle();

        assertThat(rows()).containsExactly("1 one", "2 x", "3 x", "4 x", "5 x", "18446744073709551615 x");
    }
}
