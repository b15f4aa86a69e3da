package io.aardappel.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.impl.cache.Reflector;
import java.io.IOException;
import java.lang.reflect.Field;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The client ends each watch by itself after 5 to 10 minutes and begins another one from the last version that it saw;
 * one whose end is not answered is given up 2 minutes later. Here the first time is 5 to 10 seconds.
 */
@Tag("slow")
@WithKubeApiServer
@DisplayName("A watch that falls silent without an end")
class SilentWatchTest {
    private static final long SECONDS = 5;
    private static final int WATCHES = 8;
    private static final Duration GIVEN_UP_WITHIN = Duration.ofMinutes(4);

    @Test
    @DisplayName("is replaced, and what was missed is seen")
    void isReplaced(KubeApiServer server) throws IOException, ReflectiveOperationException {
        KubernetesClient person = server.client();
        Crd.install(person);
        Field lifetime = Reflector.class.getDeclaredField("MIN_TIMEOUT");
        lifetime.setAccessible(true);
        long before = lifetime.getLong(null);
        try (FaultyApiServer door = FaultyApiServer.before(person)) {
            lifetime.setLong(null, SECONDS);
            try (ServedNamespace served = new ServedNamespace(server.newNamespace(), person, door.client())) {
                ServedNamespace.until("the watches", () -> door.watches() == WATCHES);
                door.silenceWatches();
                assertThat(door.watches()).isZero();
                served.apply("shop", "");
                await("the Deployment").atMost(GIVEN_UP_WITHIN).until(() -> served.deployment("shop") != null);
            }
        } finally {
            lifetime.setLong(null, before);
        }
    }
}
