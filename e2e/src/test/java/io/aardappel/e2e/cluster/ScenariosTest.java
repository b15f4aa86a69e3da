package io.aardappel.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.aardappel.crds.api.Replication;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.KnownSecrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** After each scenario all tables are compared. */
@Tag("cluster")
@DisplayName("A Replication in a cluster")
@Execution(ExecutionMode.CONCURRENT)
class ScenariosTest {
    /** The operator and the node, which belong to all scenes. */
    static final String SHARED = "operator and node";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TICKET_LIFETIME = Duration.ofSeconds(10);

    /** A projected token of ten minutes is renewed after eight, and written within two more. */
    private static final Duration RENEWAL = Duration.ofMinutes(12);

    @RegisterExtension
    static final ClusterUnderTest cluster = ClusterUnderTest.current();

    @Test
    @DisplayName("becomes Ready while the source is written to, and the copy is the source")
    void becomesReady() {
        try (ClusterScene scene = ClusterScene.open(cluster, "ready")) {
            scene.begin(scene.wanted());
            assertThat(scene.pods()).hasSize(2);
            scene.settleAndCompare();
        }
    }

    @Test
    @DisplayName("goes on when its active pod is killed: the other one takes over")
    void survivesItsActivePod() {
        try (ClusterScene scene = ClusterScene.open(cluster, "pod-kill")) {
            scene.begin(scene.wanted());
            String active = scene.activePod();
            cluster.kill(scene.namespace(), active);
            scene.awaitTakeoverFrom(active);
            scene.awaitReady();
            scene.awaitProgress();
            scene.settleAndCompare();
        }
    }

    @Test
    @ResourceLock(SHARED)
    @DisplayName("goes on when the operator that acts is killed: another one acts")
    void survivesTheOperator() {
        try (ClusterScene scene = ClusterScene.open(cluster, "operator-kill")) {
            scene.begin(scene.wanted());
            String acting = cluster.actingOperator();
            Set<String> pods = scene.uids();
            cluster.kill(ClusterUnderTest.SYSTEM, acting);
            scene.awaitProgress();
            assertThat(scene.uids()).isEqualTo(pods);
            scene.patch("{\"spec\":{\"replicas\":1}}");
            scene.awaitPods(1);
            assertThat(cluster.actingOperator()).isNotEmpty().isNotEqualTo(acting);
            scene.awaitReady();
            scene.settleAndCompare();
        }
    }

    @Test
    @DisplayName("is deleted only when its row is: not before the destination, which is away, is back")
    void isDeletedWhileTheDatabaseIsAway() {
        try (ClusterScene scene = ClusterScene.open(cluster, "delete")) {
            scene.begin(scene.wanted());
            scene.patch("{\"spec\":{\"deletionPolicy\":\"Delete\"}}");
            scene.settleAndCompare();
            scene.closeDoor();
            scene.replication().delete();
            scene.awaitPods(0);
            scene.awaitCondition("Ready", "False Deleting");
            assertThat(scene.stateRows()).isEqualTo(1);
            scene.openDoor();
            scene.awaitGone();
            assertThat(scene.stateRows()).isZero();
            scene.compare();
        }
    }

    @Test
    @DisplayName("logs in by the token that Kubernetes projects, again and again, without a restart")
    void exchangesProjectedTokens() throws IOException {
        try (ClusterScene scene = tokenScene("tokens")) {
            scene.begin(byToken(scene));
            int issued = scene.emulator().tokenDesk().issued();
            Set<String> pods = scene.uids();
            // Both sides of the active pod, both of the standby, and more than once.
            ClusterScene.eventually(
                    () -> assertThat(scene.emulator().tokenDesk().issued()).isGreaterThan(issued + 8));
            scene.emulator().tokenDesk().expire();
            scene.awaitProgress();
            scene.awaitReady();
            assertThat(scene.uids()).isEqualTo(pods);
            assertThat(scene.restarts()).isZero();
            for (String subject : subjects(scene)) {
                JsonNode claims = claims(subject);
                assertThat(claims.at("/aud/0").asText()).isEqualTo("sts.test");
                assertThat(claims.at("/sub").asText())
                        .isEqualTo("system:serviceaccount:%s:shop-replicator".formatted(scene.namespace()));
            }
            scene.settleAndCompare();
        }
    }

    @Test
    @Tag("slow")
    @DisplayName("takes the projected token that the kubelet has renewed, without a restart")
    void takesRenewedTokens() throws IOException {
        try (ClusterScene scene = tokenScene("renewal")) {
            scene.begin(byToken(scene));
            Set<String> pods = scene.uids();
            Set<String> first = Set.copyOf(ofPod(scene, scene.activePod()));
            await().atMost(RENEWAL)
                    .pollInterval(Duration.ofSeconds(5))
                    .untilAsserted(() -> assertThat(ofPod(scene, scene.activePod()))
                            .as("tokens of the active pod")
                            .anyMatch(token -> !first.contains(token)));
            scene.emulator().tokenDesk().expire();
            scene.awaitProgress();
            assertThat(scene.uids()).isEqualTo(pods);
            assertThat(scene.restarts()).isZero();
            scene.settleAndCompare();
        }
    }

    /** Its databases ask for tickets that live for seconds, which its token service gives. */
    private static ClusterScene tokenScene(String name) {
        ClusterScene scene = ClusterScene.open(
                cluster,
                name,
                YdbEmulator.builder()
                        .token(KnownSecrets.secret("cluster-test"), "root@builtin")
                        .tokenService(cluster.hostAddress(), 0));
        scene.emulator().tokenDesk().setLifetime(TICKET_LIFETIME);
        return scene;
    }

    private static Replication byToken(ClusterScene scene) {
        return scene.wanted(
                "{serviceAccountToken: {audience: sts.test, expirationSeconds: 600, exchange: {endpoint: '%s'}}}"
                        .formatted(scene.emulator().tokenEndpoint().orElseThrow()));
    }

    /** The tokens that were exchanged; noted as secrets, and so are the tickets that were given for them. */
    private static Set<String> subjects(ClusterScene scene) {
        scene.emulator().tokenDesk().tickets().forEach(KnownSecrets::note);
        Set<String> subjects = new HashSet<>();
        for (Map<String, List<String>> request : scene.emulator().tokenDesk().requests()) {
            request.getOrDefault("subject_token", List.of()).forEach(token -> subjects.add(KnownSecrets.note(token)));
        }
        assertThat(subjects).isNotEmpty();
        return subjects;
    }

    private static Set<String> ofPod(ClusterScene scene, String pod) throws IOException {
        Set<String> its = new HashSet<>();
        for (String subject : subjects(scene)) {
            if (claims(subject).at("/kubernetes.io/pod/name").asText().equals(pod)) {
                its.add(subject);
            }
        }
        return its;
    }

    private static JsonNode claims(String token) throws IOException {
        byte[] json = Base64.getUrlDecoder().decode(token.split("\\.")[1]);
        return JSON.readTree(new String(json, StandardCharsets.UTF_8));
    }
}
