package io.aardappel.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.aardappel.crds.api.Database;
import io.aardappel.crds.api.Replication;
import io.aardappel.crds.api.Stream;
import io.aardappel.operator.resources.Identity;
import io.aardappel.replicator.config.ConfigReader;
import io.aardappel.replicator.config.Reading;
import io.aardappel.replicator.config.StreamConfig;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The rows hold paths as the replicator makes them of its file: another path would be taken for another stream. */
@DisplayName("The paths of a stream")
class StreamKeyTest {
    static final List<String> DATABASES = List.of(
            "connectionString: \"grpc://h:2136/Root/shop\"",
            "connectionString: \"grpcs://h:2135/Root/shop/\"",
            "connectionString: \"h:2136/Root/shop\"",
            "connectionString: \"grpc://h:2136?database=/Root/shop\"",
            "connectionString: \"grpc://h:2136/?database=%2FRoot%2Fshop\"",
            "connectionString: \"grpc://h:2136/?database=Root/shop\"",
            "connectionString: \"grpc://[::1]:2136/?database=/Root/shop/\"",
            "endpoint: \"grpc://h:2136\", database: /Root/shop",
            "endpoint: \"h:2136\", database: /Root/shop/");

    private static Database database(String members) {
        return Serialization.unmarshal(
                        "---\n{kind: Replication, apiVersion: aardappel.ydb.tech/v1alpha1, spec: {source: {" + members
                                + ", auth: {anonymous: {}}}}}",
                        Replication.class)
                .getSpec()
                .source();
    }

    @FieldSource("DATABASES")
    @ParameterizedTest
    void areThoseOfTheReplicator(String lines) {
        Database database = database(lines);
        for (String path : List.of("goods", "/Root/shop/goods", "a/b/goods")) {
            StreamConfig read = read(database, path);
            Stream stream = new Stream(path + "/feed", "copy", path, null, null);
            assertThat(StreamKey.of(stream, database).topic()).isEqualTo(read.sourceTopicPath());
            assertThat(StreamKey.table(path, database)).isEqualTo(read.destinationTablePath());
            assertThat(StreamKey.of(stream, database).isIn(database)).isTrue();
        }
    }

    private static StreamConfig read(Database database, String path) {
        String where = Identity.place(database);
        Reading reading = ConfigReader.read("""
                src_connection_string: "%s"
                dst_connection_string: "%s"
                state_table: repl_state
                instance_id: shop
                max_expected_heartbeat_interval: 10
                streams:
                - {src_topic: %s/feed, consumer: copy, dst_table: %s}
                """.formatted(where, where, path, path), false, 1 << 30);
        return assertThat(reading)
                .asInstanceOf(type(Reading.Accepted.class))
                .actual()
                .config()
                .streams()
                .get(0);
    }
}
