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
    /** Series of the partition families at most: those that are worst. */
    static final int PARTITION_SERIES_MAX = 100;

    private static final String OWN = "aardappel_replicator_";
    private static final List<String> BY_STREAM = List.of("stream_tag");
    private static final List<String> BY_PARTITION = List.of("stream_tag", "partition");

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
        families.gauge(
                OWN + "turn_age_seconds",
                "Time since the engine's loop last turned.",
                source.sinceTurnMillis() / 1_000.0);
        return families.build();
    }

    private static void progress(Families families, EngineStatus status, long now) {
        if (status.mode() == Mode.ACTIVE && status.stage().equals(Optional.of(Stage.RUN))) {
            status.checkpoint().ifPresent(checkpoint -> {
                families.gauge(
                        "replication_lag_estimation",
                        "Seconds from the checkpoint to now, by this machine's clock.",
                        lagSeconds(checkpoint, now));
                families.gauge(
                        OWN + "checkpoint_step",
                        "Step of the checkpoint: milliseconds of the source's time.",
                        unsigned(checkpoint.step()));
            });
        }
        Map<List<String>, Double> modes = new HashMap<>();
        for (Mode mode : Mode.values()) {
            modes.put(List.of(lower(mode)), mode == status.mode() ? 1.0 : 0.0);
        }
        families.gauges(OWN + "mode", "1 for what the process is doing.", List.of("mode"), modes);
        families.gauge(
                OWN + "initial_scan",
                "1 while the destination is in its initial scan.",
                status.stage().equals(Optional.of(Stage.INITIAL_SCAN)) ? 1 : 0);
        families.gauge(
                OWN + "lock_held",
                "1 while this process holds the lock.",
                status.lock().held() ? 1 : 0);
        families.gauge(
                OWN + "aligned",
                "1 while each checkpoint makes the tables a snapshot of the source.",
                status.aligned() ? 1 : 0);
        families.gauge(
                OWN + "progress_age_seconds",
                "Time since the last transaction was committed.",
                secondsSince(status.lastProgressAt(), now));
    }

    private static void memory(Families families, EngineStatus status) {
        families.gauge(OWN + "buffered_bytes", "Bytes of changes read and not yet committed.", status.bufferedBytes());
        families.gauge(OWN + "buffered_changes", "Changes read and not yet committed.", status.bufferedChanges());
        families.gauge(OWN + "memory_budget_bytes", "What buffered_bytes may grow to.", status.memoryBytes());
    }

    private static void totals(Families families, EngineStatus.Totals totals) {
        families.counter(OWN + "records", "Topic records read, of every kind.", totals.records());
        families.counter(OWN + "rows", "Rows written, after folding changes of one key.", totals.rows());
        families.counter(OWN + "transactions", "Data transactions committed.", totals.transactions());
        families.counters(OWN + "retries", "Data transactions tried again, by cause.", "cause", totals.retries());
        families.counter(
                OWN + "dropped_as_applied",
                "Changes below the checkpoint, read again after a takeover and left out.",
                totals.droppedAsApplied());
        families.counter(
                OWN + "duplicates", "Records delivered again by the source and left out.", totals.duplicates());
        families.counter(OWN + "ignored_barriers", "Heartbeats that repeated or went back.", totals.ignoredBarriers());
        families.counter(OWN + "late", "Changes below a heartbeat of their partition.", totals.late());
        families.counter(OWN + "unfit", "Records that fit no row of the destination table.", totals.unfit());
        families.counter(OWN + "filtered", "Records about rows that are left out by their keys.", totals.filtered());
        families.counter(
                OWN + "applied_by_decision",
                "Late records that were written because it was decided so.",
                totals.appliedByDecision());
        families.counter(
                OWN + "skipped_by_decision",
                "Late and unfit records that were left out because it was decided so.",
                totals.skippedByDecision());
        families.counter(OWN + "lock_terms", "Times that this process took the lock.", totals.terms());
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
        families.gauges(
                "topic_without_hb",
                "1 while a partition of the stream has had no heartbeat for the expected interval.",
                BY_STREAM,
                silent);
        families.gauges(
                OWN + "stream_heartbeat_age_seconds",
                "Time since the last heartbeat of the stream's most silent partition.",
                BY_STREAM,
                oldest);
        families.gauges(OWN + "stream_partitions", "Partitions that the checkpoint waits for.", BY_STREAM, partitions);
        families.gauges(
                OWN + "stream_partitions_with_heartbeat",
                "Those of them that have had a heartbeat; an initial scan waits for the first of each.",
                BY_STREAM,
                spoke);
        families.gauges(
                OWN + "stream_uncommitted_messages",
                "Messages from the committed offsets to the ends of the stream's partitions.",
                BY_STREAM,
                unread);
        families.gauges(
                OWN + "stream_history_left_seconds",
                "Time until the topic may forget the oldest message that is not committed.",
                BY_STREAM,
                left);
        families.gauges(
                OWN + "stream_retention_seconds", "How long the topic keeps a message.", BY_STREAM, retention);
        families.gauges(
                OWN + "partition_heartbeat_age_seconds",
                "Time since the partition's last heartbeat; the " + PARTITION_SERIES_MAX + " most silent partitions.",
                BY_PARTITION,
                mostSilent(series));
    }

    private static Map<List<String>, Double> mostSilent(List<Series> series) {
        Map<List<String>, Double> values = new HashMap<>();
        series.stream()
                .sorted(Comparator.comparingDouble(Series::age).reversed())
                .limit(PARTITION_SERIES_MAX)
                .forEach(one -> values.merge(List.of(one.tag, Long.toString(one.partition)), one.age, Math::max));
        return values;
    }

    /** One partition's age in seconds. */
    private record Series(String tag, long partition, double age) {}

    private static void blocking(Families families, EngineStatus status, long now) {
        status.blocking()
                .ifPresent(blocking -> families.gauges(
                        OWN + "blocking_seconds",
                        "How long progress has waited for this; absent while there is progress.",
                        List.of("reason", "stream", "partition"),
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
