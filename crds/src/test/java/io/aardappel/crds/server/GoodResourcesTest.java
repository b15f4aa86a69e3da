package io.aardappel.crds.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.crds.api.Replication;
import io.aardappel.crds.schema.Crd;
import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@WithKubeApiServer
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("A good Replication")
class GoodResourcesTest {
    private final Cluster cluster;

    GoodResourcesTest(KubeApiServer kube) {
        this.cluster = Cluster.on(kube);
    }

    static Stream<Document> good() {
        List<Document> good = Document.good();
        return IntStream.range(0, good.size()).mapToObj(i -> good.get(i).named("good-" + i));
    }

    @MethodSource("good")
    @ParameterizedTest
    void isReadBackAsItWasWritten(Document document) {
        cluster.apply(document);
        assertThat(cluster.read(document).at("spec")).isEqualTo(document.at("spec"));
    }

    @MethodSource("good")
    @ParameterizedTest
    void isNotChangedByApplyingItAgain(Document document) {
        Document first = cluster.apply(document);
        Document second = cluster.apply(document);
        assertThat(second.at("metadata")).isEqualTo(first.at("metadata"));
    }

    @MethodSource("good")
    @ParameterizedTest
    void isWhollyKnownToTheModel(Document document) {
        assertThat(Cluster.tree(document.as(Replication.class)).at("spec")).isEqualTo(document.at("spec"));
    }

    @Test
    void hasEveryMemberOfTheSchemaAmongTheseTests() {
        Set<String> present = good().flatMap(document -> document.paths().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        assertThat(present).containsAll(members());
    }

    private static Set<String> members() {
        Set<String> members = new LinkedHashSet<>();
        collect("spec", Crd.schema(Crd.committed()).getProperties().get("spec"), members);
        return members;
    }

    private static void collect(String path, JSONSchemaProps schema, Set<String> members) {
        members.add(path);
        if (schema.getProperties() != null) {
            schema.getProperties().forEach((name, member) -> collect(path + "." + name, member, members));
        }
        if (schema.getItems() != null && schema.getItems().getSchema().getProperties() != null) {
            schema.getItems()
                    .getSchema()
                    .getProperties()
                    .forEach((name, member) -> collect(path + "[0]." + name, member, members));
        }
    }

    static Stream<Arguments> edges() {
        Map<String, List<Object>> values = new LinkedHashMap<>();
        values.put("spec.replicas", List.of(0, 9));
        values.put("spec.restartNonce", List.of(1, "2026-11-30T12:00:00Z"));
        values.put("spec.stateTable", List.of("repl_state", "/Root/copy/repl_state", "state/of-the.copy"));
        values.put("spec.heartbeat.maxExpectedInterval", List.of("1s", "10s", "1m30s", "90m", "24h", "86400s"));
        values.put("spec.streams[0].sourceTopic", List.of("/Root/shop/goods/feed", "a/b.c-d_e/f'g"));
        values.put("spec.streams[0].consumer", List.of("shared/copy", "a.b-c_d"));
        values.put("spec.destination.tls.caSecretRef.name", List.of("a", "a.b-c.1"));
        values.put("spec.destination.tls.caSecretRef.key", List.of("ca.crt", ".hidden", "A_b-1"));
        values.put("spec.image", List.of("registry.example:5000/a/b@sha256:0a1b", "replicator"));
        values.put("spec.podMonitor.interval", List.of("1s", "30s", "1h"));
        values.put("spec.limits.memory", List.of("1Mi", "64Gi", "1048576", "1.5Gi", "500M"));
        values.put("spec.limits.transactionBytes", List.of("1Ki", "1Gi", "1e6"));
        values.put(
                "spec.source.connectionString",
                List.of(
                        "db.example:2135/Root/shop",
                        "ydb_one:65535/local",
                        "grpc://[2001:db8::1]:2136/local",
                        "grpcs://db:1/?database=/local",
                        "grpcs://db:1/?balancer=p2c&database=%2Flocal",
                        "grpcs://db:1/Root/shop?balancer=p2c"));
        values.put("spec.destination.endpoint", List.of("db.example:2135", "grpc://192.0.2.7:2136"));
        return values.entrySet().stream()
                .flatMap(member -> member.getValue().stream().map(value -> Arguments.of(member.getKey(), value)));
    }

    @MethodSource("edges")
    @ParameterizedTest(name = "{0} {1}")
    void mayGoToTheEdge(String path, Object value) {
        assertThat(cluster.refusal(Document.ofTests("full.yaml").with(path, value)))
                .isEmpty();
    }

    @Test
    void mayHaveTwoThousandStreams() {
        List<Map<String, String>> streams = IntStream.range(0, 2_000)
                .mapToObj(i -> Map.of(
                        "sourceTopic",
                        "a/rather/long/path/to/the/table/number/%d/feed".formatted(i),
                        "consumer",
                        "copy",
                        "destinationTable",
                        "a/rather/long/path/to/the/table/number/" + i,
                        "problemStrategy",
                        "Continue"))
                .toList();
        Document large = Document.ofTests("full.yaml").named("large").with("spec.streams", streams);
        cluster.apply(large);
        assertThat(cluster.read(large).at("spec.streams")).hasSize(2_000);
    }
}
