package io.aardappel.bench.operator;

import io.aardappel.bench.process.Await;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The custom resource's definition, as it is installed. */
final class Definition {
    private static final Path FILE = Path.of("crds", "replications.aardappel.ydb.tech.yaml");

    private Definition() {}

    /** Returns when the API server serves it. */
    static void install(KubernetesClient client) {
        try (InputStream text = Files.newInputStream(FILE)) {
            client.load(text).forceConflicts().serverSideApply();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE + ", run this in the root of the repository", e);
        }
        Await.until(
                "the custom resource is served", () -> client.getApiResources("aardappel.ydb.tech/v1alpha1") != null);
    }
}
