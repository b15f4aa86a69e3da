package io.aardappel.replicator.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.engine.EngineStatus.Blocking;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the runbooks to the reasons that the code knows: each has one page, under the name that people see. */
@DisplayName("The runbooks")
class RunbooksTest {
    private static final Path RUNBOOKS = Path.of("..", "docs", "runbooks");

    static List<String> pages() {
        return Stream.concat(
                        Arrays.stream(Problem.Reason.values()).map(reason -> "fatal/" + reason.name() + ".md"),
                        Arrays.stream(Blocking.Reason.values()).map(reason -> "blocking/" + reason.word() + ".md"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void haveAPageForEveryReason(String page) throws IOException {
        assertThat(Files.readString(RUNBOOKS.resolve(page)))
                .startsWith("# " + page.replaceAll(".*/|\\.md$", "") + "\n")
                .contains("## What you see", "## What it means", "## What to do", "## What is safe");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void listEveryPage(String page) throws IOException {
        assertThat(Files.readString(RUNBOOKS.resolve("README.md"))).contains("](" + page + ")");
    }

    @Test
    void haveNoPageForAReasonThatIsGone() throws IOException {
        try (Stream<Path> files = Files.walk(RUNBOOKS, 2)) {
            assertThat(files.filter(file -> RUNBOOKS.relativize(file).getNameCount() == 2)
                            .map(file -> RUNBOOKS.relativize(file).toString().replace('\\', '/')))
                    .containsExactlyInAnyOrderElementsOf(pages());
        }
    }
}
