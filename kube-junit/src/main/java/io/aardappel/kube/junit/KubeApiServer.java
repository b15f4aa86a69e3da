package io.aardappel.kube.junit;

import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.LastingPort;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;

/**
 * A kube-apiserver with an etcd of its own on loopback, empty at first, that authorizes by roles. No controllers run:
 * Deployments get no pods, deleted namespaces never end, and no service account is made by itself. Thread-safe.
 */
public final class KubeApiServer implements AutoCloseable {
    private static final Duration UP_WITHIN = Duration.ofSeconds(60);
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    /** Another process may take a port between its choice and its use. */
    private static final int ATTEMPTS = 3;

    private final TetheredProcess etcd;
    private final TetheredProcess server;
    private final Config administrator;
    private final KubernetesClient client;
    private final List<KubernetesClient> clients = Collections.synchronizedList(new ArrayList<>());

    private KubeApiServer(TetheredProcess etcd, TetheredProcess server, Config administrator) {
        this.etcd = etcd;
        this.server = server;
        this.administrator = administrator;
        this.client = clientOf(administrator);
    }

    /**
     * Returns when the server says that it is ready.
     *
     * @throws IllegalStateException if its programs are not on this machine, with the remedy, or if it does not become
     *     ready, with what it printed
     */
    public static KubeApiServer start() {
        return start(ServerPrograms.find());
    }

    static KubeApiServer start(ServerPrograms programs) {
        programs.missing().ifPresent(missing -> {
            throw new IllegalStateException(missing);
        });
        for (int attempt = 1; ; attempt++) {
            KubeApiServer server = launch(programs);
            try {
                server.awaitReady();
                return server;
            } catch (ConditionTimeoutException | TerminalFailureException e) {
                String told =
                        "etcd:%n%s%nkube-apiserver:%n%s".formatted(server.etcd.lastLines(), server.server.lastLines());
                server.close();
                if (attempt == ATTEMPTS || !told.contains("address already in use")) {
                    throw new IllegalStateException("no API server is up within " + UP_WITHIN + "\n" + told, e);
                }
            }
        }
    }

    private static KubeApiServer launch(ServerPrograms programs) {
        Path folder = TetheredProcess.folder("kube-apiserver");
        ServerCertificates certificates = ServerCertificates.in(folder);
        String token = UUID.randomUUID().toString();
        String storage = "http://127.0.0.1:" + LastingPort.free();
        String peers = "http://127.0.0.1:" + LastingPort.free();
        int port = LastingPort.free();
        Path etcdFolder = TetheredProcess.folder("etcd");
        TetheredProcess etcd = TetheredProcess.start(
                etcdFolder,
                List.of(
                        programs.etcd().toString(),
                        "--data-dir=" + etcdFolder.resolve("data"),
                        "--unsafe-no-fsync",
                        "--log-level=warn",
                        "--listen-client-urls=" + storage,
                        "--advertise-client-urls=" + storage,
                        "--listen-peer-urls=" + peers,
                        "--initial-advertise-peer-urls=" + peers,
                        "--initial-cluster=default=" + peers));
        TetheredProcess server = TetheredProcess.start(
                folder,
                List.of(
                        programs.kubeApiServer().toString(),
                        "--etcd-servers=" + storage,
                        "--bind-address=127.0.0.1",
                        "--secure-port=" + port,
                        "--cert-dir=" + folder,
                        "--tls-cert-file=" + certificates.certificate(),
                        "--tls-private-key-file=" + certificates.key(),
                        "--service-account-key-file=" + certificates.serviceAccountKey(),
                        "--service-account-signing-key-file=" + certificates.serviceAccountKey(),
                        "--service-account-issuer=https://kubernetes.default.svc",
                        "--authorization-mode=RBAC",
                        "--token-auth-file=" + administratorToken(folder, token),
                        "--allow-privileged",
                        "--service-cluster-ip-range=10.96.0.0/24",
                        // A loopback address cannot be an endpoint of the Service `kubernetes`.
                        "--endpoint-reconciler-type=none"));
        Config administrator = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:" + port)
                .withCaCertData(base64(certificates.authority()))
                .withOauthToken(token)
                .build();
        return new KubeApiServer(etcd, server, administrator);
    }

    private static String administratorToken(Path folder, String token) {
        Path file = folder.resolve("tokens.csv");
        try {
            Files.writeString(file, token + ",administrator,administrator,\"system:masters\"\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
        return file.toString();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private void awaitReady() {
        Config once =
                new ConfigBuilder(administrator).withRequestRetryBackoffLimit(0).build();
        try (KubernetesClient asking =
                new KubernetesClientBuilder().withConfig(once).build()) {
            await("the API server's readiness")
                    .atMost(UP_WITHIN)
                    .pollInterval(LOOK_EVERY)
                    .failFast("a program has ended", () -> etcd.hasEnded() || server.hasEnded())
                    .ignoreExceptionsMatching(KubernetesClientException.class::isInstance)
                    .until(() -> "ok".equals(asking.raw("/readyz")));
        }
    }

    /** An administrator's, who may do everything. Closed with the server. */
    public KubernetesClient client() {
        return client;
    }

    /** A kubeconfig of the administrator, for programs of their own; whoever can read it may do everything. */
    public String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                current-context: test
                clusters:
                - {name: test, cluster: {server: "%s", certificate-authority-data: "%s"}}
                users:
                - {name: administrator, user: {token: "%s"}}
                contexts:
                - {name: test, context: {cluster: test, user: administrator}}
                """.formatted(
                        administrator.getMasterUrl(), administrator.getCaCertData(), administrator.getOauthToken());
    }

    /** One of a user who has only the rights that roles give to the name or the groups. Closed with the server. */
    public KubernetesClient clientOf(String user, String... groups) {
        return clientOf(new ConfigBuilder(administrator)
                .withImpersonateUsername(user)
                .withImpersonateGroups(groups)
                .build());
    }

    /**
     * One that holds a token of a service account, as its pods do. Closed with the server.
     *
     * @throws KubernetesClientException if there is no such service account
     */
    public KubernetesClient clientOfServiceAccount(String namespace, String name) {
        String token = client.serviceAccounts()
                .inNamespace(namespace)
                .withName(name)
                .tokenRequest()
                .getStatus()
                .getToken();
        return clientOf(new ConfigBuilder(administrator).withOauthToken(token).build());
    }

    private KubernetesClient clientOf(Config config) {
        KubernetesClient made = new KubernetesClientBuilder().withConfig(config).build();
        clients.add(made);
        return made;
    }

    /** The name of a namespace that nothing else uses, made now. */
    public String newNamespace() {
        return client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("test-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
    }

    /** Folders that its programs hold, gone once they have ended. */
    List<Path> folders() {
        return List.of(etcd.folder(), server.folder());
    }

    /** Returns when both programs have ended and their files are gone. */
    @Override
    public void close() {
        clients.forEach(KubernetesClient::close);
        try (etcd) {
            server.close();
        }
    }
}
