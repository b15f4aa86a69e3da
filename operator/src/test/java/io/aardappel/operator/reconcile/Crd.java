package io.aardappel.operator.reconcile;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The definition of our resource, as it is delivered. */
final class Crd {
    private Crd() {}

    /** Waits until the API server serves it. */
    static void install(KubernetesClient client) throws IOException {
        client.load(Files.newInputStream(Path.of("../crds/replications.aardappel.ydb.tech.yaml")))
                .forceConflicts()
                .serverSideApply();
        await("the CRD")
                .atMost(Duration.ofSeconds(30))
                .until(() -> client
                        .apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName("replications.aardappel.ydb.tech")
                        .get()
                        .getStatus()
                        .getConditions()
                        .stream()
                        .anyMatch(one -> one.getType().equals("Established")
                                && one.getStatus().equals("True")));
    }
}
