package io.aardappel.crds.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.ReplicationStatus;
import io.aardappel.crds.schema.Crd;
import io.aardappel.crds.server.Cluster.Refusal;
import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@WithKubeApiServer
@DisplayName("A Replication's")
class SubresourcesTest {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final Cluster cluster;
    private final Document document;

    SubresourcesTest(KubeApiServer kube) {
        this.cluster = Cluster.on(kube);
        this.document = Document.ofTests("full.yaml");
    }

    @BeforeEach
    void apply() {
        cluster.apply(document);
    }

    private Resource<Replication> replication() {
        return cluster.client()
                .resources(Replication.class)
                .inNamespace(cluster.namespace())
                .withName("full");
    }

    private Document read() {
        return cluster.read(document);
    }

    private void writeStatus(ReplicationStatus status) {
        replication().editStatus(current -> {
            current.setStatus(status);
            return current;
        });
    }

    private static ReplicationStatus fullStatus() {
        return Document.ofTests("status.yaml").as(ReplicationStatus.class);
    }

    @Nested
    @DisplayName("status")
    class Status {
        @Test
        void isReadBackAsItWasWritten() {
            writeStatus(fullStatus());
            assertThat(replication().get().getStatus()).isEqualTo(fullStatus());
            assertThat(read().at("status"))
                    .isEqualTo(Document.ofTests("status.yaml").root());
        }

        @Test
        void isNotANewGeneration() {
            JsonNode before = read().at("metadata.generation");
            writeStatus(fullStatus());
            assertThat(read().at("metadata.generation")).isEqualTo(before);
        }

        @Test
        void isNotWrittenThroughTheResourceItself() {
            Document before = read();
            replication().patch(MERGE, "{\"status\": {\"state\": \"Running\"}}");
            assertThat(read()).isEqualTo(before);
            assertThat(before.has("status")).isFalse();
        }

        @Test
        void doesNotWriteTheRest() {
            JsonNode before = read().at("spec");
            replication()
                    .subresource("status")
                    .patch(MERGE, "{\"spec\": {\"replicas\": 9}, \"status\": {\"lag\": \"3s\"}}");
            assertThat(read().at("spec")).isEqualTo(before);
            assertThat(read().at("status.lag").asText()).isEqualTo("3s");
        }

        static Stream<Breach> bounds() {
            Document whole = Document.ofTests("full.yaml")
                    .with("status", Document.ofTests("status.yaml").root());
            return Breach.ofEach(Crd.schema(Crd.committed()).getProperties().get("status"), "status", List.of(whole))
                    .stream();
        }

        @MethodSource("bounds")
        @ParameterizedTest(name = "{0}")
        void isRefusedWhenItBreaksABound(Breach breach) {
            Optional<Refusal> refusal =
                    Cluster.refusal(() -> replication().subresource("status").patch(MERGE, statusOf(breach)));
            assertThat(refusal).hasValueSatisfying(refused -> {
                assertThat(refused.code()).isEqualTo(422);
                assertThat(refused.about(breach.field()))
                        .as(refused.toString())
                        .anyMatch(message -> message.contains(breach.said()));
            });
        }

        private static String statusOf(Breach breach) {
            return "{\"status\": %s}".formatted(breach.resource().at("status"));
        }
    }

    @Nested
    @DisplayName("scale")
    class Scaling {
        @Test
        void tellsWhatIsWantedAndWhatThereIs() {
            writeStatus(fullStatus());
            Scale scale = replication().scale();
            assertThat(scale.getSpec().getReplicas()).isEqualTo(3);
            assertThat(scale.getStatus().getReplicas()).isEqualTo(fullStatus().replicas());
            assertThat(scale.getStatus().getSelector()).isEqualTo(fullStatus().selector());
        }

        @Test
        void changesWhatIsWanted() {
            Scale scale = replication().scale();
            scale.getSpec().setReplicas(1);
            replication().scale(scale);
            assertThat(read().at("spec.replicas").asInt()).isEqualTo(1);
        }

        @Test
        void goesNoFurtherThanTheResource() {
            Scale scale = replication().scale();
            scale.getSpec().setReplicas(10);
            assertThat(Cluster.refusal(() -> replication().scale(scale)))
                    .hasValueSatisfying(refused -> assertThat(refused)
                            .asString()
                            .contains("spec.replicas in body should be less than or equal to 9"));
        }
    }

    @Nested
    @DisplayName("columns")
    class Columns {
        @Test
        void areWhatItsStatusSays() throws Exception {
            writeStatus(fullStatus());
            assertThat(row(0))
                    .containsEntry("Name", "full")
                    .containsEntry("Ready", "True")
                    .containsEntry("State", "Running")
                    .containsEntry("Stage", "RUN")
                    .containsEntry("Lag", "3s")
                    .containsEntry("Active", "full-7d9c5b6f4-x2x7k")
                    .containsOnlyKeys("Name", "Ready", "State", "Stage", "Lag", "Active", "Age");
        }

        @Test
        void areMoreWhenTheyMayBeWide() throws Exception {
            writeStatus(fullStatus());
            assertThat(row(1))
                    .containsEntry("Checkpoint", "2026-11-29T12:00:00Z")
                    .containsEntry("Streams", "1/2")
                    .containsEntry("Reason", "InStep")
                    .containsEntry("Image", "registry.example/aardappel/replicator:1.2.3")
                    .containsOnlyKeys(
                            "Name",
                            "Ready",
                            "State",
                            "Stage",
                            "Lag",
                            "Active",
                            "Age",
                            "Checkpoint",
                            "Streams",
                            "Reason",
                            "Image");
        }

        @Test
        void areEmptyBeforeTheOperatorHasLooked() throws Exception {
            assertThat(row(0)).containsEntry("Ready", "").containsEntry("State", "");
            assertThat(row(0).get("Age")).matches("[0-9]+s");
        }

        /** What kubectl prints: columns up to a priority and their cells, in order. */
        private Map<String, String> row(int priority) throws Exception {
            HttpClient http = cluster.client().getHttpClient();
            String url = "%sapis/aardappel.ydb.tech/v1alpha1/namespaces/%s/replications"
                    .formatted(cluster.client().getMasterUrl(), cluster.namespace());
            HttpResponse<String> response = http.sendAsync(
                            http.newHttpRequestBuilder()
                                    .uri(url)
                                    .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
                                    .build(),
                            String.class)
                    .get();
            JsonNode table = Serialization.unmarshal(response.body(), JsonNode.class);
            JsonNode cells = table.path("rows").path(0).path("cells");
            Map<String, String> row = new LinkedHashMap<>();
            JsonNode columns = table.path("columnDefinitions");
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).path("priority").asInt() <= priority) {
                    row.put(
                            columns.get(i).path("name").asText(),
                            cells.path(i).isNull() ? "" : cells.path(i).asText());
                }
            }
            return row;
        }
    }
}
