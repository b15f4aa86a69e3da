package io.aardappel.crds.schema;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrArray;
import java.util.Comparator;
import java.util.List;

/** What no annotation of the model can say: keys of lists, bounds of their items, and which members are not looked into. */
final class SchemaRefinement {
    /** Members of Kubernetes' own types: the API server checks them when the Deployment is made. */
    private static final List<String> OPAQUE = List.of(
            "spec.template.pod.affinity",
            "spec.template.pod.securityContext",
            "spec.template.pod.dnsConfig",
            "spec.template.container.resources",
            "spec.template.container.securityContext");

    private static final List<String> OPAQUE_LISTS = List.of(
            "spec.template.pod.imagePullSecrets",
            "spec.template.pod.tolerations",
            "spec.template.pod.topologySpreadConstraints",
            "spec.template.pod.volumes",
            "spec.template.pod.hostAliases",
            "spec.template.container.env",
            "spec.template.container.volumeMounts");

    /** As kubectl prints them; the generator sorts by path. */
    private static final List<String> COLUMNS =
            List.of("Ready", "State", "Stage", "Lag", "Active", "Age", "Checkpoint", "Streams", "Reason", "Image");

    private SchemaRefinement() {}

    static CustomResourceDefinition of(CustomResourceDefinition crd) {
        CustomResourceDefinitionVersion version = crd.getSpec().getVersions().get(0);
        version.setAdditionalPrinterColumns(version.getAdditionalPrinterColumns().stream()
                .sorted(Comparator.comparingInt(column -> COLUMNS.indexOf(column.getName())))
                .toList());
        JSONSchemaProps schema = version.getSchema().getOpenAPIV3Schema();
        schema.setDescription("One replication: the tables of one YDB that are kept a consistent snapshot in another.");
        schema.setRequired(List.of("spec"));
        at(schema, "spec").setDescription("What is asked for.");
        at(schema, "status").setDescription("What the operator saw last.");
        at(schema, "spec.restartNonce").setMaxLength(253L);
        keyed(at(schema, "spec.streams"), List.of("sourceTopic", "consumer"));
        keyed(at(schema, "status.conditions"), List.of("type"));
        keyed(at(schema, "status.migration.steps"), List.of("name"));
        OPAQUE.forEach(path -> opaque(at(schema, path)));
        OPAQUE_LISTS.forEach(
                path -> at(schema, path).setItems(new JSONSchemaPropsOrArray(null, opaque(new JSONSchemaProps()))));
        labels(at(schema, "spec.template.labels"), 63);
        labels(at(schema, "spec.template.annotations"), 4_096);
        labels(at(schema, "spec.template.pod.nodeSelector"), 63);
        labels(at(schema, "spec.podMonitor.labels"), 63);
        condition(at(schema, "status.conditions").getItems().getSchema());
        for (String database : List.of("spec.source", "spec.destination")) {
            texts(at(schema, database + ".auth.serviceAccountToken.exchange.audience"));
            texts(at(schema, database + ".auth.serviceAccountToken.exchange.scope"));
        }
        eachRuleOnce(schema);
        return crd;
    }

    /** A member by the names on the way to it. */
    static JSONSchemaProps at(JSONSchemaProps schema, String path) {
        JSONSchemaProps at = schema;
        for (String name : path.split("\\.")) {
            JSONSchemaProps next =
                    at.getProperties() == null ? null : at.getProperties().get(name);
            if (next == null) {
                throw new IllegalStateException("the schema has no " + path + ": nothing called " + name);
            }
            at = next;
        }
        return at;
    }

    private static void keyed(JSONSchemaProps list, List<String> keys) {
        list.setXKubernetesListType("map");
        list.setXKubernetesListMapKeys(keys);
    }

    private static JSONSchemaProps opaque(JSONSchemaProps schema) {
        schema.setType("object");
        schema.setProperties(null);
        schema.setXKubernetesPreserveUnknownFields(true);
        return schema;
    }

    private static void labels(JSONSchemaProps map, long longest) {
        map.setMaxProperties(64L);
        map.getAdditionalProperties().getSchema().setMaxLength(longest);
    }

    private static void texts(JSONSchemaProps list) {
        list.getItems().getSchema().setMinLength(1L);
        list.getItems().getSchema().setMaxLength(1_024L);
    }

    /** A rule on a record's component reaches the generator twice, by the field and by its accessor. */
    private static void eachRuleOnce(JSONSchemaProps schema) {
        schema.setXKubernetesValidations(
                schema.getXKubernetesValidations().stream().distinct().toList());
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(SchemaRefinement::eachRuleOnce);
        }
        if (schema.getItems() != null) {
            eachRuleOnce(schema.getItems().getSchema());
        }
    }

    /** As metav1.Condition is declared by Kubernetes, with the length of messages that we keep to. */
    private static void condition(JSONSchemaProps condition) {
        condition.setDescription("A condition as Kubernetes' own resources have them.");
        condition.setRequired(List.of("type", "status", "lastTransitionTime", "reason", "message"));
        text(condition, "type", "What is looked at, such as Ready.", 316);
        text(condition, "status", "True, False or Unknown.", 16);
        text(condition, "reason", "Why, in one word of a documented list.", 1_024);
        text(condition, "message", "Why, and what to do, for a person.", 1_024);
        text(condition, "lastTransitionTime", "When status changed last.", 40);
        JSONSchemaProps generation = at(condition, "observedGeneration");
        generation.setDescription("metadata.generation that it was computed from.");
        generation.setMinimum(0.0);
    }

    private static void text(JSONSchemaProps condition, String name, String description, long longest) {
        condition
                .getProperties()
                .put(
                        name,
                        new JSONSchemaPropsBuilder(at(condition, name))
                                .withDescription(description)
                                .withMaxLength(longest)
                                .build());
    }
}
