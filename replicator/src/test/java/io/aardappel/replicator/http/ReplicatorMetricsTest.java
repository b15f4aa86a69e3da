package io.aardappel.replicator.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.engine.EngineStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The metrics of a process that replicates")
class ReplicatorMetricsTest {
    private final ReplicatorMetrics metrics = metricsOf(Snapshots.active());

    ReplicatorMetricsTest() {
        metrics.committed(Snapshots.batch(9, 1_234, 11), 30_000_000, 2_000_000_000L);
        metrics.applied(0, 5);
        metrics.applied(1, 6);
        metrics.schemaChanged(0);
    }

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void haveTheGoProgramsNamesAndTypes() {
        assertThat(families(metrics.scrape()))
                .containsEntry("modifications_count", "counter")
                .containsEntry("modifications_count_per_table", "counter")
                .containsEntry("commit_latency", "histogram")
                .containsEntry("quorum_waiting_latency", "histogram")
                .containsEntry("request_size_bytes", "counter")
                .containsEntry("replication_lag_estimation", "gauge")
                .containsEntry("topic_without_hb", "gauge")
                .containsEntry("go_heap_allocated", "gauge");
    }

    /** Of those that are not the Java runtime's own. */
    private Stream<String> ours(String start) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith(start) && !line.matches("# \\w+ (jvm|process|system)_.*"));
    }

    @Test
    @DisplayName("are those that are declared, with their types, and no others")
    void areThoseThatAreDeclared() {
        assertThat(ours("# TYPE "))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Metric.values())
                        .map(metric -> "# TYPE " + metric.exposed() + " "
                                + metric.type().name().toLowerCase(Locale.ROOT))
                        .toList());
    }

    @Test
    void sayWhatIsDeclaredOfThem() {
        assertThat(ours("# HELP "))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Metric.values())
                        .map(metric -> "# HELP " + metric.exposed() + " " + metric.help())
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void haveTheLabelsThatAreDeclared(Metric metric) {
        Pattern sample = Pattern.compile(metric.exposed() + "(?:_bucket|_count|_sum)?(?:\\{(.*)})? \\S+");
        List<Matcher> samples = metrics.scrape()
                .lines()
                .map(sample::matcher)
                .filter(Matcher::matches)
                .toList();

        assertThat(samples)
                .isNotEmpty()
                .allSatisfy(found ->
                        assertThat(labels(found.group(1))).containsExactlyInAnyOrderElementsOf(metric.labels()));
    }

    /** Names in what stands between the braces of a sample, but for that of a bucket's bound. */
    private static List<String> labels(@Nullable String text) {
        return text == null
                ? List.of()
                : Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\"")
                        .matcher(text)
                        .results()
                        .map(label -> label.group(1))
                        .filter(name -> !name.equals("le"))
                        .toList();
    }

    @Test
    void haveTheGoProgramsBuckets() {
        assertThat(metrics.scrape()
                        .lines()
                        .filter(line -> line.startsWith("commit_latency_bucket"))
                        .map(line -> line.replaceAll(".*le=\"([^\"]*)\".*", "$1"))
                        .toList())
                .isEqualTo(List.of(
                        "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0", "+Inf"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "modifications_count 11",
                "modifications_count_per_table{stream_tag=\"goods\"} 5",
                "modifications_count_per_table{stream_tag=\"orders \\\"new\\\"\"} 6",
                "request_size_bytes 1234",
                "commit_latency_bucket{le=\"0.05\"} 1",
                "commit_latency_bucket{le=\"0.025\"} 0",
                "commit_latency_count 1",
                "quorum_waiting_latency_sum 2.0",
                "replication_lag_estimation 2.5",
                "topic_without_hb{stream_tag=\"goods\"} 0.0",
                "topic_without_hb{stream_tag=\"orders \\\"new\\\"\"} 1.0",
                "aardappel_replicator_blocking_seconds{partition=\"1\",reason=\"barrier_stale\",stream=\"orders/feed\"} 7.0",
                "aardappel_replicator_partition_heartbeat_age_seconds{partition=\"0\",stream_tag=\"goods\"} 0.5",
                "aardappel_replicator_retries_total{cause=\"ABORTED\"} 2.0",
                "aardappel_replicator_stream_partitions{stream_tag=\"orders \\\"new\\\"\"} 2.0",
                "aardappel_replicator_stream_partitions_with_heartbeat{stream_tag=\"goods\"} 1.0",
                "aardappel_replicator_schema_changes_total{stream_tag=\"goods\"} 1.0",
                "aardappel_replicator_stream_history_left_seconds{stream_tag=\"goods\"} 7200.5",
                "aardappel_replicator_stream_retention_seconds{stream_tag=\"goods\"} 86400.0",
                "aardappel_replicator_mode{mode=\"active\"} 1.0",
                "aardappel_replicator_mode{mode=\"standby\"} 0.0",
                "aardappel_replicator_stream_uncommitted_messages{stream_tag=\"goods\"} 10.0",
                "aardappel_replicator_transaction_rows_sum 9.0",
                "aardappel_replicator_turn_age_seconds 0.003",
            })
    void sayWhatTheEngineSays(String line) {
        assertThat(metrics.scrape().lines()).contains(line);
    }

    @Test
    @DisplayName("have no series without a tag, though there are more partitions than streams")
    void haveNoSeriesWithoutATagB32() {
        assertThat(metrics.scrape()).doesNotContain("stream_tag=\"\"");
    }

    @Test
    void haveNoLagDuringAScanB24() {
        try (ReplicatorMetrics scanning = metricsOf(Snapshots.status(EngineStatus.Mode.ACTIVE, Stage.INITIAL_SCAN))) {
            assertThat(families(scanning.scrape())).doesNotContainKey("replication_lag_estimation");
        }
    }

    @Test
    void haveNoLagOnAStandby() {
        try (ReplicatorMetrics standby = metricsOf(Snapshots.status(EngineStatus.Mode.STANDBY, Stage.RUN))) {
            assertThat(families(standby.scrape())).doesNotContainKey("replication_lag_estimation");
        }
    }

    private static ReplicatorMetrics metricsOf(EngineStatus status) {
        return new ReplicatorMetrics(
                Snapshots.LABELS, Duration.ofSeconds(3), Snapshots.TICKER, Snapshots.source(status));
    }

    /** Type by name. */
    private static TreeMap<String, String> families(String scraped) {
        return scraped.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ", -1))
                .collect(Collectors.toMap(words -> words[2], words -> words[3], (a, b) -> a + "," + b, TreeMap::new));
    }
}
