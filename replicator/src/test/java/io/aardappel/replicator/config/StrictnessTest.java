package io.aardappel.replicator.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the Go program takes and falls over later. */
@DisplayName("A configuration file that cannot work is refused before anything is touched")
class StrictnessTest {
    private static final long HEAP = 8L << 30;
    private static final String HEARTBEAT = "max_expected_heartbeat_interval: 15\n";
    private static final String INSTANCE = "instance_id: shop\n";
    private static final String STREAMS = """
            streams:
              - src_topic: goods/feed
                consumer: repl
                dst_table: /Root/copy/goods
            """;

    private static final String FILE = """
            src_connection_string: grpc://source.example:2136/Root/shop
            dst_connection_string: grpcs://destination.example:2135/Root/copy
            state_table: repl_state
            """ + INSTANCE + HEARTBEAT + STREAMS;

    @ParameterizedTest
    @ValueSource(strings = {"", "max_expected_heartbeat_interval: 0\n", "max_expected_heartbeat_interval:\n"})
    @DisplayName("without a heartbeat interval, or with 0")
    void refusesAFileWithoutAHeartbeatIntervalB03(String written) {
        assertRefused(FILE.replace(HEARTBEAT, written), "max_expected_heartbeat_interval");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "streams: []\n", "streams:\n"})
    @DisplayName("without streams")
    void refusesAFileWithoutStreamsB26(String written) {
        assertRefused(FILE.replace(STREAMS, written), "streams");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "instance_id: ''\n", "instance_id:\n"})
    @DisplayName("without a name of the instance")
    void refusesAnInstanceWithoutANameB28(String written) {
        assertRefused(FILE.replace(INSTANCE, written), "instance_id");
    }

    @Test
    @DisplayName("and one that can is not")
    void acceptsTheWholeFile() {
        assertThat(ConfigReader.read(FILE, false, HEAP)).isInstanceOf(Reading.Accepted.class);
    }

    private static void assertRefused(String yaml, String path) {
        assertThat(ConfigReader.read(yaml, false, HEAP))
                .isInstanceOfSatisfying(
                        Reading.Refused.class,
                        refused -> assertThat(refused.problems())
                                .extracting(Problem::path)
                                .containsExactly(path));
    }
}
