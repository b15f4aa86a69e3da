package io.aardappel.operator.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.crds.api.Replication;
import io.aardappel.operator.metrics.OperatorMetrics.Target;
import io.aardappel.operator.metrics.ReplicationGauges.Standing;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The operator's metrics")
class OperatorMetricsTest {
    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");

    private final OperatorMetrics metrics = new OperatorMetrics("1.2.3", () -> NOW);

    @AfterEach
    void close() {
        metrics.close();
    }

    private static Standing running() {
        return new Standing(true, false, "Running", Optional.of("RUN"), Optional.of(NOW.minusMillis(2_500)));
    }

    private String[] linesAbout(String name) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("aardappel_operator_" + name))
                .toArray(String[]::new);
    }

    @Test
    void tellHowEachResourceIs() {
        metrics.replications().put("copies", "shop", running());
        metrics.replications()
                .put("copies", "old", new Standing(false, true, "Fatal", Optional.empty(), Optional.empty()));
        assertThat(linesAbout("replication_"))
                .containsExactlyInAnyOrder(
                        "aardappel_operator_replication_ready{name=\"shop\",namespace=\"copies\"} 1.0",
                        "aardappel_operator_replication_ready{name=\"old\",namespace=\"copies\"} 0.0",
                        "aardappel_operator_replication_stalled{name=\"shop\",namespace=\"copies\"} 0.0",
                        "aardappel_operator_replication_stalled{name=\"old\",namespace=\"copies\"} 1.0",
                        "aardappel_operator_replication_state{name=\"shop\",namespace=\"copies\",state=\"Running\"} 1.0",
                        "aardappel_operator_replication_state{name=\"old\",namespace=\"copies\",state=\"Fatal\"} 1.0",
                        "aardappel_operator_replication_stage{name=\"shop\",namespace=\"copies\",stage=\"RUN\"} 1.0",
                        "aardappel_operator_replication_lag_seconds{name=\"shop\",namespace=\"copies\"} 2.5");
    }

    @Test
    void forgetAResourceThatIsGone() {
        metrics.replications().put("copies", "shop", running());
        metrics.replications().remove("copies", "shop");
        assertThat(linesAbout("replication_")).isEmpty();
    }

    @Test
    void tellWhoActsAndWhatWasBuilt() {
        assertThat(linesAbout("leader")).containsExactly("aardappel_operator_leader 0.0");
        metrics.leads(true);
        assertThat(linesAbout("leader")).containsExactly("aardappel_operator_leader 1.0");
        assertThat(linesAbout("build_info")).singleElement().asString().contains("version=\"1.2.3\"");
    }

    @Test
    void countPollsAndTheirFailures() {
        metrics.polled(Target.DATABASE, Duration.ofMillis(30), true);
        metrics.polled(Target.PAGE, Duration.ofSeconds(3), false);
        assertThat(linesAbout("poll_failures_total"))
                .containsExactly("aardappel_operator_poll_failures_total{target=\"page\"} 1.0");
        assertThat(linesAbout("poll_duration_seconds_count"))
                .containsExactlyInAnyOrder(
                        "aardappel_operator_poll_duration_seconds_count{target=\"database\"} 1",
                        "aardappel_operator_poll_duration_seconds_count{target=\"page\"} 1");
    }

    @Test
    void areThoseOfTheTable() {
        metrics.replications().put("copies", "shop", running());
        metrics.reconciliations().finishedReconciliation(new Replication(), Map.of());
        String page = metrics.scrape();
        assertThat(page.lines().filter(line -> line.startsWith("# TYPE aardappel_")))
                .allMatch(line -> Arrays.stream(Metric.values())
                        .anyMatch(metric -> line.equals("# TYPE " + metric.exposed() + " "
                                + (metric == Metric.BUILD
                                        ? "gauge"
                                        : metric.type().name().toLowerCase(Locale.ROOT)))));
    }

    @Test
    void tellForHowLongThereIsNoGettingOn() {
        AtomicLong nanos = new AtomicLong();
        ReconcileMetrics passes = new ReconcileMetrics(Instruments.in(new PrometheusRegistry()), nanos::get);
        Replication shop = new Replication();
        shop.setMetadata(
                new ObjectMetaBuilder().withName("shop").withNamespace("copies").build());
        nanos.set(Duration.ofHours(1).toNanos());
        assertThat(passes.idleWhileWaiting()).isEqualTo(Duration.ZERO);
        passes.reconcileCustomResource(shop, null, Map.of());
        nanos.set(Duration.ofHours(1).plusSeconds(7).toNanos());
        assertThat(passes.idleWhileWaiting()).isEqualTo(Duration.ofSeconds(7));
        passes.reconciliationExecutionStarted(shop, Map.of());
        nanos.set(Duration.ofHours(1).plusSeconds(9).toNanos());
        assertThat(passes.idleWhileWaiting()).isEqualTo(Duration.ZERO);
        assertThat(passes.longest()).isEqualTo(Duration.ofSeconds(2));
        passes.reconciliationExecutionFinished(shop, Map.of());
        assertThat(passes.longest()).isEqualTo(Duration.ZERO);
    }
}
