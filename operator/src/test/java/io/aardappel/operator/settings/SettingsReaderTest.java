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
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

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
                        "--watch-namespaces is \"shop,,Copies\", in which a name is empty, but must be all, own, or names of"
                                + " namespaces with commas between them",
                        "--watch-namespaces is \"shop,,Copies\", in which \"Copies\" is no name of a namespace, but must be all,"
                                + " own, or names of namespaces with commas between them",
                        "--poll-period is \"10\", which is no whole number with ms, s, m or h, but must be a duration from 1s to"
                                + " 10m",
                        "DATABASE_THREADS is \"0\", but must be a whole number from 1 to 64",
                        "LEADER_ELECTION is \"yes\", but must be true or false",
                        "LEASE_NAME is \"Ours\", but must be the name of an object: lower-case letters, digits, - and .",
                        "LISTEN is \"8080\", but must be HOST:PORT, or :PORT for all addresses of the machine, IPv4 and IPv6,"
                                + " with a port from 0 to 65535",
                        "LOG_LEVEL is \"INFO\", but must be debug, info, warn or error");
    }

    @Test
    void includeAnImage() {
        flags.clear();
        assertThat(refused(Map.of()))
                .containsExactly(
                        "neither --replicator-image nor REPLICATOR_IMAGE is set, but one of them must be: the name of"
                                + " an image, without spaces and of at most 512 characters");
    }

    @Test
    void areHeldToTheirBounds() {
        flags.put(Setting.REPLICATOR_IMAGE, "an image");
        flags.put(Setting.POD_NAMESPACE, "");
        assertThat(refused(Map.of("STOP_TIMEOUT", "6m", "POD_NAME", "p".repeat(201))))
                .containsExactlyInAnyOrder(
                        "--replicator-image is \"an image\", but must be the name of an image, without spaces and of at most 512"
                                + " characters",
                        "--pod-namespace is \"\", but must be the name of a namespace: at most 63 lower-case letters, digits and"
                                + " -",
                        "STOP_TIMEOUT is \"6m\", but must be a duration from 1s to 5m",
                        "POD_NAME has 201 characters, but must be a text of 1 to 200 characters");
    }

    @Nested
    @DisplayName("of a lease that would run out before it is renewed")
    class OfALease {
        @Test
        void nameTheOneThatIsSet() {
            flags.put(Setting.LEASE_DURATION, "9s");
            assertThat(refused(Map.of()))
                    .containsExactly(
                            "--lease-duration is \"9s\", but must be longer than LEASE_RENEW_DEADLINE, which is"
                                    + " \"10s\", its default: change either");
        }

        @Test
        void nameTheShorterWhereBothAre() {
            assertThat(refused(Map.of("LEASE_DURATION", "15s", "LEASE_RENEW_DEADLINE", "15s")))
                    .containsExactly(
                            "LEASE_RENEW_DEADLINE is \"15s\", but must be shorter than LEASE_DURATION, which is"
                                    + " \"15s\": change either");
        }

        @Test
        void knowThatItIsRenewedTwice() {
            assertThat(refused(Map.of("LEASE_RETRY_PERIOD", "5s")))
                    .containsExactly(
                            "LEASE_RETRY_PERIOD is \"5s\", but must be shorter than half of LEASE_RENEW_DEADLINE,"
                                    + " which is \"10s\", its default: change either");
            assertThat(refused(Map.of("LEASE_RENEW_DEADLINE", "4s")))
                    .containsExactly("LEASE_RENEW_DEADLINE is \"4s\", but must be longer than twice LEASE_RETRY_PERIOD,"
                            + " which is \"2s\", its default: change either");
        }
    }

    @Test
    void haveNamesOfTheirOwn() {
        assertThat(Stream.of(Setting.values()).map(Setting::variable)).doesNotHaveDuplicates();
        assertThat(Setting.LEASE_NAME.flag()).isEqualTo("--lease-name");
        assertThat(Setting.LEASE_NAME.variable()).isEqualTo("LEASE_NAME");
    }
}
