package io.aardappel.replicator.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.Problem.Reason;
import io.aardappel.replicator.engine.Exit;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The exit code")
class ExitCodeTest {
    @Test
    void isZeroAfterARequestedStop() {
        assertThat(ExitCode.of(Exit.STOPPED)).isEqualTo(ExitCode.REQUESTED);
        assertThat(ExitCode.REQUESTED.code()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void isNeverZeroAfterAProblemB11(Reason reason) {
        assertThat(ExitCode.of(exit(reason, false)).code()).isNotZero();
        assertThat(ExitCode.of(exit(reason, true)).code()).isNotZero();
    }

    @Test
    void tellsThatTheStateRowSaysSo() {
        assertThat(ExitCode.of(exit(Reason.LATE_RECORD, true))).isEqualTo(ExitCode.FATAL_STATE);
    }

    @Test
    void tellsThatTheStateRowWasBadAlready() {
        assertThat(ExitCode.of(exit(Reason.STATE_INVALID, false))).isEqualTo(ExitCode.FATAL_STATE);
    }

    @Test
    void tellsThatTheStateRowCouldNotBeWritten() {
        assertThat(ExitCode.of(exit(Reason.DESTINATION_FAILED, false))).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void tellsThatTheLockWasNotToBeHad() {
        assertThat(ExitCode.of(exit(Reason.LOCK_NOT_ACQUIRED, false))).isEqualTo(ExitCode.LOCK);
    }

    @ParameterizedTest
    @EnumSource(names = {"STREAM_MISSING", "STREAM_NOT_MEMBER", "SHARED_TABLE", "SHARED_CONSUMER"})
    void tellsThatTheConfigurationWasRefused(Reason reason) {
        assertThat(ExitCode.of(exit(reason, false))).isEqualTo(ExitCode.CONFIGURATION);
    }

    @ParameterizedTest
    @EnumSource(names = {"FATAL_STATE", "LOCK", "FAILED"})
    void saysInTheLastLineOfALogOnlyWhatAReplicatorEndsWithItFor(ExitCode code) {
        assertThat(code.lastLine(Optional.empty()))
                .startsWith("ending with code " + code.code() + ": ")
                .doesNotContain("--check", "--wait", "command");
    }

    @ParameterizedTest
    @EnumSource
    void leavesInTheLastLineOfALogToThePageOfTheReasonWhatToDo(Reason reason) {
        String line = ExitCode.of(exit(reason, true)).lastLine(Optional.of(reason));

        assertThat(line)
                .contains("what to do stands in " + ExitCode.page(reason))
                .doesNotContain("set state to OK");
        assertThat(Path.of("..").resolve(ExitCode.page(reason))).isRegularFile();
    }

    private static Exit exit(Reason reason, boolean fatalWritten) {
        return new Exit(Optional.of(new Problem(reason, "what", "remedy")), fatalWritten);
    }
}
