package io.aardappel.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.aardappel.crds.api.Replication;
import io.aardappel.replicator.config.Authentication;
import io.aardappel.replicator.config.ConfigReader;
import io.aardappel.replicator.config.LogLevel;
import io.aardappel.replicator.config.ProblemHandling;
import io.aardappel.replicator.config.Reading;
import io.aardappel.replicator.config.ReplicatorConfig;
import io.aardappel.replicator.config.StreamConfig;
import io.aardappel.replicator.config.Tuning;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The configuration that is rendered for the pods")
class ConfigTextTest {
    private static final long HEAP = 4L << 30;

    private static DesiredConfigMap configMap(Replication replication) {
        return DesiredConfigMap.of(replication, replication.getSpec().streams());
    }

    private static ReplicatorConfig readByTheReplicator(Replication replication) {
        Reading reading = ConfigReader.read(
                ConfigText.of(replication, replication.getSpec().streams()).get(ConfigText.FILE), false, HEAP);
        return assertThat(reading)
                .asInstanceOf(type(Reading.Accepted.class))
                .actual()
                .config();
    }

    @Nested
    @DisplayName("of a minimal resource")
    class Minimal {
        private final Replication replication = Resources.of(Resources.MINIMAL);
        private final ReplicatorConfig config = readByTheReplicator(replication);

        @Test
        void isWhatAPersonWouldWrite() {
            assertThat(ConfigText.of(replication, replication.getSpec().streams()))
                    .containsOnlyKeys(ConfigText.FILE);
            assertThat(ConfigText.of(replication, replication.getSpec().streams())
                            .get(ConfigText.FILE))
                    .isEqualTo("""
                    src_connection_string: "grpc://source.example:2136/Root/shop"
                    dst_connection_string: "grpcs://copy.example:2135/Root/copy"
                    state_table: "repl_state"
                    instance_id: "copies/shop"
                    multiple_instances_mode: true
                    max_expected_heartbeat_interval: 10
                    log_level: "info"
                    streams:
                    - src_topic: "goods/feed"
                      consumer: "copy"
                      dst_table: "goods"
                    mon_server:
                      listen: ":8080"
                    """);
        }

        @Test
        void isTakenByTheReplicator() {
            assertThat(config.source().endpoint()).hasToString("grpc://source.example:2136/Root/shop");
            assertThat(config.destination().endpoint()).hasToString("grpcs://copy.example:2135/Root/copy");
            assertThat(config.source().authentication()).isEqualTo(new Authentication.Anonymous());
            assertThat(config.stateTablePath()).isEqualTo("/Root/copy/repl_state");
            assertThat(config.streams()).hasSize(1);
        }

        @Test
        void waitsForTheLockAsAStandby() {
            assertThat(config.waitForLock()).isTrue();
        }
    }

    @Nested
    @DisplayName("of a resource with everything")
    class Full {
        private final Replication replication = Resources.of(Resources.FULL);
        private final ReplicatorConfig config = readByTheReplicator(replication);

        @Test
        void hasBothDatabases() {
            assertThat(config.source().balancer()).isTrue();
            assertThat(config.destination().balancer()).isFalse();
            assertThat(config.destination().endpoint()).hasToString("grpcs://copy.example:2135/Root/copy");
            assertThat(config.source().tlsCa()).contains(Path.of("/var/run/aardappel/authorities/source/ca.pem"));
        }

        @Test
        void namesTheFilesOfCredentials() {
            assertThat(config.source().authentication())
                    .isEqualTo(new Authentication.TokenExchange(
                            Path.of("/etc/aardappel/source-exchange.json"), Optional.empty()));
            assertThat(config.destination().authentication())
                    .isEqualTo(new Authentication.TokenFile(
                            Path.of("/var/run/aardappel/credentials/destination/credential")));
        }

        @Test
        void exchangesTheProjectedToken() {
            assertThat(ConfigText.of(replication, replication.getSpec().streams())
                            .get("source-exchange.json"))
                    .isEqualTo("{\"oauth2_token_exchange\":{\"exchanger\":{\"endpoint\":\"https://sts.example/token\"},"
                            + "\"payload\":{\"audience\":[\"one\",\"two\"],\"scope\":[\"read\"],"
                            + "\"subject_token\":{\"file\":\"/var/run/aardappel/credentials/source/credential\","
                            + "\"type\":\"file\"},\"subject_token_type\":\"urn:ietf:params:oauth:token-type:jwt\"}},"
                            + "\"type\":\"oauth2_token_exchange\"}");
        }

        @Test
        void hasTheStreams() {
            assertThat(config.streams())
                    .extracting(
                            StreamConfig::sourceTopic,
                            StreamConfig::consumer,
                            StreamConfig::destinationTablePath,
                            StreamConfig::continues,
                            StreamConfig::monitoringTag)
                    .containsExactly(
                            tuple("goods/feed", "copy", "/Root/copy/goods", true, "g"),
                            tuple("orders/feed", "copy", "/Root/copy/orders", false, "orders/feed"));
        }

        @Test
        void hasInstanceAndTimesAndSizes() {
            assertThat(config.instanceId()).isEqualTo("shop-west");
            assertThat(config.stateTablePath()).isEqualTo("/Root/copy/repl/state");
            assertThat(config.heartbeat()).isEqualTo(Duration.ofSeconds(90));
            assertThat(config.logLevel()).isEqualTo(LogLevel.DEBUG);
            assertThat(config.tuning().get(Tuning.MEMORY)).isEqualTo(256L << 20);
            assertThat(config.tuning().get(Tuning.TRANSACTION_ROWS)).isEqualTo(5_000);
            assertThat(config.tuning().get(Tuning.TRANSACTION_BYTES)).isEqualTo(4L << 20);
        }

        @Test
        void hasThePlacesOfProblems() {
            assertThat(config.problems())
                    .isEqualTo(new ProblemHandling(
                            Optional.of(new ProblemHandling.CommandQueue("/Root/copy/repl/commands", "copy")),
                            Optional.of("/Root/copy/repl/letters"),
                            ProblemHandling.DeadLetterFormat.JSON));
            assertThat(config.keyFilterPath()).contains("/Root/copy/repl/blocked");
        }

        @Test
        void isTheSameEveryTime() {
            assertThat(configMap(replication).hash())
                    .as("a hash that changed by itself would restart every pod")
                    .isEqualTo(configMap(Resources.of(Resources.FULL)).hash());
        }
    }

    @Test
    void mayHoldNamesThatYamlWouldTakeForSomethingElse() {
        Replication odd = Resources.minimalWith("""
                instanceId: "yes"
                """);
        assertThat(readByTheReplicator(odd).instanceId()).isEqualTo("yes");
    }

    @Test
    void mayBeTooLarge() {
        StringBuilder streams = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            streams.append("- {sourceTopic: ")
                    .append("t".repeat(900))
                    .append(i)
                    .append("/feed, consumer: c, destinationTable: x}\n");
        }
        Replication small = Resources.of(Resources.MINIMAL);
        Replication large = Resources.of(Resources.MINIMAL + streams.toString().indent(2));
        assertThat(configMap(small).isTooLarge()).isFalse();
        assertThat(configMap(large).isTooLarge()).isTrue();
        assertThat(List.of(configMap(large).bytes())).allMatch(bytes -> bytes > 1_800_000);
    }
}
