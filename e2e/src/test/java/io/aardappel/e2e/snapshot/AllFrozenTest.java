package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.e2e.world.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@DisplayName("When all replicators are frozen for longer than the lock lasts and go on together")
class AllFrozenTest {
    private static final int ROUNDS = 4;
    private static final Duration LOCK_LIFE = Scene.HEARTBEAT.multipliedBy(2);
    private static final int KEYS = 50;

    @TempDir
    private Path folder;

    private final Random random = new Random(3);
    private int written;

    /** What one look at the destination saw. */
    private record Seen(String owner, long step, long commits) {}

    @Test
    @DisplayName("one of them goes on, the checkpoint never goes back, and the replica is right")
    void goOn() {
        List<Seen> history = new ArrayList<>();
        try (Scene scene = new Scene(folder)) {
            scene.table(
                    "t", "k Uint32 NOT NULL, v Uint32, PRIMARY KEY (k)", " WITH (UNIFORM_PARTITIONS = 3)", "UPDATES");
            List<ReplicatorProcess> both = List.of(scene.start(), scene.start());
            write(scene);
            scene.settle();
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = random.nextInt(400); i >= 0; i--) {
                    write(scene);
                }
                both.forEach(ReplicatorProcess::freeze);
                write(scene);
                LockSupport.parkNanos(
                        LOCK_LIFE.plusMillis(300 + random.nextInt(700)).toNanos());
                both.forEach(ReplicatorProcess::thaw);
                long end = scene.now();
                await().atMost(Duration.ofSeconds(20))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> {
                            history.add(look(scene));
                            return history.get(history.size() - 1).step() > end;
                        });
                assertThat(both).allMatch(ReplicatorProcess::alive);
            }
            scene.settle();
            scene.assertCopied("SELECT * FROM t;");
            scene.stop();
        }
        assertThat(owners(history)).doesNotHaveDuplicates();
        assertThat(history).isSortedAccordingTo((one, next) -> Long.compare(one.step(), next.step()));
        assertThat(history).isSortedAccordingTo((one, next) -> Long.compare(one.commits(), next.commits()));
    }

    private void write(Scene scene) {
        scene.write("UPSERT INTO t (k, v) VALUES (" + random.nextInt(KEYS) * 85_000_000L + "u, " + written++ + "u);");
    }

    /** Who committed, one after the other: whoever was followed by another must not come back. */
    private static List<String> owners(List<Seen> history) {
        List<String> owners = new ArrayList<>();
        for (Seen seen : history) {
            if (owners.isEmpty() || !owners.get(owners.size() - 1).equals(seen.owner())) {
                owners.add(seen.owner());
            }
        }
        return owners;
    }

    private static Seen look(Scene scene) {
        Row row = scene.destination
                .read("SELECT i.owner AS owner, s.step_id AS step, i.commit_seq AS commits FROM state AS s"
                        + " JOIN state_instances AS i ON s.id = i.id WHERE s.id = 'scene';")
                .get(0);
        return new Seen(
                Scene.plain(row.text("owner")),
                Long.parseLong(Scene.plain(row.text("step"))),
                Long.parseLong(Scene.plain(row.text("commits"))));
    }
}
