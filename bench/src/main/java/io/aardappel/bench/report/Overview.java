package io.aardappel.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page above the results of all benchmarks: their tables, as they were last taken. */
public final class Overview {
    private static final String HEAD = """
            # Benchmarks

            What is wanted of the product's speed and size, and what was measured. Times stand beside another time of the same run, as
            a ratio: a slower machine changes both. Each table is from the page that its heading links to, where the conditions are
            said; `make bench` takes those of the replicator again and writes this page, the command below a heading its table alone. Nothing
            else should run meanwhile.
            """;

    private Overview() {}

    /**
     * Writes {@code README.md} beside the folder of results.
     *
     * @param results where {@link Report#publish} has written pages
     */
    public static void write(Path results) throws IOException {
        StringBuilder page = new StringBuilder(HEAD);
        try (Stream<Path> files = Files.list(results)) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".md")).sorted().toList()) {
                page.append('\n')
                        .append(section(results.getFileName() + "/" + file.getFileName(), Files.readAllLines(file)));
            }
        }
        Files.writeString(results.resolveSibling("README.md"), page);
    }

    private static String section(String link, List<String> lines) {
        String title = lines.get(0).replaceFirst("^# ", "");
        String origin = lines.stream()
                .filter(line -> line.contains("ritten by `"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(link + " does not say by which command it was written"));
        String table = lines.stream().filter(line -> line.startsWith("|")).collect(Collectors.joining("\n"));
        return "## [" + title + "](" + link + ")\n\n" + origin + "\n\n" + table + "\n";
    }
}
