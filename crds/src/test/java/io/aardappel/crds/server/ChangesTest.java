package io.aardappel.crds.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.aardappel.crds.schema.Crd;
import io.aardappel.crds.server.Cluster.Refusal;
import io.aardappel.kube.junit.KubeApiServer;
import io.aardappel.kube.junit.WithKubeApiServer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@WithKubeApiServer
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("A Replication that exists")
class ChangesTest {
    private static final String INSTANCE_IS_FIXED = "instanceId cannot be changed: the checkpoint belongs to it."
            + " Create another Replication for another instance";
    private static final String TABLE_IS_FIXED =
            "stateTable cannot be changed: the checkpoint lies in it. Create another Replication for another table";

    private final Cluster cluster;

    ChangesTest(KubeApiServer kube) {
        this.cluster = Cluster.on(kube);
    }

    private Optional<Refusal> changed(Document from, Document to) {
        cluster.apply(from);
        return Cluster.refusal(() -> cluster.apply(to));
    }

    private static void assertRefused(Optional<Refusal> refusal, String field, String message) {
        assertThat(refusal).hasValueSatisfying(refused -> {
            assertThat(refused.code()).isEqualTo(422);
            assertThat(refused.about(field)).as(refused.toString()).anyMatch(said -> said.contains(message));
        });
    }

    @Test
    void hasTheseRulesAboutChanges() {
        Set<String> messages =
                Crd.schema(Crd.committed()).getProperties().get("spec").getXKubernetesValidations().stream()
                        .filter(rule -> rule.getRule().contains("oldSelf"))
                        .map(ValidationRule::getMessage)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(messages).as("each has its tests here").containsExactly(INSTANCE_IS_FIXED, TABLE_IS_FIXED);
    }

    @Test
    void keepsItsStateTable() {
        Document before = Document.ofTests("minimal.yaml").named("table");
        assertRefused(changed(before, before.with("spec.stateTable", "another")), "spec.stateTable", TABLE_IS_FIXED);
    }

    @Test
    void mayChangeTheRest() {
        Document before = Document.ofTests("full.yaml").named("rest");
        JsonNode database = Document.ofTests("databases.yaml").root().get("not at all");
        Document after = before.with("spec.source", database)
                .with("spec.streams[0].destinationTable", "other_goods")
                .with("spec.replicas", 1)
                .with("spec.restartNonce", "again")
                .without("spec.template");
        assertThat(changed(before, after)).isEmpty();
        assertThat(cluster.read(after).at("spec")).isEqualTo(after.at("spec"));
    }

    @Nested
    @DisplayName("with an instanceId")
    class WithAnInstance {
        private final Document before = Document.ofTests("full.yaml");

        @Test
        void keepsIt() {
            Document named = before.named("instance-kept");
            assertRefused(
                    changed(named, named.with("spec.instanceId", "shop-2")), "spec.instanceId", INSTANCE_IS_FIXED);
        }

        @Test
        void cannotLoseIt() {
            Document named = before.named("instance-lost");
            assertRefused(changed(named, named.without("spec.instanceId")), "spec.instanceId", INSTANCE_IS_FIXED);
        }
    }

    @Nested
    @DisplayName("without an instanceId")
    class WithoutAnInstance {
        @Test
        void cannotGetOne() {
            Document before = Document.ofTests("minimal.yaml").named("instance-got");
            assertRefused(
                    changed(before, before.with("spec.instanceId", "shop")), "spec.instanceId", INSTANCE_IS_FIXED);
        }
    }
}
