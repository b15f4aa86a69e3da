package io.aardappel.access.ydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.aardappel.access.auth.IssueException;
import io.aardappel.access.auth.Issuer;
import io.aardappel.access.auth.Ticket;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.junit.KnownSecrets;
import io.aardappel.emulator.model.fault.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A login")
class LoginTest {
    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final String PASSWORD = KnownSecrets.secret("password with blanks");
    private static final String WRONG = KnownSecrets.secret("wrong-password");

    private final YdbEmulator ydb =
            YdbEmulator.builder().database("/local").user("repl", PASSWORD).start();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        ydb.close();
    }

    private Login by(String password) throws IOException {
        Path file = Files.writeString(folder.resolve("password"), password);
        Connection connection = new Connection(
                new Address(false, "localhost", ydb.port(), "/local"), true, Ticket.none(), null, WITHIN);
        return new Login(connection, "repl", file, "replicator.source_password_file", InstantSource.system());
    }

    private static IssueException refused(Login login) {
        IssueException refused = catchThrowableOfType(IssueException.class, () -> login.issue(WITHIN));
        assertThat(refused).as("a refusal").isNotNull();
        return refused;
    }

    @Test
    void givesATicketThatTheDatabaseTakes() throws Exception {
        Issuer.Issued issued = by(PASSWORD + "\n").issue(WITHIN);
        assertThat(ydb.accounts().userOf(issued.ticket())).contains("repl");
        assertThat(issued.lifetime()).isPositive();
    }

    @Test
    void readsThePasswordAnewEachTime() throws Exception {
        Login login = by("wrong");
        refused(login);
        Files.writeString(folder.resolve("password"), PASSWORD);
        assertThat(login.issue(WITHIN).ticket()).isNotEmpty();
    }

    @Test
    void namesUserFileAndKeyButNoPasswordWhenItIsRefused() throws Exception {
        IssueException refused = refused(by(WRONG));
        assertThat(refused.isPassing()).isFalse();
        assertThat(refused.what() + ". " + refused.remedy())
                .contains("login as repl at grpc://localhost", "UNAUTHORIZED", "replicator.source_password_file")
                .doesNotContain(KnownSecrets.MARKER);
    }

    @Test
    void mayPassWhenTheServerIsOverloaded() throws Exception {
        ydb.faults().add(FaultRule.of(Fault.OVERLOADED).during(Operation.LOGIN).times(1));
        assertThat(refused(by(PASSWORD)).isPassing()).isTrue();
    }

    @Test
    void mayPassWhenThePasswordFileIsNotThereYet() throws Exception {
        Login login = by(PASSWORD);
        Files.delete(folder.resolve("password"));
        assertThat(refused(login).what()).contains("replicator.source_password_file = ", "cannot be read");
        assertThat(refused(login).isPassing()).isTrue();
    }
}
