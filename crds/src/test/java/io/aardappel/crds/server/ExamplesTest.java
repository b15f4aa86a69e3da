package io.aardappel.crds.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.crds.api.Replication;
import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@WithKubeApiServer
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("An example")
class ExamplesTest {
    private static final Path FOLDER = Path.of("..", "examples");

    private final Cluster cluster;

    ExamplesTest(KubeApiServer kube) {
        this.cluster = Cluster.on(kube);
    }

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .map(Path::getFileName)
                    .sorted()
                    .toList();
        }
    }

    private static List<Document> documents(Path example) throws IOException {
        return Arrays.stream(Files.readString(FOLDER.resolve(example)).split("(?m)^---$"))
                .map(Document::ofYaml)
                .toList();
    }

    @MethodSource("examples")
    @ParameterizedTest
    void isTakenByTheServer(Path example) throws IOException {
        for (Document document : documents(example)) {
            Document applied = cluster.apply(document);
            assertThat(applied.at("spec")).isEqualTo(document.at("spec"));
        }
    }

    /** Members of Kubernetes' own types too, into which the CRD does not look. */
    @MethodSource("examples")
    @ParameterizedTest
    void isWhollyKnownToTheModel(Path example) throws IOException {
        assertThat(documents(example))
                .filteredOn(document -> document.at("kind").asText().equals("Replication"))
                .isNotEmpty()
                .allSatisfy(document -> assertThat(
                                Cluster.tree(document.as(Replication.class)).at("spec"))
                        .isEqualTo(document.at("spec")));
    }

    @MethodSource("examples")
    @ParameterizedTest
    void isListed(Path example) throws IOException {
        assertThat(Files.readString(FOLDER.resolve("README.md"))).contains("| [%s](%s) |".formatted(example, example));
    }
}
