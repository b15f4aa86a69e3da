package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.Permissions.Right;
import io.aardappel.emulator.junit.KnownSecrets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken away is told within three heartbeat intervals, with what to do about it. */
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A replicator that loses access while it runs")
class LostAccessTest {
    private static final String READER = "reader@builtin";
    private static final String WRITER = "writer@builtin";
    private static final String SOURCE_TOKEN = KnownSecrets.secret("token-of-the-reader");
    private static final String DESTINATION_TOKEN = KnownSecrets.secret("token-of-the-writer");
    private static final String TOPIC = Scene.SOURCE + "/t/feed";
    private static final String TABLE = Scene.DESTINATION + "/t";

    @TempDir
    private Path folder;

    private Scene scene;
    private Pages pages;
    private ReplicatorProcess replicator;
    private int rows;

    @BeforeEach
    void begin() {
        scene = new Scene(
                folder,
                YdbEmulator.builder()
                        .token("scene", "root@builtin")
                        .token(SOURCE_TOKEN, READER)
                        .token(DESTINATION_TOKEN, WRITER),
                "scene");
        scene.authenticate(
                "src_static_token: \"" + SOURCE_TOKEN + "\"\ndst_static_token: \"" + DESTINATION_TOKEN + "\"\n");
        pages = Pages.of(scene);
        scene.oneTable(2);
        replicator = scene.start("retry_pause_max: 500ms");
        write();
        scene.settle();
    }

    @AfterEach
    void end() {
        scene.close();
    }

    private void write() {
        rows++;
        scene.write("UPSERT INTO t (k, v) VALUES (" + rows + ", 'x');");
    }

    /** The reason that is due, with all these words, in {@code /status} and in the log. */
    private void isBlocked(String reason, String... words) throws IOException {
        await().atMost(Scene.SOON)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(
                        () -> assertThat(pages.blocking()).startsWith(reason).contains(words));
        assertThat(scene.log()).contains(words);
        assertThat(replicator.alive()).isTrue();
    }

    private void goesOn() {
        write();
        scene.settle();
        scene.assertCopied("SELECT * FROM t;");
        assertThat(scene.state("state")).isEqualTo("OK");
        assertThat(replicator.alive()).isTrue();
    }

    @Nested
    @DisplayName("to the source")
    class ToTheSource {
        @Test
        @DisplayName("its right to read the topic: FATAL_ERROR")
        void readTopic() {
            scene.emulator.permissions().revoke(READER, TOPIC, Right.READ);
            assertThat(scene.fatalError(Scene.SOON))
                    .contains("SOURCE_FAILED", "t/feed", "UNAUTHORIZED", "Check the source's token, and its rights on");
        }

        @Test
        @DisplayName("its right to see the topic: FATAL_ERROR")
        void describeTopic() {
            scene.emulator.permissions().revoke(READER, TOPIC, Right.DESCRIBE);
            assertThat(scene.fatalError(Scene.SOON))
                    .contains("SOURCE_FAILED", "t/feed", "SCHEME_ERROR", "that the reader may read it");
        }

        @Test
        @DisplayName("its token: FATAL_ERROR")
        void token() {
            scene.emulator.accounts().dismiss(SOURCE_TOKEN);
            assertThat(scene.fatalError(Scene.SOON))
                    .contains("SOURCE_FAILED", "t/feed", "UNAUTHENTICATED", "Check the source's token");
        }

        @Test
        @DisplayName("and is started again: it ends before it takes the lock, and says why")
        void startedAgain() throws IOException {
            scene.emulator.permissions().revoke(READER, TOPIC, Right.READ);
            scene.fatalError(Scene.SOON);
            scene.clearFatalError();
            scene.emulator.permissions().revoke(READER, TOPIC, Right.DESCRIBE);
            scene.start();
            assertThat(scene.exitCode(Duration.ofSeconds(20))).isEqualTo(4);
            assertThat(scene.log()).contains("/source/t/feed", "does not exist, or may not be seen");
        }
    }

    @Nested
    @DisplayName("to the destination")
    class ToTheDestination {
        @ParameterizedTest
        @ValueSource(strings = {"/t", "/state", "/state_instances"})
        @DisplayName("its right to write a table: told, and gone on with when it is back")
        void write(String table) throws IOException {
            scene.emulator.permissions().revoke(WRITER, Scene.DESTINATION + table, Right.WRITE);
            LostAccessTest.this.write();
            isBlocked("destination", "AccessDenied", Scene.DESTINATION + table, "may read and write there");
            scene.emulator.permissions().grant(WRITER, Scene.DESTINATION + table, Right.WRITE);
            goesOn();
        }

        @ParameterizedTest
        @EnumSource(names = {"DESCRIBE", "READ"})
        @DisplayName("its right on the state table: told, and gone on with when it is back")
        void stateTable(Right right) throws IOException {
            scene.emulator.permissions().revoke(WRITER, Scene.DESTINATION + "/state", right);
            isBlocked("destination: the lock cannot be asked for", Scene.DESTINATION + "/state");
            scene.emulator.permissions().grant(WRITER, Scene.DESTINATION + "/state", right);
            goesOn();
        }

        @Test
        @DisplayName("its right to see a table: FATAL_ERROR at the next change of it")
        void describeTable() {
            scene.emulator.permissions().revoke(WRITER, TABLE, Right.DESCRIBE);
            LostAccessTest.this.write();
            assertThat(scene.fatalError(Scene.SOON))
                    .contains("DESTINATION_FAILED", TABLE, "access permissions", "may read and write them");
        }

        @Test
        @DisplayName("its token: told, and it can be stopped")
        void token() throws IOException {
            scene.emulator.accounts().dismiss(DESTINATION_TOKEN);
            isBlocked("destination", "UNAUTHENTICATED", "Check the destination's token");
            scene.stop();
        }
    }
}
