package io.aardappel.operator.metrics;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What the operator SDK tells of its passes, counted, and whether they get on. Thread-safe. */
public final class ReconcileMetrics implements Metrics {
    private final Instruments instruments;
    private final LongSupplier nanos;
    private final AtomicLong submitted = new AtomicLong();
    private final AtomicLong started = new AtomicLong();
    /** When a pass last began or ended, or the first one began to wait. */
    private final AtomicLong moved = new AtomicLong();
    /** When each pass began that is under way. */
    private final Map<ResourceID, Long> active = new ConcurrentHashMap<>();

    ReconcileMetrics(Instruments instruments, LongSupplier nanos) {
        this.instruments = instruments;
        this.nanos = nanos;
        moved.set(nanos.getAsLong());
    }

    @Override
    public void receivedEvent(Event event, Map<String, Object> metadata) {
        instruments.events().inc();
    }

    @Override
    public void reconcileCustomResource(HasMetadata resource, @Nullable RetryInfo retry, Map<String, Object> metadata) {
        if (waiting() == 0) {
            moved.set(nanos.getAsLong());
        }
        submitted.incrementAndGet();
        if (retry != null && retry.getAttemptCount() > 0) {
            instruments.retries().inc();
        }
    }

    @Override
    public void reconciliationExecutionStarted(HasMetadata resource, Map<String, Object> metadata) {
        long now = nanos.getAsLong();
        started.incrementAndGet();
        moved.set(now);
        active.put(ResourceID.fromResource(resource), now);
    }

    @Override
    public void reconciliationExecutionFinished(HasMetadata resource, Map<String, Object> metadata) {
        long now = nanos.getAsLong();
        moved.set(now);
        Long began = active.remove(ResourceID.fromResource(resource));
        if (began != null) {
            instruments.reconcileDuration().observe((now - began) / 1e9);
        }
    }

    @Override
    public void finishedReconciliation(HasMetadata resource, Map<String, Object> metadata) {
        instruments.reconciliations().labelValues("success").inc();
    }

    @Override
    public void failedReconciliation(HasMetadata resource, Exception failure, Map<String, Object> metadata) {
        instruments.reconciliations().labelValues("failure").inc();
    }

    /** Resources that wait for a thread. */
    public long waiting() {
        return Math.max(0, submitted.get() - started.get());
    }

    /** Passes that are under way. */
    public long active() {
        return active.size();
    }

    /** For how long the slowest pass has been under way; zero when none is. */
    public Duration longest() {
        long now = nanos.getAsLong();
        return Duration.ofNanos(
                active.values().stream().mapToLong(began -> now - began).max().orElse(0));
    }

    /** For how long resources have been waiting while no pass began or ended; zero when none waits. */
    public Duration idleWhileWaiting() {
        return waiting() == 0 ? Duration.ZERO : Duration.ofNanos(nanos.getAsLong() - moved.get());
    }
}
