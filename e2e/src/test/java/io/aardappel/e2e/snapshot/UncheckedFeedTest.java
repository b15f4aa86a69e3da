package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.Permissions.Right;
import io.aardappel.emulator.junit.KnownSecrets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("A feed whose source table the reader may not describe")
class UncheckedFeedTest {
    private static final String READER = "reader@builtin";
    private static final String READER_TOKEN = KnownSecrets.secret("token-of-a-reader-who-may-not-describe");
    private static final String WRITER_TOKEN = KnownSecrets.secret("token-of-a-writer-beside-it");
    private static final String COLUMNS = "k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)";
    /** A process begins, takes the lock and reads. */
    private static final Duration FROM_THE_START = Scene.SOON.plusSeconds(20);

    @TempDir
    private Path folder;

    private Scene scene;

    @BeforeEach
    void begin() {
        scene = new Scene(
                folder,
                YdbEmulator.builder()
                        .token("scene", "root@builtin")
                        .token(READER_TOKEN, READER)
                        .token(WRITER_TOKEN, "writer@builtin"),
                "scene");
        scene.authenticate("src_static_token: \"" + READER_TOKEN + "\"\ndst_static_token: \"" + WRITER_TOKEN + "\"\n");
    }

    @AfterEach
    void end() {
        scene.close();
    }

    private void replicate(String mode) {
        scene.table("t", COLUMNS, "", mode);
        hideTheTable();
        scene.start();
    }

    private void hideTheTable() {
        scene.emulator.permissions().revoke(READER, Scene.SOURCE + "/t", Right.DESCRIBE);
        scene.emulator.permissions().grant(READER, Scene.SOURCE + "/t/feed", Right.DESCRIBE);
    }

    private void refuses(String why) throws IOException {
        assertThat(scene.fatalError(FROM_THE_START)).contains("UNFIT_RECORD", "t/feed", "key [1]", why);
        assertThat(scene.rows()).isEmpty();
        assertThat(scene.log()).contains("/source/t", "could not be described");
    }

    @Test
    @DisplayName("of mode KEYS_ONLY leaves no rows of keys alone")
    void keysOnlyB38() throws IOException {
        replicate("KEYS_ONLY");
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
        refuses("grant the right to describe the source table");
    }

    @Test
    @DisplayName("of mode OLD_IMAGE leaves no rows of keys alone")
    void oldImageB38() throws IOException {
        scene.source.define("CREATE TABLE t (" + COLUMNS + ");");
        scene.destination.define("CREATE TABLE t (" + COLUMNS + ");");
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one');");
        scene.stream("t", "t", "OLD_IMAGE", false);
        hideTheTable();
        scene.start();
        scene.write("REPLACE INTO t (k, v) VALUES (1, 'two');");
        refuses("no `newImage`");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPDATES", "NEW_AND_OLD_IMAGES"})
    @DisplayName("of a mode that carries the new values is replicated as any other")
    void rightMode(String mode) {
        replicate(mode);
        scene.write("UPSERT INTO t (k, v) VALUES (1, 'one'), (2, 'two'), (3, 'three');");
        scene.write("UPSERT INTO t (k, v) VALUES (2, 'deux');");
        scene.write("DELETE FROM t WHERE k = 1;");
        scene.write("REPLACE INTO t (k) VALUES (3);");
        scene.settle();
        assertThat(scene.rows())
                .containsExactlyElementsOf(scene.source.read("SELECT k, v FROM t ORDER BY k;").stream()
                        .map(row -> row.text("k") + " " + Scene.plain(row.text("v")))
                        .toList())
                .hasSize(2);
    }
}
