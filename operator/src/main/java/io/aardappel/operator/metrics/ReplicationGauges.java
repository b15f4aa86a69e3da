package io.aardappel.operator.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/** What each resource's status tells, as gauges. A resource that is gone has none. Thread-safe. */
public final class ReplicationGauges implements MultiCollector {
    /**
     * How a resource is.
     *
     * @param state the word of its status
     * @param stage of its row; empty when there is none
     * @param checkpoint its time; empty when there is none, or it does not tell the lag
     */
    public record Standing(
            boolean ready, boolean stalled, String state, Optional<String> stage, Optional<Instant> checkpoint) {}

    private final InstantSource clock;
    /** By namespace and name. */
    private final Map<String, Entry> entries = new ConcurrentSkipListMap<>();

    private record Entry(String namespace, String name, Standing standing) {
        List<String> labels(String... more) {
            List<String> all = new ArrayList<>(List.of(namespace, name));
            all.addAll(List.of(more));
            return all;
        }
    }

    /** Of no resource yet; lags are told by this clock. */
    public ReplicationGauges(InstantSource clock) {
        this.clock = clock;
    }

    /** A resource is like this now. */
    public void put(String namespace, String name, Standing standing) {
        entries.put(namespace + "/" + name, new Entry(namespace, name, standing));
    }

    /** A resource is gone. */
    public void remove(String namespace, String name) {
        entries.remove(namespace + "/" + name);
    }

    @Override
    public MetricSnapshots collect() {
        Instant now = clock.instant();
        List<MetricSnapshot> families = new ArrayList<>();
        add(
                families,
                Metric.READY,
                one -> point(one.labels(), Metric.READY, one.standing().ready() ? 1 : 0));
        add(
                families,
                Metric.STALLED,
                one -> point(one.labels(), Metric.STALLED, one.standing().stalled() ? 1 : 0));
        add(families, Metric.STATE, one -> point(one.labels(one.standing().state()), Metric.STATE, 1));
        add(
                families,
                Metric.STAGE,
                one -> one.standing().stage().flatMap(stage -> point(one.labels(stage), Metric.STAGE, 1)));
        add(
                families,
                Metric.LAG,
                one -> one.standing()
                        .checkpoint()
                        .flatMap(at -> point(one.labels(), Metric.LAG, seconds(Duration.between(at, now)))));
        return new MetricSnapshots(families);
    }

    private static double seconds(Duration lag) {
        return Math.max(0, lag.toMillis()) / 1_000.0;
    }

    private static Optional<GaugeDataPointSnapshot> point(List<String> labels, Metric metric, double value) {
        return Optional.of(GaugeDataPointSnapshot.builder()
                .labels(Labels.of(metric.labels(), labels))
                .value(value)
                .build());
    }

    /** No family without a series. */
    private void add(
            List<MetricSnapshot> families, Metric metric, Function<Entry, Optional<GaugeDataPointSnapshot>> point) {
        List<GaugeDataPointSnapshot> points =
                entries.values().stream().map(point).flatMap(Optional::stream).toList();
        if (!points.isEmpty()) {
            GaugeSnapshot.Builder family =
                    GaugeSnapshot.builder().name(metric.family()).help(metric.help());
            points.forEach(family::dataPoint);
            families.add(family.build());
        }
    }
}
