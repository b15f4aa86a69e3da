package io.aardappel.crds.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.crds.schema.Crd;
import io.aardappel.crds.server.Cluster.Refusal;
import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@WithKubeApiServer
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("A bad Replication is refused with the member and what is allowed")
class BadResourcesTest {
    private static final List<String> OBJECTS = List.of("../../ns/secrets/x", "present?a=");
    private static final List<String> KEYS = List.of("a/b", "..data", ".");

    private final Cluster cluster;

    BadResourcesTest(KubeApiServer kube) {
        this.cluster = Cluster.on(kube);
    }

    static Stream<Breach> bounds() {
        JSONSchemaProps schema = Crd.schema(Crd.committed());
        return Breach.ofEach(schema.getProperties().get("spec"), "spec", Document.good()).stream();
    }

    @MethodSource("bounds")
    @ParameterizedTest(name = "{0}")
    void whenItBreaksABound(Breach breach) {
        assertRefused(breach.resource(), breach.field(), breach.said());
    }

    /**
     * A resource that breaks a rule.
     *
     * @param path the member with the rule
     */
    record Offence(String path, Document resource, String why) {
        @Override
        public String toString() {
            return path + ": " + why;
        }
    }

    static Stream<Offence> offences() {
        return Stream.concat(
                memberOffences(), Stream.of("source", "destination").flatMap(BadResourcesTest::databaseOffences));
    }

