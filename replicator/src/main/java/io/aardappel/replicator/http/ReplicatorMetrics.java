package io.aardappel.replicator.http;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.engine.EngineObserver;
import io.aardappel.replicator.engine.Ticker;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;

/**
 * The Go program's metrics under its names, and ours as {@code aardappel_replicator_*}. Observes on the engine's thread,
 * scrapes on any.
 */
public final class ReplicatorMetrics implements EngineObserver, AutoCloseable {
    /** What {@link #scrape} returns. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final double[] LATENCY_BUCKETS = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
    private static final double[] ROW_BUCKETS = {0, 1, 10, 100, 1_000, 5_000, 10_000, 20_000, 50_000, 100_000};
    private static final double[] BYTE_BUCKETS = {0, 1 << 10, 16 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20
    };

    private final StreamLabels labels;
    private final PrometheusMeterRegistry registry;
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final GoCounters goCounters = new GoCounters();
    private final Histogram commitLatency;
    private final Histogram quorumLatency;
    private final Histogram transactionRows;
    private final Histogram transactionBytes;
    private final Counter schemaChanges;

    /**
     * Registers everything.
     *
     * @param heartbeat H: a partition silent for longer raises {@code topic_without_hb}
     */
    public ReplicatorMetrics(StreamLabels labels, Duration heartbeat, Ticker ticker, StatusSource source) {
        this.labels = labels;
        PrometheusRegistry families = new PrometheusRegistry();
        this.registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, families, Clock.SYSTEM);
        this.commitLatency = histogram(Metric.COMMIT_LATENCY, LATENCY_BUCKETS);
        this.quorumLatency = histogram(Metric.QUORUM_WAITING_LATENCY, LATENCY_BUCKETS);
        this.transactionRows = histogram(Metric.TRANSACTION_ROWS, ROW_BUCKETS);
        this.transactionBytes = histogram(Metric.TRANSACTION_BYTES, BYTE_BUCKETS);
        families.register(commitLatency);
        families.register(quorumLatency);
        families.register(transactionRows);
        families.register(transactionBytes);
        this.schemaChanges = Counter.builder()
                .name(Metric.SCHEMA_CHANGES.family())
                .help(Metric.SCHEMA_CHANGES.help())
                .labelNames(Metric.SCHEMA_CHANGES.labels().toArray(String[]::new))
                .build();
        families.register(schemaChanges);
        families.register(heapGauge());
        families.register(new EngineCollector(labels, heartbeat, ticker, source));
        bindRuntime();
    }

    private static Histogram histogram(Metric metric, double[] buckets) {
        return Histogram.builder()
                .name(metric.family())
                .help(metric.help())
                .classicOnly()
                .classicUpperBounds(buckets)
                .build();
    }

    private static GaugeWithCallback heapGauge() {
        return GaugeWithCallback.builder()
                .name(Metric.HEAP.family())
                .help(Metric.HEAP.help())
                .callback(at -> at.call(Runtime.getRuntime().totalMemory()
                        - (double) Runtime.getRuntime().freeMemory()))
                .build();
    }

    private void bindRuntime() {
        new JvmMemoryMetrics().bindTo(registry);
        gc.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    @Override
    public void committed(Batch batch, long nanos, long waitedNanos) {
        commitLatency.observe(nanos / 1e9);
        quorumLatency.observe(waitedNanos / 1e9);
        transactionRows.observe(batch.rows());
        transactionBytes.observe((double) batch.bytes());
        goCounters.committed(batch.changes(), batch.bytes());
    }

    @Override
    public void applied(int stream, int changes) {
        goCounters.applied(labels.tag(stream), changes);
    }

    @Override
    public void schemaChanged(int stream) {
        schemaChanges.labelValues(labels.tag(stream)).inc();
    }

    /** Every family in the text format 0.0.4. */
    public String scrape() {
        return registry.scrape("text/plain; version=0.0.4") + goCounters.text();
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}
