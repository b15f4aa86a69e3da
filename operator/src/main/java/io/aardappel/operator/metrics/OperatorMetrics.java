package io.aardappel.operator.metrics;

import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.DoubleSupplier;

/** Everything that the operator measures, and the page that tells it. Thread-safe. */
public final class OperatorMetrics implements AutoCloseable {
    /** What {@link #scrape} returns. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** What is asked on a timer. */
    public enum Target {
        DATABASE("database"),
        PAGE("page");

        private final String word;

        Target(String word) {
            this.word = word;
        }
    }

    private final PrometheusMeterRegistry registry;
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final Instruments instruments;
    private final ReplicationGauges replications;
    private final ReconcileMetrics reconciliations;
    private volatile boolean leader;

    /**
     * Registers everything.
     *
     * @param version of this program
     */
    public OperatorMetrics(String version, InstantSource clock) {
        PrometheusRegistry families = new PrometheusRegistry();
        this.registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, families, Clock.SYSTEM);
        this.instruments = Instruments.in(families);
        this.replications = new ReplicationGauges(clock);
        this.reconciliations = new ReconcileMetrics(instruments, System::nanoTime);
        families.register(replications);
        gauge(families, Metric.LEADER, () -> leader ? 1 : 0);
        gauge(families, Metric.ACTIVE, reconciliations::active);
        gauge(families, Metric.WAITING, reconciliations::waiting);
        Info build = Info.builder()
                .name(Metric.BUILD.family())
                .help(Metric.BUILD.help())
                .labelNames(Metric.BUILD.labelNames())
                .build();
        build.setLabelValues(version, Runtime.version().toString());
        families.register(build);
        bindRuntime();
    }

    private static void gauge(PrometheusRegistry families, Metric metric, DoubleSupplier value) {
        families.register(GaugeWithCallback.builder()
                .name(metric.family())
                .help(metric.help())
                .callback(at -> at.call(value.getAsDouble()))
                .build());
    }

    private void bindRuntime() {
        new JvmMemoryMetrics().bindTo(registry);
        gc.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** Of each resource. */
    public ReplicationGauges replications() {
        return replications;
    }

    /** Of the reconciler; to be handed to the operator SDK. */
    public ReconcileMetrics reconciliations() {
        return reconciliations;
    }

    /** Of the API server; to be handed to the Kubernetes client. */
    public Interceptor apiRequests() {
        return new ApiRequests(instruments);
    }

    /** Somebody was asked on a timer. */
    public void polled(Target target, Duration took, boolean answered) {
        instruments.pollDuration().labelValues(target.word).observe(took.toNanos() / 1e9);
        if (!answered) {
            instruments.pollFailures().labelValues(target.word).inc();
        }
    }

    /** Whether this operator is the one that acts. */
    public void leads(boolean now) {
        leader = now;
    }

    /** Every family in the text format 0.0.4. */
    public String scrape() {
        return registry.scrape("text/plain; version=0.0.4");
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}
