package io.aardappel.operator.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The settings")
class SettingsReaderTest {
    private final Map<Setting, String> flags = new EnumMap<>(Setting.class);

    SettingsReaderTest() {
        flags.put(Setting.REPLICATOR_IMAGE, "registry.example/replicator:1");
    }

    private OperatorSettings accepted(Map<String, String> environment) {
        Reading reading = SettingsReader.read(flags, environment);
        assertThat(reading).isInstanceOf(Reading.Accepted.class);
        return ((Reading.Accepted) reading).settings();
    }

    private List<String> refused(Map<String, String> environment) {
        Reading reading = SettingsReader.read(flags, environment);
        assertThat(reading).isInstanceOf(Reading.Refused.class);
        return ((Reading.Refused) reading).problems();
    }

    @Test
    void haveDefaults() {
        OperatorSettings settings = accepted(Map.of("HOSTNAME", "operator-7d-x"));
        assertThat(settings)
                .isEqualTo(new OperatorSettings(
                        Optional.of(Scope.everything()),
                        "registry.example/replicator:1",
                        Duration.ofSeconds(10),
                        4,
                        8,
                        Optional.of(new OperatorSettings.Election(
                                "aardappel-operator",
                                Optional.empty(),
                                Duration.ofSeconds(15),
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(2))),
                        Optional.empty(),
                        "operator-7d-x",
                        new OperatorSettings.Listen("", 8080),
                        Duration.ofSeconds(20),
                        OperatorSettings.Level.INFO));
    }

    @Test
    void mayNameTheOwnNamespaceBeforeItIsKnown() {
        flags.put(Setting.WATCH_NAMESPACES, "own");
        assertThat(accepted(Map.of()).scope()).isEmpty();
    }

    @Test
    void comeFromTheEnvironmentAndRatherFromFlags() {
        flags.put(Setting.POLL_PERIOD, "3s");
        OperatorSettings settings = accepted(Map.of(
                "POLL_PERIOD", "5s",
                "WATCH_NAMESPACES", "shop, copies",
                "LISTEN", "[::1]:9000",
                "LEADER_ELECTION", "false",
                "LOG_LEVEL", "",
                "AARDAPPEL_SERVICE_HOST", "10.0.0.1"));
        assertThat(settings.pollPeriod()).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.scope()).contains(Scope.of(Set.of("shop", "copies")));
        assertThat(settings.listen()).isEqualTo(new OperatorSettings.Listen("::1", 9000));
        assertThat(settings.election()).isEmpty();
        assertThat(settings.logLevel()).as("an empty variable is not set").isEqualTo(OperatorSettings.Level.INFO);
    }

    @Test
    void areReportedAllAtOnceByName() {
        flags.put(Setting.POLL_PERIOD, "10");
        flags.put(Setting.WATCH_NAMESPACES, "shop,,Copies");
        assertThat(refused(Map.of(
                        "DATABASE_THREADS", "0",
                        "LEADER_ELECTION", "yes",
                        "LISTEN", "8080",
                        "LOG_LEVEL", "INFO",
                        "LEASE_NAME", "Ours")))
                .containsExactlyInAnyOrder(
                        "--watch-namespaces: \"\" is no name of a namespace; write all, own, or names of namespaces with commas between",
                        "--watch-namespaces: \"Copies\" is no name of a namespace; write all, own, or names of namespaces with commas"
                                + " between",
                        "--poll-period: \"10\" is no duration, a whole number with ms, s, m or h; write duration from 1s to"
                                + " 10m",
                        "DATABASE_THREADS: \"0\" is none; write whole number from 1 to 64",
                        "LEADER_ELECTION: \"yes\" is neither; write true or false",
                        "LEASE_NAME: \"Ours\" is none; write name of an object",
                        "LISTEN: \"8080\" is no address to listen on; write HOST:PORT, or :PORT for all addresses"
                                + " of the machine, IPv4 and IPv6",
                        "LOG_LEVEL: \"INFO\" is none; write debug, info, warn or error");
    }

    @Test
    void includeAnImage() {
        flags.clear();
        assertThat(refused(Map.of())).containsExactly("REPLICATOR_IMAGE: is not set; write name of an image");
    }

    @ParameterizedTest
    @CsvSource({"15s, 15s, 2s, LEASE_RENEW_DEADLINE", "15s, 10s, 5s, LEASE_RETRY_PERIOD"})
    void refuseALeaseThatRunsOutBeforeItIsRenewed(String duration, String deadline, String retry, String blamed) {
        assertThat(refused(Map.of(
                        "LEASE_DURATION", duration,
                        "LEASE_RENEW_DEADLINE", deadline,
                        "LEASE_RETRY_PERIOD", retry)))
                .singleElement()
                .asString()
                .startsWith(blamed + ": ");
    }

    @Test
    void haveNamesOfTheirOwn() {
        assertThat(Stream.of(Setting.values()).map(Setting::variable)).doesNotHaveDuplicates();
        assertThat(Setting.LEASE_NAME.flag()).isEqualTo("--lease-name");
        assertThat(Setting.LEASE_NAME.variable()).isEqualTo("LEASE_NAME");
    }
}
