package io.aardappel.access.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aardappel.emulator.junit.KnownSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The token of a file")
class TokenFileTest {
    private static final String KEY = "replicator.source_token_file";
    private static final Duration WITHIN = Duration.ofSeconds(1);

    @TempDir
    private Path folder;

    private Path file;
    private TokenFile issuer;

    @BeforeEach
    void begin() {
        file = folder.resolve("token");
        issuer = new TokenFile(KEY, file);
    }

    @Test
    void standsThereWithALineEnd() throws Exception {
        Files.writeString(file, "first\n");
        assertThat(issuer.issue(WITHIN).ticket()).isEqualTo("first");
    }

    @Test
    void isReadEveryTime() throws Exception {
        Files.writeString(file, "first");
        Issuer.Issued issued = issuer.issue(WITHIN);
        Files.writeString(file, "second");
        assertThat(issued.lifetime()).as("is read again from half of it on").isLessThan(Duration.ofSeconds(30));
        assertThat(issuer.issue(WITHIN).ticket()).isEqualTo("second");
    }

    @Test
    void isMissedByTheNamesOfKeyAndFile() {
        expectRefusal("cannot be read");
    }

    @Test
    void mayNotBeEmpty() throws IOException {
        Files.writeString(file, " \n");
        expectRefusal("there is no token in it");
    }

    @Test
    void isNotShownWhenItCannotBeSent() throws IOException {
        Files.writeString(file, KnownSecrets.secret("token-one") + "\n" + KnownSecrets.secret("token-two"));
        expectRefusal("the token holds a blank, a line end");
    }

    private void expectRefusal(String why) {
        assertThatThrownBy(() -> issuer.issue(WITHIN)).isInstanceOfSatisfying(IssueException.class, refusal -> {
            assertThat(refusal.what())
                    .startsWith(KEY + " = \"" + file + "\": ")
                    .contains(why)
                    .doesNotContain(KnownSecrets.MARKER);
            assertThat(refusal.isPassing())
                    .as("others may write it at any time")
                    .isTrue();
        });
    }
}
