package io.aardappel.replicator.http;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Builds the metric families of one scrape. Not thread-safe. */
final class Families {
    private final List<MetricSnapshot> families = new ArrayList<>();

    void gauge(Metric metric, long value) {
        gauge(metric, (double) value);
    }

    void gauge(Metric metric, double value) {
        gauges(metric, Map.of(List.of(), value));
    }

    /** One series for each entry; the keys are label values in the order of the metric's labels. No family without series. */
    void gauges(Metric metric, Map<List<String>, Double> values) {
        if (values.isEmpty()) {
            return;
        }
        GaugeSnapshot.Builder family =
                GaugeSnapshot.builder().name(metric.family()).help(metric.help());
        values.forEach((key, value) -> family.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(Labels.of(metric.labels(), key))
                .value(value)
                .build()));
        families.add(family.build());
    }

    void counter(Metric metric, long value) {
        families.add(CounterSnapshot.builder()
                .name(metric.family())
                .help(metric.help())
                .dataPoint(
                        CounterDataPointSnapshot.builder().value((double) value).build())
                .build());
    }

    /** One series for each value of the one label. No family without series. */
    void counters(Metric metric, Map<String, Long> values) {
        if (values.isEmpty()) {
            return;
        }
        CounterSnapshot.Builder family =
                CounterSnapshot.builder().name(metric.family()).help(metric.help());
        new TreeMap<>(values)
                .forEach((key, value) -> family.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(Labels.of(metric.labels(), List.of(key)))
                        .value(value)
                        .build()));
        families.add(family.build());
    }

    MetricSnapshots build() {
        return new MetricSnapshots(families);
    }
}
