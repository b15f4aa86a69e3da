package io.aardappel.crds.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.aardappel.crds.schema.Crd;
import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@WithKubeApiServer
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("The committed CRD, given to an API server")
class EstablishedCrdTest {
    private static final String VERSION = "aardappel.ydb.tech/v1alpha1";

    private final Cluster cluster;

    EstablishedCrdTest(KubeApiServer kube) {
        this.cluster = Cluster.on(kube);
    }

    @Test
    void isEstablishedWithoutComplaints() {
        assertThat(cluster.conditions())
                .containsOnly(Map.entry("Established", "True"), Map.entry("NamesAccepted", "True"));
    }

    /** Members that the server changed or dropped would show as a difference here. */
    @Test
    void isKeptAsItWasGiven() {
        assertThat(cluster.installed()
                        .getSpec()
                        .getVersions()
                        .get(0)
                        .getSchema()
                        .getOpenAPIV3Schema())
                .isEqualTo(Crd.schema(Crd.committed()));
    }

    @Test
    void isFoundByItsNames() {
        assertThat(resources())
                .filteredOn(resource -> resource.getName().equals("replications"))
                .singleElement()
                .satisfies(resource -> {
                    assertThat(resource.getKind()).isEqualTo("Replication");
                    assertThat(resource.getSingularName()).isEqualTo("replication");
                    assertThat(resource.getShortNames()).containsExactly("repl");
                    assertThat(resource.getCategories()).containsExactly("aardappel");
                    assertThat(resource.getNamespaced()).isTrue();
                });
    }

    @Test
    void hasStatusAndScaleApart() {
        assertThat(resources())
                .extracting(APIResource::getName, APIResource::getKind)
                .contains(tuple("replications/status", "Replication"), tuple("replications/scale", "Scale"));
    }

    private List<APIResource> resources() {
        return cluster.client().getApiResources(VERSION).getResources();
    }

    /** What {@code kubectl explain} prints. */
    @Test
    void explainsEveryMember() {
        JsonNode published = published();
        List<String> unexplained = new ArrayList<>();
        explained(
                "spec",
                published.path("properties").path("spec"),
                Crd.schema(Crd.committed()).getProperties().get("spec"),
                unexplained);
        explained(
                "status",
                published.path("properties").path("status"),
                Crd.schema(Crd.committed()).getProperties().get("status"),
                unexplained);
        assertThat(unexplained).isEmpty();
    }

    private static void explained(
            String path, JsonNode published, JSONSchemaProps committed, List<String> unexplained) {
        if (published.path("description").asText().isBlank()) {
            unexplained.add(path);
        }
        if (committed.getProperties() != null) {
            committed
                    .getProperties()
                    .forEach((name, member) -> explained(
                            path + "." + name, published.path("properties").path(name), member, unexplained));
        }
        if (committed.getItems() != null && committed.getItems().getSchema().getProperties() != null) {
            committed
                    .getItems()
                    .getSchema()
                    .getProperties()
                    .forEach((name, member) -> explained(
                            path + "[]." + name,
                            published.path("items").path("properties").path(name),
                            member,
                            unexplained));
        }
    }

    /** The server publishes the schema of a new CRD a little later than it serves it. */
    private JsonNode published() {
        String path = "/openapi/v3/apis/" + VERSION;
        return await("the published schema")
                .ignoreExceptionsInstanceOf(KubernetesClientException.class)
                .until(
                        () -> {
                            String document = cluster.client().raw(path);
                            return document == null
                                    ? Serialization.unmarshal("{}", JsonNode.class)
                                    : Serialization.unmarshal(document, JsonNode.class)
                                            .path("components")
                                            .path("schemas")
                                            .path("tech.ydb.aardappel.v1alpha1.Replication");
                        },
                        schema -> schema.has("properties"));
    }
}
