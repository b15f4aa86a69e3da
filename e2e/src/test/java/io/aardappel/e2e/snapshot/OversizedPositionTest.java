package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
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

    private static final long MEMORY_BYTES = 1 << 20;
    /** Of {@link #LARGE} bytes each: together they do not fit it. */
    private static final int LARGE_ROWS = 120;

    private static final int LARGE = 10_000;

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
        assertThat(decisions()).containsExactly("skip_all");
    }

    private List<String> decisions() {
        return scene.destination.read("SELECT action FROM state_decisions ORDER BY action;").stream()
                .map(row -> Scene.plain(row.text("action")))
                .toList();
    }

    @Test
    @DisplayName("that was left out comes in by a replay of its letters, each with a decision of its own, and stays in")
    void isReplayed() {
        scene.setStrategy(0, "continue");
        scene.start(SMALL);
        fiveRowsAtOnce();
        scene.settle();
        scene.stop();

        assertThat(scene.command("dlq", "replay", "--all").text()).contains("letters replayed: 5, not replayed: 0");

        assertThat(decisions()).containsExactly("apply", "apply", "apply", "apply", "apply", "skip_all");
        scene.start(SMALL);
        scene.write("UPSERT INTO t (k, v) VALUES (6, 'six');");
        scene.settle();
        scene.assertCopied("SELECT k, v FROM t;");
        assertThat(scene.command("dlq", "list").text()).doesNotContain("left out");
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

    @Test
    @DisplayName("and than memory ends the process without asking anybody, and is applied when there is more of that")
    void doesNotFitMemory() throws IOException {
        scene.setStrategy(0, "continue"); // which is not asked
        scene.start("memory: " + MEMORY_BYTES, "read_credit: 64KiB");
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'below it');");
        scene.settle();
        VirtualTimestamp position = scene.write(
                "t",
                LongStream.rangeClosed(2, LARGE_ROWS)
                        .mapToObj(OversizedPositionTest::large)
                        .toList());
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'above it');");

        Matcher told = Pattern.compile("OVERSIZED_POSITION: position \\[(\\d+),(\\d+)] "
                        + "\\(stream /source/t/feed, partition \\d+\\) has at least (\\d+) changes of (\\d+) bytes, "
                        + "which must be applied together and do not fit the " + MEMORY_BYTES
                        + " bytes of replicator\\.memory\\. Raise replicator\\.memory .*")
                .matcher(scene.fatalError(Scene.SOON.multipliedBy(2)));

        assertThat(told).matches();
        assertThat(List.of(told.group(1), told.group(2)))
                .as("the position, and the checkpoint: all below it is applied")
                .isEqualTo(List.of(Long.toUnsignedString(position.step()), Long.toUnsignedString(position.txId())))
                .isEqualTo(List.of(scene.state("step_id"), scene.state("tx_id")));
        assertThat(Long.parseLong(told.group(4)))
                .as("bytes of those that were read")
                .isBetween(MEMORY_BYTES / 4 * 3, MEMORY_BYTES)
                .isGreaterThan(Long.parseLong(told.group(3)) * LARGE);
        assertThat(scene.rows()).as("nothing of it or above it").containsExactly("1 below it");
        assertThat(problems.deadLetters()).isEmpty();
        assertThat(scene.log()).contains("\"error\":\"OVERSIZED_POSITION: position", "ending with code 5");

        scene.clearFatalError();
        scene.start("memory: 8MiB");
        scene.settle();
        scene.assertCopied("SELECT k, v FROM t;");
    }

    private static RowWrite large(long key) {
        return new RowWrite(RowWrite.Kind.UPSERT, List.of(key), new int[] {1}, new Object[] {"x".repeat(LARGE)});
    }
}
