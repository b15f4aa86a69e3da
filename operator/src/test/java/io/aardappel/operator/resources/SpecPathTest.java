package io.aardappel.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.aardappel.crds.api.Replication;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Keys of the replicator's file, in the words of a pod")
class SpecPathTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Path DEFINITION = Path.of("..", "crds", "replications.aardappel.ydb.tech.yaml");

    /** Whatever a resource may have rendered between them. */
    private static Set<String> rendered() throws IOException {
        Set<String> keys = new TreeSet<>();
        for (String resource : new String[] {
            Resources.MINIMAL,
            Resources.FULL,
            Resources.FULL
                    .replace("staticTokenSecretRef", "oauth2SecretRef")
                    .replace("database: /Root/copy", "database: /Root/copy\n    allNodes: true")
                    .replace(
                            "endpoint: copy.example:2135",
                            "tls: {caSecretRef: {name: a, key: b}}\n    endpoint: copy:1"),
        }) {
            Replication one = Resources.of(resource);
            collect(
                    "",
                    YAML.readTree(ConfigText.of(one, one.getSpec().streams()).get(ConfigText.FILE)),
                    keys);
        }
        return keys;
    }

    private static void collect(String path, JsonNode node, Set<String> keys) {
        if (node.isArray()) {
            node.forEach(one -> collect(path + "[]", one, keys));
        } else if (node.isObject()) {
            node.properties()
                    .forEach(one -> collect((path.isEmpty() ? "" : path + ".") + one.getKey(), one.getValue(), keys));
        } else {
            keys.add(path);
        }
    }

    @Test
    @DisplayName("have each a member of the resource, or are the operator's own")
    void haveEachAMember() throws IOException {
        Set<String> known = new TreeSet<>(SpecPath.BY_KEY.keySet());
        known.addAll(SpecPath.OWN);
        assertThat(rendered()).hasSizeGreaterThan(20).isSubsetOf(known);
    }

    static Set<String> members() {
        return new TreeSet<>(SpecPath.BY_KEY.values());
    }

    @ParameterizedTest
    @MethodSource("members")
    @DisplayName("have members that the definition of the resource has")
    void haveMembersOfTheDefinition(String member) throws IOException {
        JsonNode at = YAML.readTree(DEFINITION.toFile()).at("/spec/versions/0/schema/openAPIV3Schema");
        for (String part : member.split("\\.")) {
            at = at.path("properties").path(part.replace("[]", ""));
            at = part.endsWith("[]") ? at.path("items") : at;
        }
        assertThat(at.path("type").asText()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "src_connection_string = grpc:/x: is wrong | spec.source.connectionString = grpc:/x: is wrong",
                "/etc/aardappel/replicator.yaml: line 15:11: streams[12].consumer: is empty; name one | spec.streams[12].consumer: is empty; name one",
                "/etc/aardappel/replicator.yaml cannot be read | the configuration of the resource cannot be read",
                "line 3:1: dst_connection_string: is missing | spec.destination.connectionString: is missing",
                "Correct src_topic, which is TABLE/FEED | Correct spec.streams[].sourceTopic, which is TABLE/FEED",
                "streams[1].dst_table = a: there is none; or streams[0] | spec.streams[1].destinationTable = a: there is none; or spec.streams[0]",
                "raise replicator.memory if this lasts | raise spec.limits.memory if this lasts",
                "Order in the command queue (cmd_queue), | Order in the command queue (spec.commandQueue),",
                "cmd_queue.path, key_filter.table_path. | spec.commandQueue.topic, spec.keyFilter.table.",
                "(source_tls_ca_file, destination_token_file) | (spec.source.tls.caSecretRef, spec.destination.auth.staticTokenSecretRef)",
                "the consumer of my_src_topic has streams: goods/dst_table | the consumer of my_src_topic has streams: goods/dst_table",
                "raise replicator.transaction_rows_max | raise replicator.transaction_rows_max",
            })
    @DisplayName("become members of the resource")
    void becomeMembers(String said, String told) {
        assertThat(SpecPath.inSpec(said)).isEqualTo(told);
    }
}
