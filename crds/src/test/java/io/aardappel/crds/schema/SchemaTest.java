package io.aardappel.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The schema of a Replication")
class SchemaTest {
    private final JSONSchemaProps schema = Crd.schema(Crd.generated());

    @Test
    void describesEveryMember() {
        assertThat(all((path, member) -> !path.endsWith("[]")
                        && (member.getDescription() == null
                                || member.getDescription().isBlank())))
                .isEmpty();
    }

    @Test
    void boundsEveryText() {
        assertThat(all((path, member) -> "string".equals(member.getType())
                        && member.getMaxLength() == null
                        && member.getEnum().isEmpty()))
                .isEmpty();
    }

    @Test
    void boundsEveryList() {
        assertThat(all((path, member) -> "array".equals(member.getType()) && member.getMaxItems() == null))
                .isEmpty();
    }

    @Test
    void hasNoFractions() {
        assertThat(all((path, member) -> "number".equals(member.getType()))).isEmpty();
    }

    @Test
    void keepsListsByKey() {
        assertThat(SchemaRefinement.at(schema, "spec.streams").getXKubernetesListMapKeys())
                .containsExactly("sourceTopic", "consumer");
    }

    @Test
    void hasEachRuleOnce() {
        assertThat(all((path, member) -> member.getXKubernetesValidations().size()
                        != Set.copyOf(member.getXKubernetesValidations()).size()))
                .isEmpty();
    }

    @Test
    void requiresWhatThereIsNoDefaultFor() {
        assertThat(schema.getRequired()).containsExactly("spec");
        assertThat(SchemaRefinement.at(schema, "spec").getRequired())
                .containsExactlyInAnyOrder("source", "destination", "stateTable", "streams");
    }

    @Test
    void hasItsColumnsInTheOrderOfUse() {
        assertThat(Crd.columns(Crd.generated()))
                .containsExactly(
                        "Ready", "State", "Stage", "Lag", "Active", "Age", "Checkpoint", "Streams", "Reason", "Image");
    }

    /** Paths of members that are so; items of lists are members called {@code []}. */
    private List<String> all(Question isSo) {
        List<String> found = new ArrayList<>();
        walk("spec", SchemaRefinement.at(schema, "spec"), (path, member) -> {
            if (isSo.of(path, member)) {
                found.add(path);
            }
        });
        walk("status", SchemaRefinement.at(schema, "status"), (path, member) -> {
            if (isSo.of(path, member)) {
                found.add(path);
            }
        });
        return found;
    }

    private static void walk(String path, JSONSchemaProps schema, BiConsumer<String, JSONSchemaProps> visit) {
        Map<String, JSONSchemaProps> members = schema.getProperties() == null ? Map.of() : schema.getProperties();
        members.forEach((name, member) -> {
            visit.accept(path + "." + name, member);
            walk(path + "." + name, member, visit);
        });
        if (schema.getItems() != null) {
            visit.accept(path + "[]", schema.getItems().getSchema());
            walk(path + "[]", schema.getItems().getSchema(), visit);
        }
    }

    /** Something that is so or not of a member. */
    private interface Question {
        boolean of(String path, JSONSchemaProps member);
    }
}
