package io.aardappel.replicator.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/parity.md} to the tests: a method that shows one of the Go program's weak points carries its number. */
@DisplayName("The table of the Go program's weak points")
class ParityTest {
    private static final Path TABLE = Path.of("..", "docs", "parity.md");
    private static final List<Path> TESTS = List.of(
            Path.of("src", "test", "java"),
            Path.of("..", "access", "src", "test"),
            Path.of("..", "program", "src", "test"),
            Path.of("..", "e2e", "src", "test"));
    private static final Pattern LINE = Pattern.compile("\\| B(\\d+) \\|.*\\| ([^|]+) \\|");
    private static final Pattern NAMED = Pattern.compile("`(\\w+\\.\\w+B\\d\\d)`");
    private static final Pattern METHOD = Pattern.compile("void (\\w+B\\d\\d)\\(");

    @Test
    @DisplayName("has one line for each of the 45, in order")
    void hasALineForEach() throws IOException {
        assertThat(lines().map(ParityTest::number))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 45).boxed().toList());
    }

    @Test
    @DisplayName("names tests, or says why there is none")
    void namesTestsOrSaysWhy() throws IOException {
        assertThat(lines().map(line -> line.group(2)))
                .allSatisfy(shownBy ->
                        assertThat(shownBy).matches("`.*`|cannot occur|not supported yet|the rule is that of B\\d+"));
    }

    @Test
    @DisplayName("names each test in the line of its number")
    void namesEachTestInItsLine() throws IOException {
        assertThat(lines())
                .allSatisfy(line -> assertThat(NAMED.matcher(line.group(2)).results())
                        .allSatisfy(test -> assertThat(test.group(1)).contains("B%02d".formatted(number(line)))));
    }

    @Test
    @DisplayName("names the very tests that there are")
    void namesTheTestsThereAre() throws IOException {
        Set<String> named = lines().flatMap(line -> NAMED.matcher(line.group(2)).results())
                .map(test -> test.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).isEqualTo(written());
    }

    private static Stream<Matcher> lines() throws IOException {
        return Files.readAllLines(TABLE).stream().map(LINE::matcher).filter(Matcher::matches);
    }

    private static int number(MatchResult line) {
        return Integer.parseInt(line.group(1));
    }

    /** Every test method that carries a number, with its class. */
    private static Set<String> written() throws IOException {
        Set<String> tests = new TreeSet<>();
        for (Path root : TESTS) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(each -> each.toString().endsWith("Test.java"))
                        .toList()) {
                    String name = file.getFileName().toString().replace(".java", ".");
                    METHOD.matcher(Files.readString(file))
                            .results()
                            .forEach(method -> tests.add(name + method.group(1)));
                }
            }
        }
        return tests;
    }
}
