package io.aardappel.bench.operator;

import io.aardappel.bench.operator.ScaleRun.Figures;
import io.aardappel.bench.process.EmulatorProcess;
import io.aardappel.bench.report.Bound;
import io.aardappel.bench.report.Measure;
import io.aardappel.bench.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The operator with few and with many resources, each with an API server of its own; times as ratios between the two. Writes
 * {@code bench/results/operator.json} and {@code .md}.
 */
public final class OperatorBench {
    private static final String HEAP = "256m";
    private static final double HEAP_MIB = 256;
    /** What a Java process has beside its heap: code, threads, buffers of the network. */
    private static final double BESIDE_HEAP_MIB = 256;

    private OperatorBench() {}

    /**
     * Measures and writes the results.
     *
     * @param arguments the folder for the results, path of {@code bin/operator}, how many resources are few, and how many are many
     */
    public static void main(String[] arguments) throws IOException {
        String quietness = Report.quietness();
        List<Figures> all = new ArrayList<>();
        try (EmulatorProcess emulator = EmulatorProcess.start()) {
            for (String size : List.of(arguments[2], arguments[3])) {
                System.out.println("with " + size + " resources");
                all.add(ScaleRun.of(Integer.parseInt(size), emulator.url(), Path.of(arguments[1]), HEAP));
            }
        }
        Report report = report(all.get(0), all.get(1), quietness);
        report.publish(Path.of(arguments[0]));
        System.exit(report.reached() ? 0 : 1);
    }

    private static Report report(Figures few, Figures many, String quietness) {
        double polls = (double) ScaleRun.WATCHED.toMillis() / ScaleRun.POLL_PERIOD.toMillis();
        return new Report(
                "operator",
                "The operator with " + few.resources() + " and with " + many.resources() + " resources",
                "make bench-operator",
                List.of(
                        "`bin/operator` with -Xmx" + HEAP
                                + " and its defaults, without a lease; an API server and state tables of an"
                                + " emulator on the same processors. In place of controllers and kubelets two ready pods are made to each"
                                + " Deployment. Each state table has the rows of 100 instances.",
                        "A growth is the figure for one resource of many, as a multiple of that for one of few: 1 is linear.",
                        "At rest nothing changes for a minute. Moving: all checkpoints move every 2 s for a minute.",
                        "99th percentiles are of 200 changes, with few resources of four to each. A row is seen within a poll period at most, so that figure is in poll periods.",
                        quietness),
                measures(few, many, polls));
    }

    private static List<Measure> measures(Figures few, Figures many, double polls) {
        return List.of(
                wanted(
                        "until all are Configured, growth",
                        "ratio",
                        growth(few, many, one -> seconds(one.configured())),
                        Bound.atMost(1.5, 1)),
                informing(
                        "making the resources, of the time until all are Configured",
                        "ratio",
                        seconds(many.creating()) / seconds(many.configured())),
                informing("until all are Configured", "s", seconds(many.configured())),
                wanted(
                        "writes at rest, in a minute",
                        "",
                        (double) few.rest().writes() + many.rest().writes(),
                        Bound.atMost(0, 0)),
                informing("reads at rest, in a minute", "", (double) many.rest().reads()),
                informing(
                        "processor time at rest, of a minute",
                        "ratio",
                        share(many.rest().cpu())),
                wanted(
                        "processor time at rest, growth",
                        "ratio",
                        growth(few, many, one -> seconds(one.rest().cpu())),
                        Bound.atMost(1.5, 1)),
                wanted(
                        "writes while all move, for each resource and poll period",
                        "ratio",
                        many.moving().writes() / (many.resources() * polls),
                        Bound.atMost(1.2, 1)),
                informing(
                        "processor time while all move, of a minute",
                        "ratio",
                        share(many.moving().cpu())),
                wanted(
                        "from a row to the status, 99 of 100",
                        "poll periods",
                        seconds(many.rowToStatus()) / seconds(ScaleRun.POLL_PERIOD),
                        Bound.atMost(2, 1.2)),
                wanted(
                        "from an edit to the Deployment, 99 of 100, growth of the wait",
                        "ratio",
                        seconds(many.editToDeployment()) / seconds(few.editToDeployment()),
                        Bound.atMost((double) many.resources() / few.resources(), 2)),
                informing("from an edit to the Deployment, 99 of 100", "s", seconds(many.editToDeployment())),
                wanted(
                        "resident memory at its peak",
                        "MiB",
                        many.residentMib(),
                        Bound.atMost(HEAP_MIB + BESIDE_HEAP_MIB, HEAP_MIB + BESIDE_HEAP_MIB)),
                informing("the same with few resources", "MiB", few.residentMib()));
    }

    private static Measure wanted(String what, String unit, double value, Bound bound) {
        return new Measure(what, unit, List.of(value), bound);
    }

    private static Measure informing(String what, String unit, double value) {
        return Measure.of(what, unit, List.of(value));
    }

    private static double growth(Figures few, Figures many, ToDoubleFunction<Figures> figure) {
        return figure.applyAsDouble(many) / many.resources() / (figure.applyAsDouble(few) / few.resources());
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1_000.0;
    }

    private static double share(Duration cpu) {
        return seconds(cpu) / seconds(ScaleRun.WATCHED);
    }
}
