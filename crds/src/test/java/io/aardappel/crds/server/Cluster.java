package io.aardappel.crds.server;

import static org.awaitility.Awaitility.await;

import io.aardappel.crds.schema.Crd;
import io.aardappel.kube.junit.KubeApiServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A namespace of its own on an API server that has the committed CRD. */
final class Cluster {
    private static final String MANAGER = "a-person";

    private final KubernetesClient client;
    private final String namespace;

    private Cluster(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** Installs the CRD unless it is there, and waits until it is served. */
    static Cluster on(KubeApiServer kube) {
        KubernetesClient client = kube.client();
        Cluster cluster = new Cluster(client, kube.newNamespace());
        if (cluster.crd().get() == null) {
            client.resource(Serialization.unmarshal(Crd.committed(), CustomResourceDefinition.class))
                    .fieldValidation(FieldValidateable.Validation.STRICT)
                    .fieldManager(MANAGER)
                    .serverSideApply();
        }
        await("the CRD to be established")
                .pollDelay(Duration.ZERO)
                .until(() -> "True".equals(cluster.conditions().get("Established")));
        return cluster;
    }

    /** Status of the CRD's conditions by type. */
    Map<String, String> conditions() {
        return Optional.ofNullable(installed().getStatus()).stream()
                .flatMap(status -> status.getConditions().stream())
                .collect(Collectors.toMap(
                        CustomResourceDefinitionCondition::getType, CustomResourceDefinitionCondition::getStatus));
    }

    CustomResourceDefinition installed() {
        return crd().require();
    }

    private Resource<CustomResourceDefinition> crd() {
        return client.apiextensions().v1().customResourceDefinitions().withName("replications.aardappel.ydb.tech");
    }

    KubernetesClient client() {
        return client;
    }

    String namespace() {
        return namespace;
    }

    /** Server-side apply; a member that the schema does not know is an error. */
    Document apply(Document document) {
        return tree(at(document)
                .fieldValidation(FieldValidateable.Validation.STRICT)
                .fieldManager(MANAGER)
                .serverSideApply());
    }

    /** What the server answers to the creation, which is checked whole and not carried out. */
    Optional<Refusal> refusal(Document document) {
        return refusal(() -> at(document)
                .dryRun()
                .fieldValidation(FieldValidateable.Validation.STRICT)
                .create());
    }

    static Optional<Refusal> refusal(Runnable request) {
        try {
            request.run();
            return Optional.empty();
        } catch (KubernetesClientException e) {
            return Optional.of(new Refusal(e));
        }
    }

    Resource<GenericKubernetesResource> at(Document document) {
        return client.resource(document.resource()).inNamespace(namespace);
    }

    Document read(Document document) {
        return tree(at(document).require());
    }

    static Document tree(Object resource) {
        return Document.ofYaml(Serialization.asJson(resource));
    }

    /** Why the server did not take a resource. */
    record Refusal(KubernetesClientException error) {
        int code() {
            return error.getCode();
        }

        /** What it says of one member. */
        List<String> about(String field) {
            if (error.getStatus() == null || error.getStatus().getDetails() == null) {
                return List.of();
            }
            return error.getStatus().getDetails().getCauses().stream()
                    .filter(cause -> field.equals(cause.getField()))
                    .map(StatusCause::getMessage)
                    .toList();
        }

        @Override
        public String toString() {
            return String.valueOf(error.getMessage());
        }
    }
}
