package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aardappel.e2e.KeptFolders;
import io.aardappel.e2e.snapshot.SnapshotRun.Kind;
import io.aardappel.e2e.snapshot.SnapshotRun.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code -Dsnapshot.seeds=N} runs that many seeds of each kind (8 of most by default), {@code -Dsnapshot.first=N} begins at
 * that seed, so that {@code -Dsnapshot.first=17 -Dsnapshot.seeds=1} replays seed 17. {@code -Dsnapshot.kinds=plain,alters} runs
 * these kinds alone.
 */
@DisplayName("At every checkpoint the replica equals the source")
@Execution(ExecutionMode.CONCURRENT)
class SnapshotTest {
    static final int TRANSACTIONS = 2_000;
    static final int CHECKPOINTS = 30;

    static LongStream seeds() {
        return seeds(8);
    }

    /** For a kind that takes long: one unless more are asked for. */
    static LongStream fewSeeds() {
        return seeds(1);
    }

    static LongStream someSeeds() {
        return seeds(3);
    }

    private static LongStream seeds(long unlessAsked) {
        return LongStream.range(0, Long.getLong("snapshot.seeds", unlessAsked))
                .map(i -> Long.getLong("snapshot.first", 1) + i);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @DisplayName("with one replicator and no faults")
    void plain(long seed, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws IOException {
        holds(seed, Kind.PLAIN, directory);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @DisplayName("while calls fail, commits land late, streams are cut and partitions move")
    void faults(long seed, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws IOException {
        holds(seed, Kind.FAULTS, directory);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @DisplayName("while the active replicator is killed or frozen and a standby takes over")
    void kills(long seed, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws IOException {
        holds(seed, Kind.KILLS, directory);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    @Tag("slow")
    @DisplayName("while partitions and shards split and merge, records overtake each other and replicators are killed")
    void reshapes(long seed, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws IOException {
        holds(seed, Kind.RESHAPES, directory);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    @Tag("slow")
    @DisplayName("while partitions and shards split and merge, commits fail or land late, and replicators are killed")
    void storm(long seed, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws IOException {
        holds(seed, Kind.STORM, directory);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("someSeeds")
    @DisplayName("while columns are added at both sides and dropped, and the active replicator is killed")
    void alters(long seed, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws IOException {
        holds(seed, Kind.ALTERS, directory);
    }

    private static boolean isAskedFor(Kind kind) {
        String kinds = System.getProperty("snapshot.kinds", "");
        return kinds.isBlank()
                || Arrays.stream(kinds.split(","))
                        .map(name -> Kind.valueOf(name.strip().toUpperCase(Locale.ROOT)))
                        .anyMatch(kind::equals);
    }

    private static void holds(long seed, Kind kind, Path directory) throws IOException {
        assumeTrue(isAskedFor(kind), () -> kind + " is not among -Dsnapshot.kinds");
        Outcome outcome = new SnapshotRun(
                        seed, kind, SnapshotRun.Program.REPLICATOR, TRANSACTIONS, CHECKPOINTS, Duration.ofSeconds(240))
                .run(directory);
        System.out.println(outcome);
        if (System.getProperty("snapshot.seeds") == null) { // a soak would fill the disk
            KeptFolders.keep(directory.resolve(SnapshotRun.LOG), kind + "-" + seed);
        }
        assertThat(outcome.differences()).as("%s", outcome).isEmpty();
        assertThat(outcome.checkpoints()).as("%s", outcome).isGreaterThanOrEqualTo(CHECKPOINTS);
        assertThat(outcome.rows() / outcome.checkpoints())
                .as("rows compared at a checkpoint, %s", outcome)
                .isGreaterThan(1_000);
        assertThat(outcome.silentFaults())
                .as("faults that never struck, %s", outcome)
                .isEmpty();
        assertThat(outcome.unmet()).as("what was to be met, %s", outcome).isEmpty();
    }
}