    private static Stream<Offence> memberOffences() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        values.put("spec.stateTable", List.of("a`b", "`a/feed`", "a/", "/", "a//b", "//a", "a b", "a\\b", "a\tb"));
        List.of(
                        "spec.streams[0].sourceTopic",
                        "spec.streams[0].destinationTable",
                        "spec.commandQueue.topic",
                        "spec.deadLetterQueue.topic",
                        "spec.keyFilter.table")
                .forEach(path -> values.put(path, List.of("`a/feed`", "a//b"))); // of the same rule
        List<String> consumers = List.of(" ", "my copy", "`copy`", "a\\b");
        values.put("spec.streams[0].consumer", consumers);
        values.put("spec.commandQueue.consumer", consumers);
        values.put(
                "spec.template.pod.serviceAccountName",
                List.of("../../ns/secrets/x", "%2e%2e/x", "present?a=", "Upper", "-a", "a-", "a..b", "a_b", ".", " "));
        values.put("spec.template.pod.priorityClassName", List.of("a/b"));
        values.put("spec.image", List.of("replicator: 1", " ", "replicator:1\n"));
        values.put(
                "spec.heartbeat.maxExpectedInterval",
                List.of("10", "500ms", "1.5s", "-10s", "0s", "25h", "99999999999999h"));
        values.put("spec.podMonitor.interval", List.of("10", "500ms", "-10s", "0s", "0h0m", "99999999999999h"));
        values.put("spec.limits.memory", List.of("1023Ki", "65Gi", "-1Gi", "much"));
        values.put("spec.limits.transactionBytes", List.of("1023", "1025Mi", "-8Mi", "8 MB"));
        return Stream.concat(
                values.entrySet().stream()
                        .flatMap(member -> member.getValue().stream()
                                .map(value -> offence(member.getKey(), Document.ofTests("full.yaml"), value))),
                Stream.of("/Root/copy/repl_state", "repl_state").map(BadResourcesTest::stateTableAsStream));
    }

    /** The state table is absolute in one, and the stream's table relative. */
    private static Offence stateTableAsStream(String written) {
        return new Offence(
                "spec", Document.ofTests("full.yaml").with("spec.streams[0].destinationTable", written), written);
    }

    private static Stream<Offence> databaseOffences(String database) {
        String at = "spec." + database;
        Document named = withDatabase(database, "by service account, with a connection string");
        Document parts = withDatabase(database, "by an OAuth2 file, with endpoint and database");
        Document ready = withDatabase(database, "by a ready token");
        Map<String, List<String>> values = Map.of(
                ".tls.caSecretRef.name",
                OBJECTS,
                ".tls.caSecretRef.key",
                KEYS,
                ".connectionString",
                List.of(
                        "db.example:2135",
                        "db.example/Root/shop",
                        "http://db.example:2135/Root/shop",
                        "grpcs://user:secret@db.example:2135/Root/shop",
                        "grpcs://db.example:99999/Root/shop",
                        "grpcs://db.example:65536/Root/shop",
                        "grpcs://db.example:0/Root/shop",
                        "grpcs://db.example:2135/Root/shop/",
                        "grpcs://db.example:2135//Root/shop",
                        "grpcs://db.example:2135/Root/a shop",
                        "grpcs://db.example:2135/?database=",
                        "grpcs://db.example:2135/Root/shop?database=",
                        "grpcs://db.example:2135/?database=/Root/shop/",
                        "grpcs://db.example:2135/Root/shop?token=secret",
                        "grpcs://db.example:2135/"),
                ".auth.serviceAccountToken.exchange.endpoint",
                List.of("sts.example", "ftp://sts.example/token", "https://", "/token"));
        Map<String, List<String>> ofParts = Map.of(
                ".auth.oauth2SecretRef.name",
                OBJECTS,
                ".auth.oauth2SecretRef.key",
                KEYS,
                ".endpoint",
                List.of(
                        "db.example",
                        "db.example:99999",
                        "db example:2135",
                        "http://db.example:2135",
                        "grpcs://db.example:2135/Root/shop"),
                ".database",
                List.of("Root/shop", "/Root/shop/", "/Root//shop", "/Root/a shop"));
        Map<String, List<String>> ofReady =
                Map.of(".auth.staticTokenSecretRef.name", OBJECTS, ".auth.staticTokenSecretRef.key", KEYS);
        return Stream.of(
                        spread(at, named, values),
                        spread(at, parts, ofParts),
                        spread(at, ready, ofReady),
                        Stream.of(
                                new Offence(at, named.without(at + ".connectionString"), "named in no way"),
                                new Offence(
                                        at, named.with(at + ".endpoint", "db.example:2135"), "an endpoint too many"),
                                new Offence(at, named.with(at + ".database", "/Root/shop"), "a database too many"),
                                new Offence(
                                        at,
                                        parts.with(at + ".connectionString", "grpcs://db.example:2135/Root/shop"),
                                        "named in both ways"),
                                new Offence(at, parts.without(at + ".database"), "an endpoint without database"),
                                new Offence(at, parts.without(at + ".endpoint"), "a database without endpoint"),
                                new Offence(at + ".auth", named.with(at + ".auth", Map.of()), "no way to log in"),
                                new Offence(
                                        at + ".auth",
                                        named.with(at + ".auth.anonymous", Map.of()),
                                        "two ways to log in")))
                .flatMap(offences -> offences);
    }

    private static Stream<Offence> spread(String at, Document base, Map<String, List<String>> values) {
        return values.entrySet().stream()
                .flatMap(member -> member.getValue().stream().map(value -> offence(at + member.getKey(), base, value)));
    }

    private static Offence offence(String path, Document base, String value) {
        return new Offence(path, base.with(path, value), value);
    }

    private static Document withDatabase(String which, String way) {
        return Document.ofTests("full.yaml")
                .with("spec." + which, Document.ofTests("databases.yaml").root().get(way));
    }

    @MethodSource("offences")
    @ParameterizedTest(name = "{0}")
    void whenItBreaksARule(Offence offence) {
        for (String message : rules().get(offence.path())) {
            assertRefused(offence.resource(), offence.path(), message);
        }
    }

    @Test
    void whateverRuleItBreaks() {
        Set<String> broken = new LinkedHashSet<>();
        offences().forEach(offence -> broken.add(offence.path()));
        assertThat(broken).as("each member with a rule has a bad resource").isEqualTo(rules().keySet());
    }

    /** Messages of the rules that look at a resource alone, by the member that has them. */
    private static Map<String, List<String>> rules() {
        Map<String, List<String>> rules = new LinkedHashMap<>();
        collect("spec", Crd.schema(Crd.committed()).getProperties().get("spec"), rules);
        return rules;
    }

    private static void collect(String path, JSONSchemaProps schema, Map<String, List<String>> rules) {
        List<String> messages = schema.getXKubernetesValidations().stream()
                .filter(rule -> !rule.getRule().contains("oldSelf"))
                .map(ValidationRule::getMessage)
                .toList();
        if (!messages.isEmpty()) {
            rules.put(path, messages);
        }
        if (schema.getProperties() != null) {
            schema.getProperties().forEach((name, member) -> collect(path + "." + name, member, rules));
        }
        if (schema.getItems() != null) {
            collect(path + "[0]", schema.getItems().getSchema(), rules);
        }
    }

    @Test
    void whenItHasNoSpec() {
        assertRefused(Document.ofTests("minimal.yaml").without("spec"), "spec", "Required value");
    }

    @Test
    void whenItHasAMemberThatNobodyKnows() {
        Optional<Refusal> refusal =
                cluster.refusal(Document.ofTests("minimal.yaml").with("spec.heartbeats", Map.of()));
        assertThat(refusal).hasValueSatisfying(refused -> {
            assertThat(refused.code()).isEqualTo(400);
            assertThat(refused).asString().contains("unknown field \"spec.heartbeats\"");
        });
    }

    private void assertRefused(Document resource, String field, String said) {
        assertThat(cluster.refusal(resource)).hasValueSatisfying(refused -> {
            assertThat(refused.code()).as(refused.toString()).isEqualTo(422);
            assertThat(refused.about(field)).as(refused.toString()).anyMatch(message -> message.contains(said));
        });
    }
}
