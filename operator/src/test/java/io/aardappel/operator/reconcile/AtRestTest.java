package io.aardappel.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@WithKubeApiServer
@DisplayName("For a minute at rest")
class AtRestTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    @Test
    @DisplayName("the operator sends no write for resources that are settled, and no object gets another version")
    void writesNothing(KubeApiServer server) throws IOException {
        KubernetesClient person = server.client();
        Crd.install(person);
        List<String> resources = List.of("shop", "orders", "paused");
        try (FaultyApiServer door = FaultyApiServer.before(person);
                ServedNamespace served = new ServedNamespace(server.newNamespace(), person, door.client())) {
            served.apply("shop", "");
            served.apply("orders", "logLevel: Debug\nreplicas: 1");
            served.apply("paused", "suspend: true");
            served.replicate("shop");
            served.awaitCondition("paused", "Suspended", "True", "Suspended");
            served.awaitCondition("orders", "Ready", "False", "RollingOut");
            served.awaitLooks(10 * resources.size());
            Map<String, String> before = served.versions();
            int looks = served.looks();
            door.forget();
            await("a minute")
                    .during(MINUTE)
                    .atMost(MINUTE.plusSeconds(30))
                    .pollInterval(LOOK_EVERY)
                    .until(() -> served.versions().equals(before));
            assertThat(door.requests()).noneMatch(FaultyApiServer.Request::isWrite);
            assertThat(served.looks() - looks)
                    .as("looks meanwhile, which could have written")
                    .isGreaterThan(300);
        }
    }
}
