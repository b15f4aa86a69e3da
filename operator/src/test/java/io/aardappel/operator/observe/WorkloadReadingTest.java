package io.aardappel.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.crds.api.ProblemStrategy;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.Stream;
import io.aardappel.operator.plan.Observed;
import io.aardappel.operator.resources.DesiredConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What is read")
class WorkloadReadingTest {
    private static final Instant NOW = Instant.parse("2026-03-04T05:10:00Z");

    @ParameterizedTest
    @CsvSource({
        "InvalidImageName, 2026-03-04T05:10:00Z, true",
        "ErrImageNeverPull, 2026-03-04T05:10:00Z, true",
        "ErrImagePull, 2026-03-04T05:08:01Z, false",
        "ImagePullBackOff, 2026-03-04T05:08:01Z, false",
        "ErrImagePull, 2026-03-04T05:08:00Z, true",
        "ImagePullBackOff, 2026-03-04T05:08:00Z, true",
        "ContainerCreating, 2026-03-04T05:00:00Z, false",
    })
    @DisplayName("of a pod without an image is whether waiting helps")
    void whetherAnImageMayCome(String reason, String created, boolean imageless) {
        assertThat(WorkloadReading.pod(Serialization.unmarshal("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: shop-replicator-1, namespace: copies, creationTimestamp: "%s"}
                        status:
                          containerStatuses:
                          - {name: replicator, restartCount: 0, state: {waiting: {reason: %s, message: none}}}
                        """.formatted(created, reason), Pod.class), NOW)
                        .imageless())
                .isEqualTo(imageless);
    }

    @Nested
    @DisplayName("of a pod whose process has ended")
    class Ends {
        private static Observed.PodSeen pod(int exitCode, String finished) {
            return WorkloadReading.pod(Serialization.unmarshal("""
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: shop-replicator-1, namespace: copies}
                    status:
                      containerStatuses:
                      - name: replicator
                        restartCount: 6
                        state: {waiting: {reason: CrashLoopBackOff, message: back-off 2m40s}}
                        lastState:
                          terminated:
                            exitCode: %d
                            message: '{"level":"error","message":"configuration refused"}'
                            startedAt: "2026-03-04T05:00:00Z"
                            finishedAt: "%s"
                    """.formatted(exitCode, finished), Pod.class), NOW);
        }

        @Test
        void isHowOftenAndByWhatWords() {
            assertThat(pod(2, "2026-03-04T05:00:03Z").crash())
                    .contains(new Observed.Crash(6, "ended with code 2: configuration refused"));
        }

        @Test
        void isNothingAfterARunThatWasNoFailure() {
            assertThat(pod(2, "2026-03-04T05:10:00Z").crash())
                    .as("after ten minutes")
                    .isEmpty();
            assertThat(pod(0, "2026-03-04T05:00:03Z").crash())
                    .as("as requested")
                    .isEmpty();
        }

        @Test
        void isTheEndThatKubernetesHasNotActedOnYet() {
            Observed.PodSeen seen = WorkloadReading.pod(Serialization.unmarshal("""
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: shop-replicator-1, namespace: copies}
                    status:
                      containerStatuses:
                      - name: replicator
                        restartCount: 0
                        state:
                          terminated:
                            exitCode: 4
                            startedAt: "2026-03-04T05:00:00Z"
                            finishedAt: "2026-03-04T05:00:01Z"
                    """, Pod.class), NOW);
            assertThat(seen.crash()).contains(new Observed.Crash(0, "ended with code 4"));
        }
    }

    @Nested
    @DisplayName("of a ConfigMap in force")
    class Configurations {
        private final Replication resource = Serialization.unmarshal("""
                apiVersion: aardappel.ydb.tech/v1alpha1
                kind: Replication
                metadata: {name: shop, namespace: copies, uid: 7a1f}
                spec:
                  source: {connectionString: "grpc://source:2136/shop", auth: {anonymous: {}}}
                  destination: {connectionString: "grpc://copy:2136/copy", auth: {anonymous: {}}}
                  stateTable: repl_state
                  streams: []
                """, Replication.class);

        @Test
        void areItsStreamsAsTheyWereWritten() {
            List<Stream> streams = List.of(
                    new Stream("goods/feed", "copy", "goods", null, null),
                    new Stream("/shop/a: \"b\"/feed", "'c'", "/copy/ü", ProblemStrategy.CONTINUE, "the tag"));
            assertThat(DesiredConfigMap.streams(
                            DesiredConfigMap.of(resource, streams).object()))
                    .isEqualTo(streams);
        }

        @Test
        void areNoneOfOneThatIsNotOurs() {
            for (Map<String, String> data :
                    List.of(Map.<String, String>of(), Map.of("replicator.yaml", "streams: ["))) {
                assertThat(DesiredConfigMap.streams(
                                new ConfigMapBuilder().withData(data).build()))
                        .isEmpty();
            }
        }
    }
}
