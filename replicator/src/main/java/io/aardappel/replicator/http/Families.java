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

    void gauge(String name, String help, long value) {
        gauge(name, help, (double) value);
    }

    void gauge(String name, String help, double value) {
        gauges(name, help, List.of(), Map.of(List.of(), value));
    }

    /** One series for each entry; the keys are label values in the order of the names. No family without series. */
    void gauges(String name, String help, List<String> labels, Map<List<String>, Double> values) {
        if (values.isEmpty()) {
            return;
        }
        GaugeSnapshot.Builder family = GaugeSnapshot.builder().name(name).help(help);
        values.forEach((key, value) -> family.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(Labels.of(labels, key))
                .value(value)
                .build()));
        families.add(family.build());
    }

    /** The name is exposed with {@code _total} added, as the Prometheus client does. */
    void counter(String name, String help, long value) {
        families.add(CounterSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(
                        CounterDataPointSnapshot.builder().value((double) value).build())
                .build());
    }

    void counters(String name, String help, String label, Map<String, Long> values) {
        if (values.isEmpty()) {
            return;
        }
        CounterSnapshot.Builder family = CounterSnapshot.builder().name(name).help(help);
        new TreeMap<>(values)
                .forEach((key, value) -> family.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(Labels.of(label, key))
                        .value(value)
                        .build()));
        families.add(family.build());
    }

    MetricSnapshots build() {
        return new MetricSnapshots(families);
    }
}
