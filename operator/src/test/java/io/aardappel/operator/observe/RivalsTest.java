package io.aardappel.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.crds.api.Replication;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A consumer is refused to a younger resource")
class RivalsTest {
    private static Replication resource(String name, int day, String topic, String status) {
        return Serialization.unmarshal("""
                apiVersion: aardappel.ydb.tech/v1alpha1
                kind: Replication
                metadata: {name: %s, namespace: copies, uid: %s, creationTimestamp: "2026-03-0%dT05:06:07Z"}
                spec:
                  source: {connectionString: "grpc://source:2136/shop", auth: {anonymous: {}}}
                  destination: {connectionString: "grpc://copy:2136/copy", auth: {anonymous: {}}}
                  stateTable: repl_state
                  streams: [{sourceTopic: %s, consumer: copy, destinationTable: goods}]
                %s""".formatted(name, name, day, topic, status), Replication.class);
    }

    private static boolean isRefused(Replication elder) {
        Replication younger = resource("younger", 2, "orders/feed", "");
        return new Rivals().obstacle(younger, Stream.of(younger, elder)).isPresent();
    }

    private static String streams(String state) {
        return "status: {streams: {members: 2, joining: 0, failed: 0, worst: [{sourceTopic: /shop/orders/feed,"
                + " consumer: copy, state: " + state + "}]}}";
    }

    @Test
    void byAnElderThatReadsByItHoweverThePathIsWritten() {
        assertThat(isRefused(resource("elder", 1, "orders/feed", ""))).isTrue();
        assertThat(isRefused(resource("elder", 1, "/shop/orders/feed", ""))).isTrue();
        assertThat(isRefused(resource("elder", 1, "goods/feed", ""))).isFalse();
    }

    private static String message(Replication... all) {
        return new Rivals().obstacle(all[0], Stream.of(all)).orElseThrow().message();
    }

    private static Replication of(String name, int day, String instance, String topic) {
        Replication one = resource(name, day, topic, "");
        one.getMetadata().setUid(name);
        return Serialization.unmarshal(
                Serialization.asYaml(one).replace("stateTable:", "instanceId: " + instance + "\n  stateTable:"),
                Replication.class);
    }

    @Test
    void andIsToldOfTheOneThatIsServed() {
        Replication served = of("served", 1, "x", "goods/feed");
        Replication refused = of("refused", 2, "x", "orders/feed");
        Replication youngest = of("youngest", 3, "x", "orders/feed");
        assertThat(message(youngest, refused, served))
                .startsWith("copies/served is older")
                .contains("instance, x");
        assertThat(message(youngest, served, refused)).startsWith("copies/served is older");
        assertThat(message(refused, youngest, served)).startsWith("copies/served is older");
    }

    @Test
    void andIsToldWhyAnElderIsNotServedWhereNoneIs() {
        Replication served = of("served", 1, "x", "goods/feed");
        Replication refused = of("refused", 2, "x", "orders/feed");
        Replication youngest = of("youngest", 3, "y", "orders/feed");
        assertThat(message(youngest, refused, served))
                .startsWith("copies/refused is older and reads by the same consumer")
                .endsWith("That one is not served either, because of copies/served");
        assertThat(new Rivals().obstacle(served, Stream.of(youngest, refused, served)))
                .isEmpty();
    }

    @Test
    void byAnElderWhoseStreamRunsOnThoughItWasLeftOut() {
        assertThat(isRefused(resource("elder", 1, "goods/feed", streams("kept"))))
                .isTrue();
        assertThat(isRefused(resource("elder", 1, "goods/feed", streams("missing"))))
                .isFalse();
    }

    @Test
    void asItIsNowAndNotAsItWasBefore() {
        Rivals rivals = new Rivals();
        Replication younger = resource("younger", 2, "orders/feed", "");
        Replication before = resource("elder", 1, "orders/feed", "");
        before.getMetadata().setResourceVersion("1");
        Replication edited = resource("elder", 1, "goods/feed", "");
        edited.getMetadata().setResourceVersion("2");
        assertThat(rivals.obstacle(younger, Stream.of(younger, before))).isPresent();
        assertThat(rivals.obstacle(younger, Stream.of(younger, edited))).isEmpty();
        assertThat(rivals.obstacle(younger, Stream.of(younger))).isEmpty();
        assertThat(rivals.obstacle(younger, Stream.of(younger, before))).isPresent();
    }
}
