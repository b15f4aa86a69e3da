package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@WithScene
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A row that is left out by its key")
class KeyFilterTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String OFTEN = "key_filter_interval: 1s";
    private static final String TABLE = Scene.DESTINATION + "/t";

    /** In the other of the two partitions. */
    private static final String FAR = "18446744073709551615";

    private final AtomicBoolean writing = new AtomicBoolean(true);

    private Scene scene;
    private Pages pages;

    @BeforeEach
    void begin(Scene empty) {
        scene = empty;
        scene.oneTable(2);
        scene.destination.define(
                "CREATE TABLE blocked (instance_id Utf8, key String, PRIMARY KEY (instance_id, key));");
        scene.configure("key_filter: {table_path: blocked}");
        pages = Pages.of(scene);
        assertThat(scene.command("key-filter", "add", "--table", TABLE, "--key", "[7]")
                        .code())
                .isZero();
    }

    /** Whether the replicator has told of so many blocked keys. */
    private boolean knows(int count) throws IOException {
        return scene.log()
                .lines()
                .anyMatch(line -> line.matches(".*\"blocked keys\".*\"count\":\"?" + count + "\\b.*"));
    }

    private double filtered() {
        return pages.metric("aardappel_replicator_filtered_total").sum();
    }

    @Test
    @DisplayName("never reaches the destination, whatever is done with it, and is counted")
    void neverReachesTheDestination() {
        scene.start(OFTEN);
        scene.write("UPSERT INTO t (k, v) VALUES (6, 'a'), (7, 'secret'), (8, 'b');");
        scene.write("UPDATE t SET v = 'still secret' WHERE k = 7;");
        scene.write("REPLACE INTO t (k, v) VALUES (7, 'secret again');");
        scene.write("DELETE FROM t WHERE k = 7;");
        scene.settle();

        assertThat(scene.rows()).containsExactly("6 a", "8 b");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(filtered()).isEqualTo(4));
    }

    @Test
    @DisplayName(
            "stays as it was at one moment, with all others whose keys were added with its, while a replicator runs")
    void staysAsItWas() throws IOException {
        scene.start(OFTEN);
        scene.write("UPSERT INTO t (k, v) VALUES (3, '0'), (4, '0'), (" + FAR + ", '0');");
        scene.settle();

        Thread writer = new Thread(this::writeTogether, "writer");
        writer.start();
        try {
            assertThat(scene.command("key-filter", "add", "--table", TABLE, "--key", "[3]", "--key", "[" + FAR + "]")
                            .code())
                    .isZero();
            await().atMost(LIMIT).until(() -> knows(3));
            await().atMost(LIMIT).until(() -> filtered() > 0);
        } finally {
            writing.set(false);
            join(writer);
        }
        scene.settle();

        Map<String, String> rows = scene.rows().stream()
                .map(row -> row.split(" "))
                .collect(Collectors.toMap(row -> row[0], row -> row[1]));
        assertThat(rows.get("3")).isEqualTo(rows.get(FAR));
        assertThat(Integer.parseInt(rows.get("4"))).isGreaterThan(Integer.parseInt(rows.get("3")));
    }

    /** Rows of two partitions, always equal to each other. */
    private void writeTogether() {
        for (int value = 1; writing.get(); value++) {
            scene.write("UPSERT INTO t (k, v) VALUES (3, '" + value + "'), (4, '" + value + "'), (" + FAR + ", '"
                    + value + "');");
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("is listed, and replicated from then on when its key is removed")
    void isListed() throws IOException {
        scene.start(OFTEN);
        scene.write("UPSERT INTO t (k, v) VALUES (7, 'secret');");
        scene.settle();
        assertThat(scene.command("key-filter", "list").text().strip()).isEqualTo(TABLE + "  7");

        assertThat(scene.command("key-filter", "remove", "--table", TABLE, "--key", "[7]")
                        .code())
                .isZero();
        await().atMost(LIMIT).until(() -> knows(0));
        scene.write("UPSERT INTO t (k, v) VALUES (7, 'open');");
        scene.settle();

        assertThat(scene.rows()).containsExactly("7 open");
        assertThat(scene.command("key-filter", "list").text().strip()).isEqualTo("no blocked keys");
    }
}
