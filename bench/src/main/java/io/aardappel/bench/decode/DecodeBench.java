package io.aardappel.bench.decode;

import io.aardappel.bench.report.Bound;
import io.aardappel.bench.report.Measure;
import io.aardappel.bench.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Takes the time of a record on its way to a query's parameters beside that of its mere tokenising, both in each round, and
 * writes {@code bench/results/decode.json} and {@code .md}.
 */
public final class DecodeBench {
    private static final Bound SHARE = Bound.atLeast(0.2, 1.0 / 3);
    private static final int WARM_UPS = 4;
    private static final int ITERATIONS = 3;
    private static final TimeValue ITERATION = TimeValue.milliseconds(1_500);

    private DecodeBench() {}

    /**
     * Measures and writes the results.
     *
     * @param arguments the folder for the results, how many rounds
     */
    public static void main(String[] arguments) throws IOException, RunnerException {
        Path folder = Path.of(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        String quietness = Report.quietness();
        List<Double> floor = new ArrayList<>();
        List<Double> whole = new ArrayList<>();
        List<Double> share = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            double tokenise = nanos("tokenise");
            double toParameters = nanos("toParameters");
            floor.add(tokenise);
            whole.add(toParameters);
            share.add(tokenise / toParameters);
            System.out.printf(
                    "round %d of %d: tokenise %.0f ns, to parameters %.0f ns, share %.3f%n",
                    round + 1, rounds, tokenise, toParameters, tokenise / toParameters);
        }
        Report report = new Report(
                "decode",
                "From bytes to parameters",
                "make bench-decode",
                List.of(
                        "A record of " + Messages.CHANGE_BYTES
                                + " bytes, two key columns and five others; four partitions, "
                                + "transactions of 10,000 changes of different rows.",
                        "To parameters: decode, order, fold, and the parameters of the statements as they travel. Tokenise: "
                                + "Jackson's streaming parser over the same bytes, nothing kept.",
                        "JMH 1.37, one thread, each figure of a round from a process of its own: its processor time, so that it is "
                                + "what one core must give, collector included.",
                        quietness),
                List.of(
                        new Measure("share of the tokenising rate that is reached", "ratio", share, SHARE),
                        Measure.of("a record to parameters", "ns", whole),
                        Measure.of("a record tokenised", "ns", floor),
                        Measure.of("records to parameters on one core", "1/s", perSecond(whole)),
                        Measure.of("records tokenised on one core", "1/s", perSecond(floor))));
        report.publish(folder);
        System.exit(report.reached() ? 0 : 1);
    }

    private static List<Double> perSecond(List<Double> nanos) {
        return nanos.stream().map(each -> 1e9 / each).toList();
    }

    private static double nanos(String benchmark) throws RunnerException {
        Options options = new OptionsBuilder()
                .include("^" + DecodePath.class.getName() + "\\." + benchmark + "$")
                .forks(1)
                .threads(1)
                .jvmArgs("-Xms1g", "-Xmx1g", "-XX:+UseSerialGC")
                .warmupIterations(WARM_UPS)
                .warmupTime(ITERATION)
                .measurementIterations(ITERATIONS)
                .measurementTime(ITERATION)
                .addProfiler(CpuTime.class)
                .verbosity(VerboseMode.SILENT)
                .build();
        RunResult result = new Runner(options).run().iterator().next();
        return Objects.requireNonNull(result.getSecondaryResults().get(CpuTime.LABEL))
                .getScore();
    }
}
