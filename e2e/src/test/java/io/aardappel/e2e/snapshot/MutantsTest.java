package io.aardappel.e2e.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.e2e.snapshot.MutantReplicator.Mutant;
import io.aardappel.e2e.snapshot.SnapshotRun.Kind;
import io.aardappel.e2e.snapshot.SnapshotRun.Outcome;
import io.aardappel.e2e.snapshot.SnapshotRun.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The snapshot property notices a planted fault")
@Execution(ExecutionMode.CONCURRENT)
class MutantsTest {
    /** Seeds that a fault may take to show. */
    private static final int SEEDS = 3;

    private static final AtomicInteger CAUGHT = new AtomicInteger();

    @ParameterizedTest
    @CsvSource({
        "NO_LOCK_PROOF, FAULTS",
        "CHECKPOINT_APART, PLAIN",
        "QUORUM_BY_MAXIMUM, FAULTS",
        "ERASE_FORGOTTEN, PLAIN"
    })
    void isCaught(Mutant mutant, Kind kind, @TempDir Path directory) throws IOException {
        Program program = new Program(
                MutantReplicator.class.getName(), List.of("-D" + MutantReplicator.PROPERTY + "=" + mutant.name()));
        for (long seed = 1; seed <= SEEDS; seed++) {
            Optional<String> notice = notice(
                    new SnapshotRun(
                            seed,
                            kind,
                            program,
                            SnapshotTest.TRANSACTIONS,
                            SnapshotTest.CHECKPOINTS,
                            Duration.ofSeconds(120)),
                    directory);
            if (notice.isPresent()) {
                System.out.println(mutant + " caught: " + notice.get());
                CAUGHT.incrementAndGet();
                return;
            }
        }
        assertThat(mutant).as("not noticed in %d seeds", SEEDS).isNull();
    }

    /** How the run failed: by a difference, or by a process that gave up on what its own fault had done. */
    private static Optional<String> notice(SnapshotRun run, Path directory) throws IOException {
        try {
            Outcome outcome = run.run(directory);
            return outcome.differences().isEmpty()
                    ? Optional.empty()
                    : Optional.of(outcome + ": " + outcome.differences().get(1));
        } catch (ReplicatorEndedException e) {
            return Optional.of(e.getMessage().lines().findFirst().orElse(""));
        }
    }

    @AfterAll
    static void count() {
        System.out.printf("caught %d of %d%n", CAUGHT.get(), Mutant.values().length);
    }
}
