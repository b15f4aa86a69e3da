package io.aardappel.operator.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.operator.plan.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page about conditions")
class ConditionPageTest {
    private static final Path PAGE = Path.of("..", "docs", "runbooks", "conditions.md");

    @Test
    void hasOneSectionForEachReasonAndNoOther() throws IOException {
        List<String> sections = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .toList();
        assertThat(sections)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Reason.values()).map(Reason::word).toList());
    }
}
