package io.aardappel.operator.deploy;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The manifests in {@code deploy}, rendered by the commands that install them. */
final class Manifests {
    static final String NAMESPACE = "aardappel-system";
    static final String OPERATOR = "aardappel-operator";
    static final String OVERLAYS = "deploy/kustomize/overlays/";

    private static final Path REPOSITORY = Path.of("..");
    private static final int SKIPPED = 75;

    private Manifests() {}

    /** @param folder below the repository */
    static List<GenericKubernetesResource> rendered(String folder) {
        return documents(printed("scripts/kustomize.sh", folder));
    }

    /** An overlay with further lines of a kustomization on top, as people write one of their own. */
    static List<GenericKubernetesResource> rendered(String overlay, String name, String more) {
        Path folder = Path.of("target", "kustomize", name);
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve("kustomization.yaml"),
                    "resources: [../../../../" + OVERLAYS.replace("overlays/", overlay) + "]\n" + more);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + folder, e);
        }
        return rendered("operator/" + folder);
    }

    /** What {@code make release} would write now. */
    static List<GenericKubernetesResource> release() {
        return documents(printed("scripts/release.sh", "-"));
    }

    /** What it wrote. */
    static List<GenericKubernetesResource> released() throws IOException {
        return documents(Files.readString(REPOSITORY.resolve("deploy/release.yaml")));
    }

    static <R extends HasMetadata> R only(Class<R> kind, List<GenericKubernetesResource> objects) {
        List<GenericKubernetesResource> found = objects.stream()
                .filter(object -> object.getKind().equals(kind.getSimpleName()))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError("%d objects of kind %s, not one".formatted(found.size(), kind.getSimpleName()));
        }
        return Serialization.unmarshal(Serialization.asJson(found.get(0)), kind);
    }

    /** As the installing commands do it; a member that the server does not know is refused. */
    static void apply(KubernetesClient client, List<GenericKubernetesResource> objects) {
        objects.forEach(object -> client.resource(object)
                .fieldValidation(FieldValidateable.Validation.STRICT)
                .fieldManager("installer")
                .forceConflicts()
                .serverSideApply());
    }

    static void installCrd(KubernetesClient client) {
        apply(client, rendered("crds"));
        await("the CRD")
                .atMost(Duration.ofSeconds(30))
                .until(() -> client
                        .apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName("replications.aardappel.ydb.tech")
                        .require()
                        .getStatus()
                        .getConditions()
                        .stream()
                        .anyMatch(one -> one.getType().equals("Established")
                                && one.getStatus().equals("True")));
    }

    private static List<GenericKubernetesResource> documents(String yaml) {
        return Arrays.stream(yaml.split("(?m)^---$"))
                .map(text -> Serialization.unmarshal(text, GenericKubernetesResource.class))
                .toList();
    }

    private static String printed(String... command) {
        Process asked;
        String printed;
        int code;
        try {
            asked = new ProcessBuilder(Stream.concat(Stream.of("bash"), Arrays.stream(command))
                            .toList())
                    .directory(REPOSITORY.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            printed = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            code = asked.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run bash " + String.join(" ", command), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + command[0] + " ran", e);
        }
        Assumptions.assumeFalse(code == SKIPPED && !"true".equals(System.getenv("CI")), printed);
        if (code != 0) {
            throw new IllegalStateException("%s ended with %d: %s".formatted(String.join(" ", command), code, printed));
        }
        return printed;
    }
}
