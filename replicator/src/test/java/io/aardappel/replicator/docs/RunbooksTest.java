package io.aardappel.replicator.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.Anew;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.engine.EngineStatus.Blocking;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the runbooks to the reasons that the code knows: each has one page, under the name that people see. */
@DisplayName("The runbooks")
class RunbooksTest {
    private static final Path RUNBOOKS = Path.of("..", "docs", "runbooks");

    private static final Set<Problem.Reason> PAST_IS_LOST =
            EnumSet.of(Problem.Reason.TOPIC_RECREATED, Problem.Reason.HISTORY_LOST);

    private static final Set<Problem.Reason> ENDS_IN_THE_STATE_ROW = EnumSet.of(
            Problem.Reason.LATE_RECORD,
            Problem.Reason.UNFIT_RECORD,
            Problem.Reason.OVERSIZED_POSITION,
            Problem.Reason.OFFSETS_MOVED,
            Problem.Reason.SOURCE_FAILED,
            Problem.Reason.DESTINATION_FAILED);

    private static final Pattern NAMED = Pattern.compile("docs/[\\w/-]+\\.md");

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

    /** Those of which nothing is lost say how to go on from the checkpoint; from the others only a scan leads on. */
    @ParameterizedTest
    @EnumSource
    void sayToBringInAnewWhereTheProgramSaysNothingElse(Problem.Reason reason) throws IOException {
        String page = Files.readString(RUNBOOKS.resolve("fatal/" + reason.name() + ".md"));
        String toDo = page.substring(page.indexOf("## What to do"), page.indexOf("## What is safe"));

        if (PAST_IS_LOST.contains(reason)) {
            assertThat(toDo).contains("[Bring the stream in anew](../bring-a-stream-in-anew.md)");
            assertThat(toDo).doesNotContain("Set `state` to `OK`", "set `state` to `OK`");
        } else if (ENDS_IN_THE_STATE_ROW.contains(reason)) {
            assertThat(toDo).containsIgnoringCase("set `state` to `OK`");
        }
    }

    @Test
    void areThereUnderEveryNameByWhichTheProgramTellsOfThem() throws IOException {
        List<String> named = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(Path.of("src", "main", "java"))) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                NAMED.matcher(Files.readString(source)).results().forEach(match -> named.add(match.group()));
            }
        }

        assertThat(named)
                .contains(Anew.PAGE)
                .allSatisfy(page -> assertThat(Path.of("..", page)).isRegularFile());
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
