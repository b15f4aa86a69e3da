package io.aardappel.kube.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The API server's programs")
class ServerProgramsTest {
    @TempDir
    private Path folder;

    private ServerPrograms programs() {
        return new ServerPrograms(folder);
    }

    private void place(String... names) throws IOException {
        for (String name : names) {
            Files.createFile(
                    folder.resolve(name),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
    }

    @Test
    void areWhereTheScriptPutsThem() {
        assertThat(ServerPrograms.find().folder()).isAbsolute();
    }

    @Nested
    @DisplayName("when they are there")
    class WhenTheyAreThere {
        @Test
        void areNotMissed() throws IOException {
            place("etcd", "kube-apiserver");
            assertThat(programs().missing()).isEmpty();
        }

        @Test
        void letTestsRun() throws IOException {
            place("etcd", "kube-apiserver");
            assertThat(KubeApiServerExtension.condition(programs(), false).isDisabled())
                    .isFalse();
        }
    }

    @Nested
    @DisplayName("when one is not there")
    class WhenOneIsMissing {
        @Test
        void areMissedWithTheRemedy() throws IOException {
            place("etcd");
            assertThat(programs().missing())
                    .hasValueSatisfying(missing -> assertThat(missing)
                            .contains(folder.resolve("kube-apiserver").toString())
                            .contains("run scripts/kube-apiserver.sh"));
        }

        @Test
        void skipTestsWithTheReason() throws IOException {
            place("etcd");
            ConditionEvaluationResult result = KubeApiServerExtension.condition(programs(), false);
            assertThat(result.isDisabled()).isTrue();
            assertThat(result.getReason()).isEqualTo(programs().missing());
        }

        @Test
        void failTestsInCi() throws IOException {
            place("kube-apiserver");
            assertThat(KubeApiServerExtension.condition(programs(), true).isDisabled())
                    .isFalse();
            assertThatThrownBy(() -> KubeApiServer.start(programs()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(programs().missing().orElseThrow());
        }
    }

    @Nested
    @DisplayName("when they end at once")
    class WhenTheyEnd {
        @Test
        void areQuotedInTheError() throws IOException {
            place("etcd", "kube-apiserver");
            for (String name : new String[] {"etcd", "kube-apiserver"}) {
                Files.writeString(folder.resolve(name), "#!/bin/sh\necho " + name + " is broken\n");
            }
            assertThatThrownBy(() -> KubeApiServer.start(programs()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("etcd is broken");
        }
    }
}
