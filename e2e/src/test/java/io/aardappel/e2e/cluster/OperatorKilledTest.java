package io.aardappel.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The moments are random, and their seed is printed: {@code -Dkill.seed=n} runs those of another time. */
@Tag("cluster")
@Tag("slow")
@DisplayName("A Replication whose operator is killed at a random moment")
class OperatorKilledTest {
    /** An operation is under way for about so long. */
    private static final int LATEST_MILLIS = 4_000;

    @RegisterExtension
    static final ClusterUnderTest cluster = ClusterUnderTest.current();

    private final long seed = Long.getLong("kill.seed", System.nanoTime());
    private final Random random = new Random(seed);

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
            scene.awaitReadyPods(1);
            duringIt(() -> scene.patch("{\"spec\":{\"replicas\":2}}"));
            scene.awaitReadyPods(2);

            replacesPods(scene, "{\"spec\":{\"limits\":{\"memory\":\"60Mi\"}}}");
            replacesPods(scene, "{\"spec\":{\"restartNonce\":\"once more\"}}");

            duringIt(() -> scene.patch("{\"spec\":{\"suspend\":true,\"deletionPolicy\":\"Delete\"}}"));
            scene.awaitCondition("Suspended", "True Suspended");
            scene.awaitPods(0);
            duringIt(() -> scene.patch("{\"spec\":{\"suspend\":false}}"));
            scene.awaitReadyPods(2);
            scene.awaitReady();
            scene.settleAndCompare();

            duringIt(() -> scene.replication().delete());
            scene.awaitGone();
            scene.awaitPods(0);
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
        cluster.awaitOperatorOtherThan(acting);
    }

    private void replacesPods(ClusterScene scene, String patch) {
        Set<String> before = scene.uids();
        duringIt(() -> scene.patch(patch));
        ClusterScene.eventually(() -> assertThat(scene.uids()).hasSize(2).doesNotContainAnyElementsOf(before));
        scene.awaitReadyPods(2);
        scene.awaitReady();
        scene.awaitProgress();
    }
}
