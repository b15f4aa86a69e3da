package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.KnownSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** As a Secret's value that is mounted and then changed: the kubelet writes the new one some time after the old one died. */
@DisplayName("A replicator whose token stands in a file")
@Execution(ExecutionMode.CONCURRENT)
class ReplacedTokenTest {
    private static final String FIRST = KnownSecrets.secret("token-first");
    private static final String SECOND = KnownSecrets.secret("token-second");
    private static final Duration LIMIT = Duration.ofSeconds(40);

    @TempDir
    private Path folder;

    @Test
    @DisplayName("goes on when the token is replaced, though the databases took the old one no more before that")
    void goesOn() throws IOException {
        Path given = Files.createDirectory(folder.resolve("given"));
        Path file = Files.writeString(given.resolve("token"), FIRST + "\n");
        YdbEmulator.Builder builder = YdbEmulator.builder()
                .token("scene", "root@builtin")
                .token(FIRST, "replicator")
                .token(SECOND, "replicator");
        try (Scene scene = new Scene(folder, builder, "scene")) {
            scene.authenticate("");
            scene.oneTable(1);
            ReplicatorProcess replicator =
                    scene.start("source_token_file: \"" + file + "\"", "destination_token_file: \"" + file + "\"");
            scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
            scene.settle();
            scene.emulator.accounts().dismiss(FIRST);
            await().atMost(LIMIT).until(() -> scene.log().contains("takes its token no more"));
            Path next = Files.writeString(given.resolve("next"), SECOND);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            scene.write("UPSERT INTO t (k, v) VALUES (2, 'two');");
            scene.settle();
            assertThat(scene.destination.read("SELECT k, v FROM t;"))
                    .hasSize(2)
                    .containsExactlyInAnyOrderElementsOf(scene.source.read("SELECT k, v FROM t;"));
            assertThat(replicator.alive()).isTrue();
            assertThat(scene.state("state")).isEqualTo("OK");
            scene.stop();
        }
    }
}
