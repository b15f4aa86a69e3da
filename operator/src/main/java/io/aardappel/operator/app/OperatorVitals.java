package io.aardappel.operator.app;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.health.Vitals;
import io.aardappel.operator.metrics.ReconcileMetrics;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.health.ControllerHealthInfo;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The moving parts, once there are some. Thread-safe. */
final class OperatorVitals implements Vitals {
    private final ReconcileMetrics reconciliations;
    private volatile @Nullable RegisteredController<Replication> controller;
    private volatile Supplier<Duration> overdue = () -> Duration.ZERO;
    private volatile boolean stopping;

    OperatorVitals(ReconcileMetrics reconciliations) {
        this.reconciliations = reconciliations;
    }

    /** Everything has been started. */
    void show(RegisteredController<Replication> started, Supplier<Duration> pollOverdue) {
        overdue = pollOverdue;
        controller = started;
    }

    void stops() {
        stopping = true;
        controller = null;
        overdue = () -> Duration.ZERO;
    }

    @Override
    public boolean stopping() {
        return stopping;
    }

    @Override
    public boolean watching() {
        return controller != null;
    }

    @Override
    public List<String> unsynced() {
        return watches(watch -> !watch.hasSynced());
    }

    @Override
    public List<String> stopped() {
        return watches(watch -> !watch.isRunning());
    }

    /** By kind and namespace. */
    private List<String> watches(Predicate<InformerHealthIndicator> chosen) {
        RegisteredController<Replication> started = controller;
        if (started == null) {
            return List.of();
        }
        ControllerHealthInfo health = started.getControllerHealthInfo();
        return health.informerEventSourceHealthIndicators().keySet().stream()
                .flatMap(source -> indicators(health, source)
                        .filter(chosen)
                        .map(watch -> source + " of " + watch.getTargetNamespace()))
                .sorted()
                .toList();
    }

    private static Stream<InformerHealthIndicator> indicators(ControllerHealthInfo health, String source) {
        InformerWrappingEventSourceHealthIndicator<?> known =
                health.informerEventSourceHealthIndicators().get(source);
        return known == null ? Stream.empty() : known.informerHealthIndicators().values().stream();
    }

    @Override
    public Duration longestReconciliation() {
        return reconciliations.longest();
    }

    @Override
    public Duration idleWhileWaiting() {
        return reconciliations.idleWhileWaiting();
    }

    @Override
    public Duration pollOverdue() {
        return overdue.get();
    }
}
