package io.aardappel.replicator.http;

import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.engine.EngineStatus;
import io.aardappel.replicator.engine.EngineStatus.Mode;
import io.aardappel.replicator.engine.EngineStatus.PartitionStatus;
import io.aardappel.replicator.engine.EngineStatus.StreamStatus;
import io.aardappel.replicator.engine.Ticker;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Turns the engine's last snapshot into metric families at each scrape, so that all of them speak of one moment. */
final class EngineCollector implements MultiCollector {
    private final StreamLabels labels;
    private final Duration heartbeat;
    private final Ticker ticker;
    private final StatusSource source;

    EngineCollector(StreamLabels labels, Duration heartbeat, Ticker ticker, StatusSource source) {
        this.labels = labels;
        this.heartbeat = heartbeat;
        this.ticker = ticker;
        this.source = source;
    }

    @Override
    public MetricSnapshots collect() {
        Families families = new Families();
        Optional<EngineStatus> status = source.status();
        if (status.isPresent()) {
            long now = ticker.wallMillis();
            progress(families, status.get(), now);
            memory(families, status.get());
            totals(families, status.get().totals());
            streams(families, status.get(), now);
            blocking(families, status.get(), now);
        }
        families.gauge(Metric.TURN_AGE, source.sinceTurnMillis() / 1_000.0);
        return families.build();
    }

    private static void progress(Families families, EngineStatus status, long now) {
        if (status.mode() == Mode.ACTIVE && status.stage().equals(Optional.of(Stage.RUN))) {
            status.checkpoint().ifPresent(checkpoint -> {
                families.gauge(Metric.LAG, lagSeconds(checkpoint, now));
                families.gauge(Metric.CHECKPOINT_STEP, unsigned(checkpoint.step()));
            });
        }
        Map<List<String>, Double> modes = new HashMap<>();
        for (Mode mode : Mode.values()) {
            modes.put(List.of(lower(mode)), mode == status.mode() ? 1.0 : 0.0);
        }
        families.gauges(Metric.MODE, modes);
        families.gauge(Metric.INITIAL_SCAN, status.stage().equals(Optional.of(Stage.INITIAL_SCAN)) ? 1 : 0);
        families.gauge(Metric.LOCK_HELD, status.lock().held() ? 1 : 0);
        families.gauge(Metric.ALIGNED, status.aligned() ? 1 : 0);
        families.gauge(Metric.PROGRESS_AGE, secondsSince(status.lastProgressAt(), now));
    }

    private static void memory(Families families, EngineStatus status) {
        families.gauge(Metric.BUFFERED_BYTES, status.bufferedBytes());
        families.gauge(Metric.BUFFERED_CHANGES, status.bufferedChanges());
        families.gauge(Metric.MEMORY_BUDGET, status.memoryBytes());
    }

    private static void totals(Families families, EngineStatus.Totals totals) {
        families.counter(Metric.RECORDS, totals.records());
        families.counter(Metric.ROWS, totals.rows());
        families.counter(Metric.TRANSACTIONS, totals.transactions());
        families.counters(Metric.RETRIES, totals.retries());
        families.counter(Metric.DROPPED_AS_APPLIED, totals.droppedAsApplied());
        families.counter(Metric.DUPLICATES, totals.duplicates());
        families.counter(Metric.IGNORED_BARRIERS, totals.ignoredBarriers());
        families.counter(Metric.LATE, totals.late());
        families.counter(Metric.UNFIT, totals.unfit());
        families.counter(Metric.FILTERED, totals.filtered());
        families.counter(Metric.APPLIED_BY_DECISION, totals.appliedByDecision());
        families.counter(Metric.SKIPPED_BY_DECISION, totals.skippedByDecision());
        families.counter(Metric.LOCK_TERMS, totals.terms());
    }

    private void streams(Families families, EngineStatus status, long now) {
        Map<List<String>, Double> silent = new HashMap<>();
        Map<List<String>, Double> unread = new HashMap<>();
        Map<List<String>, Double> oldest = new HashMap<>();
        Map<List<String>, Double> partitions = new HashMap<>();
        Map<List<String>, Double> spoke = new HashMap<>();
        Map<List<String>, Double> left = new HashMap<>();
        Map<List<String>, Double> retention = new HashMap<>();
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < status.streams().size(); i++) {
            StreamStatus stream = status.streams().get(i);
            List<String> tag = List.of(labels.tag(i));
            partitions.merge(tag, (double) stream.parts(), Double::sum);
            spoke.merge(tag, (double) stream.partsThatSpoke(), Double::sum);
            stream.history().ifPresent(history -> {
                left.merge(tag, secondsLeft(history, now), Math::min);
                retention.merge(tag, history.retentionMillis() / 1_000.0, Math::min);
            });
            for (PartitionStatus partition : stream.partitions()) {
                unread.merge(
                        tag, (double) Math.max(0, partition.endOffset() - partition.committedOffset()), Double::sum);
                if (!partition.live()) {
                    continue; // no barrier is expected of it any more
                }
                double age = secondsSince(partition.barrierAt(), now);
                silent.merge(tag, age * 1_000 > heartbeat.toMillis() ? 1.0 : 0.0, Math::max);
                oldest.merge(tag, age, Math::max);
                series.add(new Series(labels.tag(i), partition.partition(), age));
            }
        }
        families.gauges(Metric.TOPIC_WITHOUT_HEARTBEAT, silent);
        families.gauges(Metric.STREAM_HEARTBEAT_AGE, oldest);
        families.gauges(Metric.STREAM_PARTITIONS, partitions);
        families.gauges(Metric.STREAM_PARTITIONS_WITH_HEARTBEAT, spoke);
        families.gauges(Metric.STREAM_UNCOMMITTED, unread);
        families.gauges(Metric.STREAM_HISTORY_LEFT, left);
        families.gauges(Metric.STREAM_RETENTION, retention);
        families.gauges(Metric.PARTITION_HEARTBEAT_AGE, mostSilent(series));
    }

    private static Map<List<String>, Double> mostSilent(List<Series> series) {
        Map<List<String>, Double> values = new HashMap<>();
        series.stream()
                .sorted(Comparator.comparingDouble(Series::age).reversed())
                .limit(Metric.PARTITION_SERIES_MAX)
                .forEach(one -> values.merge(List.of(one.tag, Long.toString(one.partition)), one.age, Math::max));
        return values;
    }

    /** One partition's age in seconds. */
    private record Series(String tag, long partition, double age) {}

    private static void blocking(Families families, EngineStatus status, long now) {
        status.blocking()
                .ifPresent(blocking -> families.gauges(
                        Metric.BLOCKING,
                        Map.of(
                                List.of(
                                        blocking.reason().word(),
                                        blocking.stream(),
                                        blocking.partition() < 0 ? "" : Long.toString(blocking.partition())),
                                secondsSince(blocking.since(), now))));
    }

    /** Seconds from a checkpoint to a wall clock, not below 0. */
    static double lagSeconds(Position checkpoint, long now) {
        return Math.max(0, now - unsigned(checkpoint.step())) / 1_000.0;
    }

    /** Seconds until history may be lost, not below 0. */
    static double secondsLeft(EngineStatus.History history, long now) {
        return Math.max(0, history.lostAt() - now) / 1_000.0;
    }

    static double secondsSince(long then, long now) {
        return Math.max(0, now - then) / 1_000.0;
    }

    static String lower(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    private static double unsigned(long value) {
        return value >= 0 ? value : value + 0x1p64;
    }
}
