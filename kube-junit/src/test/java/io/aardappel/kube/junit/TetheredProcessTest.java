package io.aardappel.kube.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A tethered process")
class TetheredProcessTest {
    /** Writes its process id and does nothing more, even when it is asked to end. */
    private static TetheredProcess stubborn() {
        Path folder = TetheredProcess.folder("stubborn");
        return TetheredProcess.start(
                folder,
                List.of(
                        "sh",
                        "-c",
                        "trap '' TERM INT; echo $$ >\"$0/new\"; mv \"$0/new\" \"$0/pid\"; exec sleep 1000",
                        folder.toString()));
    }

    private static ProcessHandle handleOf(Path folder) throws IOException {
        await().until(() -> Files.exists(folder.resolve("pid")));
        return ProcessHandle.of(
                        Long.parseLong(Files.readString(folder.resolve("pid")).strip()))
                .orElseThrow();
    }

    @Test
    void runsUntilItIsClosed() throws IOException {
        TetheredProcess process = stubborn();
        ProcessHandle handle = handleOf(process.folder());
        assertThat(process.hasEnded()).isFalse();
        process.close();
        assertThat(handle.isAlive()).isFalse();
    }

    @Test
    void takesItsFolderWithIt() {
        TetheredProcess process = stubborn();
        assertThat(process.folder()).isDirectory();
        process.close();
        assertThat(process.folder()).doesNotExist();
    }

    @Test
    void mayBeClosedTwice() {
        TetheredProcess process = stubborn();
        process.close();
        process.close();
        assertThat(process.folder()).doesNotExist();
    }

    @Test
    void endsWhenItsJvmIsKilled() throws Exception {
        try (ChildJvm jvm = ChildJvm.running(Killed.class)) {
            Path folder = Path.of(jvm.told().get(0));
            ProcessHandle handle = handleOf(folder);
            assertThat(handle.isAlive()).isTrue();
            jvm.kill();
            await().until(() -> !handle.isAlive() && Files.notExists(folder));
        }
    }

    /** The JVM that is killed. */
    static final class Killed {
        private Killed() {}

        public static void main(String[] args) throws InterruptedException {
            ChildJvm.ready(List.of(stubborn().folder().toString()));
        }
    }

    @Nested
    @DisplayName("whose program ends by itself")
    class WhoseProgramEnds {
        private final Path folder = TetheredProcess.folder("short");

        @Test
        void saysSoAndKeepsWhatItPrinted() {
            try (TetheredProcess process =
                    TetheredProcess.start(folder, List.of("sh", "-c", "seq 1 30; echo no such flag >&2; exit 3"))) {
                await().until(process::hasEnded);
                assertThat(process.lastLines().lines()).hasSize(20).endsWith("30", "no such flag");
            }
            assertThat(folder).doesNotExist();
        }
    }

    @Test
    void hasEndedWhenThereIsNoSuchProgram() {
        Path folder = TetheredProcess.folder("absent");
        try (TetheredProcess process =
                TetheredProcess.start(folder, List.of(folder.resolve("absent").toString()))) {
            await().until(process::hasEnded);
            assertThat(process.lastLines()).contains("absent");
        }
    }
}
