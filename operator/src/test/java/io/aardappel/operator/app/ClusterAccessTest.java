package io.aardappel.operator.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aardappel.access.failure.Cause;
import io.aardappel.operator.app.ClusterAccess.NoClusterException;
import io.aardappel.operator.settings.Scope;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The way to the cluster")
class ClusterAccessTest {
    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            current-context: %s
            clusters:
            - name: here
              cluster: {server: "%s"}
            contexts:
            - name: dev
              context: {cluster: here, user: me, namespace: copies}
            - name: lost
              context: {cluster: elsewhere, user: me}
            users:
            - name: me
              user: {token: none}
            """;

    @TempDir
    private Path home;

    /** The client reads it by this property; of processes, by the variable. */
    private Config configuration(String text) throws IOException {
        Path file = Files.writeString(home.resolve("kubeconfig"), text);
        System.setProperty("kubeconfig", file.toString());
        return ClusterAccess.configuration(Map.of("KUBECONFIG", file.toString()));
    }

    @AfterEach
    void restore() {
        System.clearProperty("kubeconfig");
    }

    @Test
    void isThatOfTheCurrentContext() throws IOException {
        Config config = configuration(KUBECONFIG.formatted("dev", "https://10.0.0.1:6443"));
        assertThat(config.getNamespace()).isEqualTo("copies");
        assertThat(ClusterAccess.server(config))
                .isEqualTo("the API server at https://10.0.0.1:6443/ (context dev of the kubeconfig "
                        + home.resolve("kubeconfig") + ")");
    }

    @Test
    void isNoneWhereTheKubeconfigIsMissing() {
        Path missing = home.resolve("missing");
        assertThatThrownBy(() -> ClusterAccess.configuration(
                        Map.of("KUBECONFIG", missing.toString(), "KUBERNETES_SERVICE_HOST", "10.0.0.1")))
                .isInstanceOf(NoClusterException.class)
                .hasMessageStartingWith("KUBECONFIG names " + missing + ", where no file is")
                .hasMessageContaining("unset it");
    }

    @Test
    void isNoneWhereNothingNamesOne() {
        assertThatThrownBy(() -> ClusterAccess.configuration(Map.of("HOME", home.toString())))
                .isInstanceOf(NoClusterException.class)
                .hasMessageContaining("KUBECONFIG is not set, there is no " + home.resolve(".kube/config"))
                .hasMessageEndingWith("Let KUBECONFIG name the kubeconfig of the cluster");
    }

    @Test
    void isNoneWithoutAContext() {
        assertThatThrownBy(() -> configuration(KUBECONFIG.formatted("prod", "https://10.0.0.1:6443")))
                .isInstanceOf(NoClusterException.class)
                .hasMessageContaining("has no current context; it has the contexts [dev, lost]")
                .hasMessageEndingWith("`kubectl config use-context NAME`");
    }

    @Test
    void isNoneWithoutTheContextsCluster() {
        assertThatThrownBy(() -> configuration(KUBECONFIG.formatted("lost", "https://10.0.0.1:6443")))
                .isInstanceOf(NoClusterException.class)
                .hasMessageStartingWith("the context lost of the kubeconfig ")
                .hasMessageContaining("names the cluster elsewhere, which is not there");
    }

    @Test
    void isNoneByATextThatIsNoKubeconfig() {
        assertThatThrownBy(() -> configuration("users: [{user: {token: secret"))
                .isInstanceOf(NoClusterException.class)
                .hasMessageNotContaining("secret")
                .hasMessageStartingWith("the kubeconfig " + home.resolve("kubeconfig") + " cannot be read (");
    }

    @ParameterizedTest
    @CsvSource({
        "https://api.aardappel.invalid:6443, no address is known for this name",
        "https://127.0.0.1:1, connection refused"
    })
    void isToldWithinSecondsWhereNobodyAnswers(String server, String reason) throws IOException {
        Config config = configuration(KUBECONFIG.formatted("dev", server));
        long began = System.nanoTime();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            assertThatThrownBy(() -> ClusterCheck.of(client, Scope.everything(), Optional.empty()))
                    .isInstanceOfSatisfying(KubernetesClientException.class, away -> {
                        assertThat(Cause.of(away)).isEqualTo(reason);
                        assertThat(ClusterAccess.remedy(config, away))
                                .contains("another one by KUBECONFIG or by `kubectl config use-context NAME`");
                    });
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    }
}
