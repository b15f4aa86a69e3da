package io.aardappel.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.crds.api.ReplicationStatus;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The moments are random, and their seed is printed: {@code -Dkill.seed=n} runs those of another time. */
@Tag("cluster")
@Tag("slow")
@DisplayName("A Replication whose operator is killed at a random moment")
class OperatorKilledTest {
    private static final Duration POLL = Duration.ofMillis(500);

    /** An operation is under way for about so long. */
    private static final int LATEST_MILLIS = 4_000;

    private static ClusterUnderTest cluster;

    private final long seed = Long.getLong("kill.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @BeforeAll
    static void findCluster() {
        cluster = ClusterUnderTest.current();
    }

    @AfterAll
    static void leaveCluster() {
        cluster.close();
    }

    @Test
    @ResourceLock(ScenariosTest.SHARED)
    @DisplayName(
            "of each operation ends as it would have: applied, scaled, changed, restarted, suspended, resumed, deleted")
    void ofEachOperation() {
        System.out.println("moments of seed " + seed);
        try (ClusterScene scene = ClusterScene.open(cluster, "random-kill")) {
            scene.workload().start();
            duringIt(() -> scene.apply(scene.wanted()));
            scene.awaitReady();

            duringIt(() -> scene.patch("{\"spec\":{\"replicas\":1}}"));
            awaitReadyPods(scene, 1);
            duringIt(() -> scene.patch("{\"spec\":{\"replicas\":2}}"));
            awaitReadyPods(scene, 2);

            replacesPods(scene, "{\"spec\":{\"limits\":{\"memory\":\"60Mi\"}}}");
            replacesPods(scene, "{\"spec\":{\"restartNonce\":\"once more\"}}");

            duringIt(() -> scene.patch("{\"spec\":{\"suspend\":true,\"deletionPolicy\":\"Delete\"}}"));
            scene.awaitCondition("Suspended", "True Suspended");
            awaitPods(scene, 0);
            duringIt(() -> scene.patch("{\"spec\":{\"suspend\":false}}"));
            awaitReadyPods(scene, 2);
            scene.awaitReady();
            scene.settleAndCompare();

            duringIt(() -> scene.replication().delete());
            await().atMost(ClusterScene.LIMIT)
                    .pollInterval(POLL)
                    .until(() -> scene.replication().get() == null);
            awaitPods(scene, 0);
            assertThat(scene.stateRows()).isZero();
            scene.compare();
        }
    }

    /** Has the operation begin, and kills the operator that acts at a moment in its course. */
    private void duringIt(Runnable operation) {
        String acting = cluster.actingOperator();
        operation.run();
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LATEST_MILLIS)).toNanos());
        cluster.kill(ClusterUnderTest.SYSTEM, acting);
        await().atMost(ClusterScene.LIMIT)
                .pollInterval(POLL)
                .untilAsserted(
                        () -> assertThat(cluster.actingOperator()).isNotEmpty().isNotEqualTo(acting));
    }

    private void replacesPods(ClusterScene scene, String patch) {
        Set<String> before = scene.uids();
        duringIt(() -> scene.patch(patch));
        await().atMost(ClusterScene.LIMIT)
                .pollInterval(POLL)
                .untilAsserted(() -> assertThat(scene.uids()).hasSize(2).doesNotContainAnyElementsOf(before));
        awaitReadyPods(scene, 2);
        scene.awaitReady();
        scene.awaitProgress();
    }

    private static void awaitPods(ClusterScene scene, int count) {
        await().atMost(ClusterScene.LIMIT)
                .pollInterval(POLL)
                .untilAsserted(() -> assertThat(scene.pods()).hasSize(count));
    }

    private static void awaitReadyPods(ClusterScene scene, int count) {
        awaitPods(scene, count);
        await().atMost(ClusterScene.LIMIT)
                .pollInterval(POLL)
                .untilAsserted(() -> assertThat(scene.status()
                                .map(ReplicationStatus::readyReplicas)
                                .orElse(0))
                        .isEqualTo(count));
    }
}
