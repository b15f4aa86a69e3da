package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.KnownSecrets;
import java.io.IOException;
import java.nio.file.Files;
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
@DisplayName("A replicator that logs in by user and password")
class PasswordLoginTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String PASSWORD = KnownSecrets.secret("password-of-the-replicator");

    @TempDir
    private Path folder;

    private Path passwordFile;
    private Scene scene;
    private int rows;

    @BeforeEach
    void begin() throws IOException {
        scene = new Scene(
                folder, YdbEmulator.builder().user("replicator", PASSWORD).token("scene", "root@builtin"), "scene");
        passwordFile = Files.createDirectory(folder.resolve("given")).resolve("password");
        Files.writeString(passwordFile, PASSWORD + "\n");
        scene.authenticate("");
        scene.oneTable(1);
    }

    @AfterEach
    void end() {
        scene.close();
    }

    private void start() {
        scene.start(
                "source_user: replicator",
                "source_password_file: \"" + passwordFile + "\"",
                "destination_user: replicator",
                "destination_password_file: \"" + passwordFile + "\"");
    }

    private void expectTheCopyToFollow() {
        rows++;
        scene.write("UPSERT INTO t (k, v) VALUES (" + rows + ", 'x');");
        scene.settle();
        assertThat(scene.destination.read("SELECT k, v FROM t;")).hasSize(rows);
    }

    @Test
    @DisplayName("replicates, and logs in again when its tickets are no longer taken")
    void logsInAgain() throws IOException {
        start();
        expectTheCopyToFollow();
        scene.emulator.accounts().expireIssued();
        await().atMost(LIMIT).until(() -> scene.log().contains("takes its token no more"));
        expectTheCopyToFollow();
        assertThat(scene.state("state")).isEqualTo("OK");
    }

    @Test
    @DisplayName("ends with code 4, and names user and file, when the password is wrong")
    void wrongPassword() throws IOException {
        Files.writeString(passwordFile, KnownSecrets.secret("password-of-yesterday"));
        start();
        assertThat(scene.exitCode(LIMIT)).isEqualTo(4);
        assertThat(scene.log())
                .contains("login as replicator", "UNAUTHORIZED", "source_password_file", "given/password");
    }
}
