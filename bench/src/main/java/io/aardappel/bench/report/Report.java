package io.aardappel.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures of one benchmark.
 *
 * @param name of the two files
 * @param title for people
 * @param command that takes the figures again
 * @param notes what one has to know to read them
 */
public record Report(String name, String title, String command, List<String> notes, List<Measure> measures) {
    public Report {
        notes = List.copyOf(notes);
        measures = List.copyOf(measures);
    }

    /** Whether all that is required was reached. */
    public boolean reached() {
        return measures.stream().allMatch(Measure::reached);
    }

    /** What runs beside a benchmark takes from it, so this stands in the results: to be asked for before it begins. */
    public static String quietness() {
        return "load of the machine before the first run: "
                + Measure.number(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    /** Writes {@code NAME.json}, {@code NAME.md} and the page above all results, and shows the figures. */
    public void publish(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(name + ".json"), json());
        Path page = folder.resolve(name + ".md");
        Files.writeString(page, markdown());
        for (Measure measure : measures) {
            System.out.printf(
                    "%-58s %10s %-12s %s%n",
                    measure.what(), Measure.number(measure.median()), measure.unit(), measure.verdict());
        }
        Overview.write(folder);
        System.out.println("results: " + page);
    }

    private static String machine() {
        return Runtime.getRuntime().availableProcessors() + " processors, Java " + System.getProperty("java.version");
    }

    private String json() throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("command", command);
        json.put("machine", machine());
        json.put("notes", notes);
        json.put("figures", measures.stream().map(Measure::json).toList());
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
    }

    private String markdown() {
        StringBuilder page =
                new StringBuilder("# " + title + "\n\nWritten by `" + command + "` on " + machine() + ".\n\n");
        notes.forEach(note -> page.append("- ").append(note).append('\n'));
        page.append("\n| what | median | unit | wanted | verdict | runs |\n|---|---|---|---|---|---|\n");
        for (Measure measure : measures) {
            List<String> runs = measure.runs().stream().map(Measure::number).toList();
            page.append("| ")
                    .append(String.join(
                            " | ",
                            measure.what(),
                            Measure.number(measure.median()),
                            measure.unit(),
                            measure.wanted(),
                            measure.verdict(),
                            runs.size() == 1 ? "" : String.join(", ", runs)))
                    .append(" |\n");
        }
        return page.toString();
    }
}
