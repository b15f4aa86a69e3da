package io.aardappel.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A schema is narrower than the one before")
class NarrowingTest {
    private final JSONSchemaProps before = Crd.schema(Crd.generated());

    @Test
    void notWhenNothingChanged() {
        assertThat(after(spec -> {})).isEmpty();
    }

    @Test
    void notWhenAnOptionalMemberWasAdded() {
        assertThat(after(spec -> spec.getProperties()
                        .put(
                                "pace",
                                new JSONSchemaPropsBuilder().withType("string").build())))
                .isEmpty();
    }

    @Test
    void whenAMemberIsGone() {
        assertThat(after(spec -> spec.getProperties().remove("keyFilter"))).containsExactly(".spec.keyFilter is gone");
    }

    @Test
    void whenAMemberIsRequiredNow() {
        assertThat(after(spec -> spec.setRequired(List.of("source", "destination", "stateTable", "streams", "image"))))
                .containsExactly(".spec.image is required now");
    }

    @Test
    void whenABoundIsTighter() {
        assertThat(after(spec -> spec.getProperties().get("streams").setMaxItems(100L)))
                .containsExactly(".spec.streams: maxItems is 100 and was 2000");
        assertThat(after(spec -> spec.getProperties().get("replicas").setMinimum(1.0)))
                .containsExactly(".spec.replicas: minimum is 1.0 and was 0.0");
    }

    @Test
    void whenAValueIsNoLongerTaken() {
        assertThat(after(spec -> spec.getProperties().get("logLevel").getEnum().remove(0)))
                .singleElement()
                .asString()
                .startsWith(".spec.logLevel takes only");
    }

    @Test
    void whenARuleWasAdded() {
        ValidationRule rule = new ValidationRule();
        rule.setRule("self.size() < 10");
        assertThat(after(spec -> spec.getProperties()
                        .get("image")
                        .getXKubernetesValidations()
                        .add(rule)))
                .containsExactly(".spec.image has a new rule: self.size() < 10");
    }

    @Test
    void whenATypeChanged() {
        assertThat(after(spec -> spec.getProperties().get("replicas").setType("string")))
                .containsExactly(".spec.replicas is a string and was a integer");
    }

    private List<String> after(Consumer<JSONSchemaProps> change) {
        JSONSchemaProps now = Crd.schema(Crd.generated());
        change.accept(now.getProperties().get("spec"));
        return Narrowing.between(before, now);
    }
}
