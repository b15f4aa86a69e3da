package io.aardappel.crds.schema;

import io.aardappel.crds.api.Replication;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The CRD of {@link Replication}: as the model makes it, and as it is committed. */
public final class Crd {
    /** Relative to the module. */
    static final Path COMMITTED = Path.of("replications.aardappel.ydb.tech.yaml");

    private Crd() {}

    /** The YAML that the model makes now. */
    static String generated() {
        ByteArrayOutputStream yaml = new ByteArrayOutputStream();
        new CRDGenerator()
                .customResourceClasses(List.of(Replication.class))
                .forCRDVersions("v1")
                .withMinQuotes(true)
                .withPostProcessor(new Refinement())
                .withOutput(new InMemory(yaml))
                .generate();
        return yaml.toString(StandardCharsets.UTF_8);
    }

    /** The YAML that is committed, which users install. */
    public static String committed() {
        try {
            return Files.readString(COMMITTED);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + COMMITTED + "; `make docs` writes it", e);
        }
    }

    /** The schema of a resource, as a CRD's YAML has it for its one version. */
    public static JSONSchemaProps schema(String yaml) {
        return version(yaml).getSchema().getOpenAPIV3Schema();
    }

    /** Names of the columns that kubectl prints, in its order. */
    public static List<String> columns(String yaml) {
        return version(yaml).getAdditionalPrinterColumns().stream()
                .map(CustomResourceColumnDefinition::getName)
                .toList();
    }

    private static CustomResourceDefinitionVersion version(String yaml) {
        return Serialization.unmarshal(yaml, CustomResourceDefinition.class)
                .getSpec()
                .getVersions()
                .get(0);
    }

    private static final class Refinement implements CRDPostProcessor {
        @Override
        public HasMetadata process(HasMetadata crd, String crdSpecVersion) {
            return SchemaRefinement.of((CustomResourceDefinition) crd);
        }
    }

    private record InMemory(ByteArrayOutputStream yaml) implements CRDGenerator.CRDOutput<ByteArrayOutputStream> {
        @Override
        public ByteArrayOutputStream outputFor(String crdName) {
            return yaml;
        }

        @Override
        public java.net.URI crdURI(String crdName) {
            return java.net.URI.create("file:///" + crdName);
        }

        @Override
        public void close() {
            // nothing is held
        }
    }
}
