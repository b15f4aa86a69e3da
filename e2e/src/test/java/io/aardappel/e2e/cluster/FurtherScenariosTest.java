package io.aardappel.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** After each scenario all tables are compared. */
@Tag("cluster")
@Tag("slow")
@DisplayName("A Replication in a cluster where more happens")
@Execution(ExecutionMode.CONCURRENT)
class FurtherScenariosTest {
    @RegisterExtension
    static final ClusterUnderTest cluster = ClusterUnderTest.current();

    @Test
    @DisplayName("says that its databases are away, and goes on when they are back")
    void databasesAwayAndBack() {
        try (ClusterScene scene = ClusterScene.open(cluster, "outage")) {
            scene.begin(scene.wanted());
            scene.closeDoor();
            scene.awaitCondition("Ready", "False");
            scene.awaitCondition("DestinationReachable", "False Unreachable");
            scene.openDoor();
            scene.awaitReady();
            scene.settleAndCompare();
        }
    }

    @Test
    @DisplayName("stops when it is suspended, and catches up when it is resumed")
    void suspendedAndResumed() {
        try (ClusterScene scene = ClusterScene.open(cluster, "suspend")) {
            scene.begin(scene.wanted());
            scene.patch("{\"spec\":{\"suspend\":true}}");
            scene.awaitCondition("Suspended", "True Suspended");
            scene.awaitPods(0);
            long stood = scene.checkpoint();
            long written = scene.workload().transactions();
            ClusterScene.eventuallyTrue(() -> scene.workload().transactions() > written + 100);
            assertThat(scene.checkpoint()).isEqualTo(stood);
            scene.patch("{\"spec\":{\"suspend\":false}}");
            scene.awaitReady();
            scene.settleAndCompare();
        }
    }

    @Test
    @DisplayName("tells of a quota that lets in no pods, and begins when it is lifted")
    void quotaRefuses() {
        try (ClusterScene scene = ClusterScene.open(cluster, "quota")) {
            var quotas = scene.client().resourceQuotas().inNamespace(scene.namespace());
            quotas.resource(new ResourceQuotaBuilder()
                            .withNewMetadata()
                            .withName("none")
                            .endMetadata()
                            .withNewSpec()
                            .addToHard("pods", new Quantity("0"))
                            .endSpec()
                            .build())
                    .create();
            ClusterScene.eventuallyTrue(() -> quotas.withName("none").get().getStatus() != null
                    && quotas.withName("none").get().getStatus().getHard() != null);
            scene.workload().start();
            scene.apply(scene.wanted());
            ClusterScene.eventually(() -> assertThat(scene.condition("Ready"))
                    .startsWith("False RefusedByApiServer")
                    .contains("exceeded quota"));
            quotas.withName("none").delete();
            scene.awaitReady();
            scene.settleAndCompare();
        }
    }

    @Test
    @DisplayName("tells that pods which ask for too much are refused, and begins when they ask for less")
    void podSecurityRefuses() {
        try (ClusterScene scene = ClusterScene.open(cluster, "restricted")) {
            scene.workload().start();
            scene.apply(scene.wanted());
            scene.patch("{\"spec\":{\"template\":{\"container\":{\"securityContext\":{\"privileged\":true,"
                    + "\"allowPrivilegeEscalation\":true}}}}}");
            ClusterScene.eventually(() -> assertThat(scene.condition("Configured"))
                    .startsWith("False RefusedByApiServer")
                    .contains("violates PodSecurity"));
            scene.patch("{\"spec\":{\"template\":{\"container\":{\"securityContext\":null}}}}");
            scene.awaitReady();
            scene.settleAndCompare();
        }
    }

    @Test
    @DisplayName("goes with its namespace, and what it copied stays a snapshot")
    void namespaceDeleted() {
        try (ClusterScene scene = ClusterScene.open(cluster, "namespace")) {
            scene.begin(scene.wanted());
            scene.settle();
            var namespace = scene.client().namespaces().withName(scene.namespace());
            namespace.delete();
            namespace.waitUntilCondition(Objects::isNull, ClusterScene.LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(namespace.get()).isNull();
            scene.compare();
        }
    }

    @Test
    @ResourceLock(ScenariosTest.SHARED)
    @DisplayName("hands over while its node is drained, and keeps the pod that is left")
    void nodeDrained() {
        try (ClusterScene scene = ClusterScene.open(cluster, "drain")) {
            scene.begin(scene.wanted());
            scene.awaitReadyPods(2);
            List<String> nodes = scene.client().nodes().list().getItems().stream()
                    .map(node -> node.getMetadata().getName())
                    .toList();
            String active = scene.activePod();
            try {
                nodes.forEach(node -> edit(node, true));
                assertThat(evict(scene, active)).isTrue();
                scene.awaitTakeoverFrom(active);
                scene.awaitProgress();
                assertThat(evict(scene, scene.activePod())).isFalse();
            } finally {
                nodes.forEach(node -> edit(node, false));
            }
            scene.awaitReadyPods(2);
            scene.awaitReady();
            scene.settleAndCompare();
        }
    }

    private static boolean evict(ClusterScene scene, String pod) {
        return scene.client()
                .pods()
                .inNamespace(scene.namespace())
                .withName(pod)
                .evict();
    }

    private static void edit(String node, boolean unschedulable) {
        UnaryOperator<Node> change = seen -> new NodeBuilder(seen)
                .editSpec()
                .withUnschedulable(unschedulable)
                .endSpec()
                .build();
        cluster.client().nodes().withName(node).edit(change);
    }

    @Test
    @ResourceLock(ScenariosTest.SHARED)
    @DisplayName("whose image is named is left alone by an upgrade of the operator")
    void operatorUpgraded() {
        String next = System.getenv("CLUSTER_NEXT_IMAGE");
        Assumptions.assumeTrue(next != null, "CLUSTER_NEXT_IMAGE names no other image");
        try (ClusterScene scene = ClusterScene.open(cluster, "upgrade")) {
            Deployment operator = cluster.operator().get();
            String image = operator.getSpec()
                    .getTemplate()
                    .getSpec()
                    .getContainers()
                    .get(0)
                    .getImage();
            scene.workload().start();
            scene.apply(scene.wanted());
            scene.patch("{\"spec\":{\"image\":\"" + image + "\"}}");
            scene.awaitReady();
            scene.awaitCondition("Configured", "True Applied");
            Set<String> pods = scene.uids();
            String acting = cluster.actingOperator();
            try {
                cluster.runOperator(next);
                cluster.awaitOperatorOtherThan(acting);
                scene.awaitProgress();
                scene.awaitReady();
                assertThat(scene.uids()).isEqualTo(pods);
                assertThat(scene.restarts()).isZero();
            } finally {
                cluster.runOperator(image);
            }
            scene.settleAndCompare();
        }
    }
}
