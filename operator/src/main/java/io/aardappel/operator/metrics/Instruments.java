package io.aardappel.operator.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** The counters and histograms, registered. */
record Instruments(
        Counter reconciliations,
        Counter retries,
        Counter events,
        Counter pollFailures,
        Counter apiRequests,
        Histogram reconcileDuration,
        Histogram pollDuration,
        Histogram apiDuration) {
    private static final double[] BUCKETS = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};

    static Instruments in(PrometheusRegistry families) {
        return new Instruments(
                counter(Metric.RECONCILIATIONS, families),
                counter(Metric.RETRIES, families),
                counter(Metric.EVENTS, families),
                counter(Metric.POLL_FAILURES, families),
                counter(Metric.API_REQUESTS, families),
                histogram(Metric.RECONCILE_DURATION, families),
                histogram(Metric.POLL_DURATION, families),
                histogram(Metric.API_DURATION, families));
    }

    private static Counter counter(Metric metric, PrometheusRegistry families) {
        Counter made = Counter.builder()
                .name(metric.family())
                .help(metric.help())
                .labelNames(metric.labelNames())
                .build();
        families.register(made);
        return made;
    }

    private static Histogram histogram(Metric metric, PrometheusRegistry families) {
        Histogram made = Histogram.builder()
                .name(metric.family())
                .help(metric.help())
                .labelNames(metric.labelNames())
                .classicOnly()
                .classicUpperBounds(BUCKETS)
                .build();
        families.register(made);
        return made;
    }
}
